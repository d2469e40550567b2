/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shares of processor time: not here. */
#error "spyLib.h: Samples of tasks are not here; use tactus ps"
