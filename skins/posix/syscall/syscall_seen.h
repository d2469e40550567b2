/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which calls by syscall() something has to be seen to, whoever makes them. */
#ifndef POSIX_SYSCALL_SEEN_H
#define POSIX_SYSCALL_SEEN_H

#include <stdbool.h>

/* Of a file that may be here, without an argument that all of these name it by. */
bool posix_syscall_is_of_files(long number);

/* One of those, or any other. A plain thread's call that is none is Linux's alone. */
bool posix_syscall_is_seen(long number);

#endif
