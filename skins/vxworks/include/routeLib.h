/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Routes of a network: not here. */
#error "routeLib.h: The network of VxWorks is not here; use ip(8) and sockets of Linux"
