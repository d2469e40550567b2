/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restart of the machine: not here. */
#error "rebootLib.h: A restart is not here; use reboot() of Linux"
