/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Breakpoints: not here. */
#error "dbgLib.h: Breakpoints of the shell are not here; use tactus-gdb"
