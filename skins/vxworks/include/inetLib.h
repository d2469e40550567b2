/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Addresses of the Internet: not here. */
#error "inetLib.h: Functions for addresses are not here; use <arpa/inet.h> of Linux"
