/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loading of modules: not here. */
#error "loadLib.h: Loading is not here; use dlopen() of Linux"
