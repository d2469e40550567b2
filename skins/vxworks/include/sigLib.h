/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: not here. */
#error "sigLib.h: Signals of VxWorks are not here; use <signal.h> of Linux"
