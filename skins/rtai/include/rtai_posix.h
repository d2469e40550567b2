/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI's POSIX interface: not here. */
#error "rtai_posix.h: RTAI's POSIX interface is not here; use that of Linux and tactus run"
