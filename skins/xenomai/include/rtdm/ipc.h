/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Real-time sockets: datagrams between tasks (IDDP), a stream of bytes between tasks (BUFP), and
 * messages between tasks and Linux through /dev/rtpN (XDDP). socket(AF_RTIPC, SOCK_DGRAM,
 * IPCPROTO_...) creates a socket. The calls of POSIX for sockets, and read(), write(), select() and
 * close(), use it; the linker turns these calls into those of the skin (cobalt/wrappers.h).
 *
 * The programs of a session share the ports and labels of IDDP and BUFP: each of these programs can
 * send to a port that one of them has bound. If a program has named no session, it can also bind a
 * port or a label that another program has; that port is then the program's own. The ports of XDDP
 * are the program's own, and every program can use their files.
 *
 * bind() gives a socket a port, at which it receives; connect() sets the port to which it sends.
 * Port -1 has these meanings:
 *   bind()     chooses a free port
 *   connect()  looks for the socket that is bound with the label of this socket, and waits for it
 *              as long as SO_RCVTIMEO says. Without a label, the socket has no port to send to any
 *              more.
 *
 * A bound socket that was not connected sends to itself; an XDDP socket then sends to the reader of
 * its file. A message with MSG_OOB goes before the messages that are already there (not with BUFP).
 * A wait ends with ETIMEDOUT after the time of SO_RCVTIMEO or SO_SNDTIMEO (0: no limit).
 *
 * In addition to the errors that POSIX documents for these calls:
 *   EAFNOSUPPORT     socket(): type is not SOCK_DGRAM
 *   EPROTONOSUPPORT  socket(): no such protocol
 *   EINVAL           an address of another family or length, a port out of range, an unknown flag
 *                    or option, an option of the wrong length, a size of 0; BUFP: more bytes than
 *                    the buffer can ever hold
 *   EADDRINUSE       bind(): the socket is already bound, or the port is taken (-1: all ports are)
 *   EEXIST           bind(): another socket is bound with this label
 *   ENOBUFS          bind(): BUFP without BUFP_BUFSZ. XDDP: a message was longer than the memory
 *                    that was to receive it, and is lost
 *   ENOMEM           bind(): no memory. XDDP: no room for the message. Sending to another program,
 *                    and connect() by label to it: no memory or no descriptor, in one of the
 *                    programs
 *   EALREADY         setsockopt(): the socket is bound. The label of a bound IDDP or BUFP socket
 *                    can be set, for connect(); other sockets still find it by the label with which
 *                    it was bound
 *   EPERM            setsockopt(): XDDP_MONITOR, which is for drivers. socket(): the nucleus could
 *                    not be started in this program
 *   ENOPROTOOPT      setsockopt(), getsockopt(): the level of another protocol
 *   EDESTADDRREQ     send...(), write(): no address is given, and the socket has no port to send to
 *   ENOTCONN         shutdown()
 *   ECONNRESET       no socket is bound to the port; or the socket was closed, or its program
 *                    ended, meanwhile
 *   EMSGSIZE         IDDP: a datagram that the receiver's pool can never hold
 *   EAGAIN           receiving: the socket is not bound, or there is nothing to receive, with
 *                    MSG_DONTWAIT or O_NONBLOCK
 *   EOPNOTSUPP       listen(), accept()
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

/* 0 ... 31. The N of /dev/rtpN, for XDDP. */
typedef int16_t rtipc_port_t;

struct rtipc_port_label {
	char label[XNOBJECT_NAME_LEN];
};

struct sockaddr_ipc {
	sa_family_t sipc_family; /* AF_RTIPC */
	rtipc_port_t sipc_port;
};

/* Options. ..._LABEL: a struct rtipc_port_label. The others: a size_t. They are set before bind(),
 * except where the option says something else. */
#define SOL_XDDP     311
#define XDDP_LABEL   1 /* also the name of a link to the file, in /run/tactus/rtp */
#define XDDP_POOLSZ  2 /* bytes of memory for messages in each direction; in pages of 4 KiB */
#define XDDP_BUFSZ   3 /* bytes that MSG_MORE gathers, up to 16384; 0: none. Set at any time */
#define XDDP_MONITOR 4

/* Events that XDDP_MONITOR reports to drivers. */
#define XDDP_EVTIN    1
#define XDDP_EVTOUT   2
#define XDDP_EVTDOWN  3
#define XDDP_EVTNOBUF 4

#define SOL_IDDP    312
#define IDDP_LABEL  1
#define IDDP_POOLSZ 2

#define SOL_BUFP   313
#define BUFP_LABEL 1
#define BUFP_BUFSZ 2 /* bytes of the ring; must be set */

#endif
