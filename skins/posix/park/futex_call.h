/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syscall(SYS_futex, …) as it is served here. */
#ifndef POSIX_FUTEX_CALL_H
#define POSIX_FUTEX_CALL_H

#include <stdbool.h>

/* Is it a wake-up at a word that no task waits at? Context: any thread. */
bool posix_futex_is_linuxs(long word, long operation);
/* arguments: as the call has them. Returns as syscall(). Context: any thread. */
long posix_futex(const long arguments[6]);

#endif
