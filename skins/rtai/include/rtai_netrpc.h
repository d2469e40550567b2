/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls to other machines: not here. */
#error "rtai_netrpc.h: Calls to other machines is not here; use a socket of Linux"
