/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of pSOSystem that is not here. */
#error "pna.h: pNA+ (the network) is not here: use the sockets of Linux, <sys/socket.h>"
