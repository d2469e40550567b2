/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Serial lines: not here. */
#error "tyLib.h: Drivers of serial lines are not here; use <termios.h> of Linux"
