/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Real-time sockets (rtdm/ipc.h). Each bound socket owns an object of the nucleus, which holds
 * messages until the socket takes them. No thread waits in that object: a thread that finds no
 * message, or no room, waits for the socket to change, and looks again. Tasks wait in primary mode,
 * and Linux threads by a futex. Records are never freed, so that a later use of a closed socket is
 * recognised by the stale handle of its object.
 */
#ifndef COBALT_RTIPC_H
#define COBALT_RTIPC_H

#include "cobalt_internal.h"

#include <cobalt/fcntl.h>
#include <cobalt/sys/select.h>
#include <cobalt/sys/socket.h>
#include <cobalt/unistd.h>
#include <rtdm/ipc.h>
#include <sys/uio.h>

#include "pipe_device.h"

#define RTIPC_PORTS     PIPE_MINORS
#define RTIPC_PROTOCOLS 3

/* The number of changes, and of the Linux threads that wait for the next one. */
struct rtipc_changes {
	_Atomic uint32_t count;
	_Atomic uint32_t sleepers;
};

enum rtipc_state {
	RTIPC_CLOSED,
	RTIPC_OPEN,
	RTIPC_BOUND,
};

struct rtipc_socket {
	const struct rtipc_protocol *protocol;
	_Atomic uint32_t state;    /* enum rtipc_state */
	_Atomic uint32_t closings; /* how often it was closed: a waiter ignores later sockets */
	_Atomic bool nonblocking;
	_Atomic int name; /* ports, or -1 */
	_Atomic int peer;
	_Atomic uint64_t receive_ns; /* how long a receive waits; 0: for ever */
	_Atomic uint64_t send_ns;
	size_t bytes;                  /* of its memory, when bound */
	bool announced;                /* in the session */
	char label[XNOBJECT_NAME_LEN]; /* the last one that was set, to bind or to connect */
	char bound[XNOBJECT_NAME_LEN]; /* the label under which it is bound */
	struct rtipc_changes changes;
	_Atomic uint32_t senders; /* how many wait for room in it */
	union {
		tact_zqueue_t exchange;
		tact_buffer_t buffer;
		struct pipe_ends ends;
	};
	/* XDDP: the limit of what MSG_MORE gathers. */
	_Atomic size_t gather_bytes;
	_Atomic uint32_t gathering; /* its place in the queue is marked: see pipe_ends.h */
	_Atomic int gatherer; /* the port that sent the data; RTIPC_GATHERED: no more is added */
};
#define RTIPC_GATHERED (-2)

/* A message to be sent or received. */
struct rtipc_message {
	const struct iovec *parts;
	size_t count;
	size_t bytes;
	int flags;
	int from; /* port of the sender */
};

/* The functions return 0 or a number of bytes, or a negative error number; -EAGAIN: not now. */
struct rtipc_protocol {
	int level;         /* of its options */
	const char *name;  /* of its ports in the session; NULL: its ports are not shared */
	int send_flags;    /* the flags that it accepts */
	bool sends_wait;   /* for room */
	size_t pool_bytes; /* the default; 0: there is none */
	/* Called at binding and closing, under the lock of Linux. */
	int (*open)(struct rtipc_socket *socket, int port);
	void (*close)(struct rtipc_socket *socket, int port);
	ssize_t (*take)(struct rtipc_socket *socket, struct rtipc_message *message);
	ssize_t (*put)(struct rtipc_socket *target, const struct rtipc_message *message);
	bool (*readable)(const struct rtipc_socket *socket);
	bool (*writable)(const struct rtipc_socket *target);
};
extern const struct rtipc_protocol rtipc_xddp;
extern const struct rtipc_protocol rtipc_iddp;
extern const struct rtipc_protocol rtipc_bufp;

/* A result of the nucleus about a socket's object. */
static inline int rtipc_result(int result)
{
	return result == -TACT_EIDRM || result == -TACT_EBADF ? -ECONNRESET : result;
}

/* descriptors.c: the open socket behind a descriptor, or NULL. Cost: O(1). */
struct rtipc_socket *rtipc_of(int fd);
/* Are there any real-time sockets? */
bool rtipc_used(void);

