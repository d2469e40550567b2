/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sockets: not here. */
#error "sockLib.h: Sockets of VxWorks are not here; use <sys/socket.h> of Linux"
