/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Exceptions: not here. */
#error "excLib.h: Hooks of exceptions are not here; use sigaction() of Linux"