/* ports.c */
int rtipc_bind(struct rtipc_socket *socket, int port);
int rtipc_connect(struct rtipc_socket *socket, int port);
void rtipc_unbind(struct rtipc_socket *socket);
/* The socket that is bound to the port, or NULL. */
struct rtipc_socket *rtipc_at(const struct rtipc_protocol *protocol, int port);

static inline int rtipc_number(const struct rtipc_protocol *protocol)
{
	return protocol->level - SOL_XDDP;
}

/*
 * remote.c: ports of other programs of the session.
 */
/* Make a socket's port and label known before it is bound, and withdraw them. 0 (also if there is
 * no session), -EADDRINUSE, -EEXIST (the label is taken), -ENOMEM. */
int rtipc_announce(const struct rtipc_socket *socket, int port);
void rtipc_withdraw(const struct rtipc_socket *socket, int port);
/* The port that is bound with this label; -ENOENT, -ENOMEM (no descriptor to ask for it). */
int rtipc_labelled_remote(const struct rtipc_protocol *protocol, const char *label);
/* From here on a change of the session's names also changes rtipc_any. */
bool rtipc_hears(const struct rtipc_protocol *protocol);
/* As rtipc_put(); -ECONNRESET: no socket is bound to the port. */
ssize_t rtipc_send_remote(const struct rtipc_protocol *protocol, int port,
			  const struct rtipc_message *message, tact_timeout_t until);
/* Would a send not wait? */
bool rtipc_writable_remote(const struct rtipc_protocol *protocol, int port);

/* transfer.c: as recvmsg() and sendmsg(), except that errors are returned as negative numbers. */
ssize_t rtipc_receive(struct rtipc_socket *socket, struct msghdr *header, int flags);
ssize_t rtipc_send(struct rtipc_socket *socket, const struct msghdr *header, int flags);
/* Put a message into a socket. This waits for room until then, unless the message's flags forbid
 * it. */
ssize_t rtipc_put(struct rtipc_socket *target, const struct rtipc_message *message,
		  tact_timeout_t until);

/* change.c. Something has changed in the socket: all waiters look again. */
void rtipc_changed(struct rtipc_socket *socket);
/* The same, for no socket in particular. */
void rtipc_changed_somewhere(void);
/* The changes of any socket. */
extern struct rtipc_changes rtipc_any;
static inline uint32_t rtipc_seen(struct rtipc_changes *changes)
{
	return atomic_load(&changes->count);
}
/* Wait for a change since `seen` was read: 0, -ETIMEDOUT, -EINTR. A cancellation point. */
int rtipc_await(struct rtipc_changes *changes, uint32_t seen, tact_timeout_t until);
/* The instant at which a wait of that many ns ends; 0: never. */
tact_timeout_t rtipc_until(uint64_t ns);
/* A descriptor of Linux that is readable after a change, for a thread that also waits for other
 * descriptors. NULL: select() could not take it, or there is no memory. To be given back. */
struct rtipc_watch {
	int fd;
	_Atomic bool used;
	struct rtipc_watch *next;
};
struct rtipc_watch *rtipc_watch(void);
void rtipc_unwatch(struct rtipc_watch *watch);
/* In a fork's child: they report changes of the parent's sockets. */
void rtipc_watches_forget(void);

/* The names that the C library's headers use for large files, or with -D_FORTIFY_SOURCE. */
int __wrap_fcntl64(int fd, int command, ...);
int __wrap___open_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags);
ssize_t __wrap___read_chk(int fd, void *buffer, size_t bytes, size_t room);
ssize_t __wrap___recv_chk(int fd, void *buffer, size_t bytes, size_t room, int flags);
ssize_t __wrap___recvfrom_chk(int fd, void *buffer, size_t bytes, size_t room, int flags,
			      struct sockaddr *address, socklen_t *length);

/* transfer.c: messages in the pieces in which programs pass them. */
size_t rtipc_gather(void *to, const struct rtipc_message *message);
void rtipc_scatter(const struct rtipc_message *message, const void *from, size_t bytes);

#endif
