/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interrupts of devices in user space: not here. */
#error "rtai_usi.h: Interrupts of devices in user space is not here; use <tactus/device.h>"
