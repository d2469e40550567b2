/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI's message queues of POSIX: not here. */
#error "rtai_pmq.h: RTAI's message queues of POSIX is not here; use those of Linux and tactus run"
