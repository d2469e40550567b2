/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* syscall(SYS_futex, …) as it is served here. */
#ifndef POSIX_FUTEX_CALL_H
#define POSIX_FUTEX_CALL_H

/* arguments: as the call has them. Returns as syscall(). Context: any thread. */
long posix_futex(const long arguments[6]);

#endif
