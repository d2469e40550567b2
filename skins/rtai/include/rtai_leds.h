/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lamps at a parallel port: not here. */
#error "rtai_leds.h: Lamps at a parallel port is not here; use ioperm() of Linux"
