/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sockets: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <sys/socket.h>

#ifndef COBALT_SYS_SOCKET_H
#define COBALT_SYS_SOCKET_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(accept);
COBALT_SAME(bind);
COBALT_SAME(connect);
COBALT_SAME(getpeername);
COBALT_SAME(getsockname);
COBALT_SAME(getsockopt);
COBALT_SAME(listen);
COBALT_SAME(recv);
COBALT_SAME(recvfrom);
COBALT_SAME(recvmmsg);
COBALT_SAME(recvmsg);
COBALT_SAME(send);
COBALT_SAME(sendmmsg);
COBALT_SAME(sendmsg);
COBALT_SAME(sendto);
COBALT_SAME(setsockopt);
COBALT_SAME(shutdown);
COBALT_SAME(socket);
#endif

#ifdef __cplusplus
}
#endif

#endif
