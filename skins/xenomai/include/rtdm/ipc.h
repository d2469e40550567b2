/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Real-time sockets: datagrams between tasks (IDDP), a stream of bytes between tasks (BUFP), and
 * messages between tasks and Linux through /dev/rtpN (XDDP). They are made by socket(AF_RTIPC,
 * SOCK_DGRAM, IPCPROTO_...), and used by the calls of POSIX's sockets, read(), write(), select()
 * and close(), as the linker turns them to the skin (cobalt/wrappers.h). Ports and labels of IDDP
 * and BUFP are shared by the programs of a session: any of them sends to what one of them has
 * bound. Where programs name no session, a port or label that another one has may be used, and is
 * the program's own then. XDDP's ports are the program's own, and their files everybody's.
 *
 * bind() gives a socket a port, where it receives; connect() tells where it sends. Port -1 means:
 * bind() chooses, connect() looks for the socket that is bound with this one's label and waits for
 * it as long as SO_RCVTIMEO tells, and without a label forgets where to send to. A bound socket
 * that was not connected sends to itself, which for XDDP is the file's reader. With MSG_OOB a
 * message goes before those that are there (not BUFP). Timeouts (SO_RCVTIMEO, SO_SNDTIMEO; 0: none)
 * end a wait with ETIMEDOUT.
 *
 * Beside what POSIX documents for these calls:
 *   EAFNOSUPPORT    socket(): type is not SOCK_DGRAM
 *   EPROTONOSUPPORT socket(): no such protocol
 *   EINVAL          an address of another family or length, a port out of range, an unknown flag or
 *                   option, an option of the wrong length, a size of 0; BUFP: more than the buffer
 *                   ever holds
 *   EADDRINUSE      bind(): bound already, or the port is taken (-1: all are)
 *   EEXIST          bind(): another socket is bound with this label
 *   ENOBUFS         bind(): BUFP without BUFP_BUFSZ; XDDP: a message was longer than what was to
 *                   take it, and is lost
 *   ENOMEM          bind(): no memory; XDDP: no room for the message; sending, and connect() by
 *                   label, to another program: no memory or descriptor, here or there
 *   EALREADY        setsockopt(): the socket is bound (a label of IDDP and BUFP may be set then, to
 *                   connect by; the socket stays known by the one that it was bound with)
 *   EPERM           setsockopt(): XDDP_MONITOR, which is for drivers
 *   ENOPROTOOPT     another protocol's level
 *   EDESTADDRREQ    send...(), write(): without an address and no peer
 *   ENOTCONN        shutdown()
 *   ECONNRESET      nobody is bound to the port, or the socket was closed, or its program ended,
 *                   meanwhile
 *   EMSGSIZE        IDDP: a datagram that the receiver's pool never holds
 *   EAGAIN          receiving: not bound, or nothing there with MSG_DONTWAIT or O_NONBLOCK
 *   EOPNOTSUPP      listen(), accept()
 *
 * Source: Xenomai 3 API manual, "Real-time IPC".
 */
#ifndef RTDM_IPC_H
#define RTDM_IPC_H

#include <sys/socket.h>

#include <rtdm/rtdm.h>

#ifndef XNOBJECT_NAME_LEN
#define XNOBJECT_NAME_LEN 32
#endif

#define AF_RTIPC 111
#define PF_RTIPC AF_RTIPC

enum {
	IPCPROTO_IPC = 0, /* IDDP */
	IPCPROTO_XDDP = 1,
	IPCPROTO_IDDP = 2,
	IPCPROTO_BUFP = 3,
	IPCPROTO_MAX
};

/* 0 ... 31; XDDP: the N of /dev/rtpN. */
typedef int16_t rtipc_port_t;

struct rtipc_port_label {
	char label[XNOBJECT_NAME_LEN];
};

struct sockaddr_ipc {
	sa_family_t sipc_family; /* AF_RTIPC */
	rtipc_port_t sipc_port;
};

/* Options: a struct rtipc_port_label, or a size_t, before bind() unless it says otherwise. */
#define SOL_XDDP     311
#define XDDP_LABEL   1 /* also the name of a link to the file, in /run/tactus/rtp */
#define XDDP_POOLSZ  2 /* bytes of memory for messages, in each direction; in pages of 4 KiB */
#define XDDP_BUFSZ   3 /* bytes that MSG_MORE gathers, at most 16384; 0: none. At any time */
#define XDDP_MONITOR 4

/* What XDDP_MONITOR tells drivers of. */
#define XDDP_EVTIN    1
#define XDDP_EVTOUT   2
#define XDDP_EVTDOWN  3
#define XDDP_EVTNOBUF 4

#define SOL_IDDP    312
#define IDDP_LABEL  1
#define IDDP_POOLSZ 2

#define SOL_BUFP   313
#define BUFP_LABEL 1
#define BUFP_BUFSZ 2 /* of the ring; needed */

#endif
