/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Unloading of modules: not here. */
#error "unldLib.h: Unloading is not here; use dlclose() of Linux"
