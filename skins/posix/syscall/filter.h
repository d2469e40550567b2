/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filters of calls (seccomp) that the program sets. */
#ifndef POSIX_FILTER_H
#define POSIX_FILTER_H

/* seccomp(2), with errno. */
long posix_seccomp(unsigned operation, unsigned flags, void *argument);

#endif
