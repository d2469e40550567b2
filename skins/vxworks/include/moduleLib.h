/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modules: not here. */
#error "moduleLib.h: Modules are not here; use dlopen() of Linux"
