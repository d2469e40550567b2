/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Vectors of interrupts: not here. */
#error "iv.h: Hardware is not here; use <tactus/device.h>"
