/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of pSOSystem that is not here. */
#error "probe.h: pROBE+ (the debugger) is not here: use tactus-gdb and tactus ps"
