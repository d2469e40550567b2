/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sched_setattr() and sched_getattr(), by syscall() as by name. */
#ifndef POSIX_SCHED_ATTRIBUTES_H
#define POSIX_SCHED_ATTRIBUTES_H

/* With the call's arguments; as syscall() returns. */
long posix_sched_setattr(const long argument[]);
long posix_sched_getattr(const long argument[]);

#endif
