/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interfaces of a network: not here. */
#error "ifLib.h: The network of VxWorks is not here; use ip(8) and sockets of Linux"
