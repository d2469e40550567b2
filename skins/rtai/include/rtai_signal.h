/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI's signals between tasks: not here. */
#error "rtai_signal.h: RTAI's signals between tasks is not here; use messages or semaphores"
