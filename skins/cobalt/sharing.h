/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects that programs of a session share. Each stays with the program that made it; what the
 * others see (a shadow in shared memory, a port) says which one that is, and a service that finds
 * it is another asks there, by cobalt_call(). The owner's side of it is cobalt_serve_*().
 */
#ifndef COBALT_SHARING_H
#define COBALT_SHARING_H

#include "cobalt_internal.h"
#include "session.h"

enum cobalt_service {
	COBALT_REMOTE_EVENT = 0x100,
	REMOTE_EVENT_POST,
	REMOTE_EVENT_WAIT,
	REMOTE_EVENT_READ,
	REMOTE_EVENT_CLEAR,
	REMOTE_EVENT_INQUIRE,
	REMOTE_EVENT_DESTROY,
	COBALT_REMOTE_SEM = 0x200,
	REMOTE_SEM_POST,
	REMOTE_SEM_WAIT,
	REMOTE_SEM_BROADCAST,
	REMOTE_SEM_INQUIRE,
	REMOTE_SEM_DESTROY,
	COBALT_REMOTE_MONITOR = 0x300,
	REMOTE_MONITOR_ENTER,
	REMOTE_MONITOR_EXIT,
	REMOTE_MONITOR_WAIT,
	REMOTE_MONITOR_SYNC,
	REMOTE_MONITOR_DESTROY,
	COBALT_REMOTE_SOCKET = 0x400,
	REMOTE_SOCKET_SEND,
	REMOTE_SOCKET_WRITABLE,
};

/* Be of the session: the one that TACTUS_SESSION names, or that of all the user's programs that
 * name none. 0, or -EPERM; why is printed once. */
int cobalt_join(void);
/* Has it been asked for by name? */
bool cobalt_session_is_named(void);

/* Write down that the object is this program's; 0 or -EPERM. */
int cobalt_own(struct cobalt_owner *owner);
/* Whose an object is: owner receives NULL for this program. 0, -EINVAL (nobody's who lives), -EPERM
 * (no session). */
int cobalt_owner(const struct cobalt_owner *where, struct session_owner **owner);

/* session_call(), of a thread of this skin: signals may end it where it waits, with -EINTR. */
int64_t cobalt_call(struct session_owner *owner, struct session_call *call);
/* The same for what its numbers say. */
int cobalt_call_plain(struct session_owner *owner, enum cobalt_service service, uint64_t object,
		      uint64_t value);
/* Waiters of an object: what an inquiry says by its structure, and by its list. */
int cobalt_call_inquire(struct session_owner *owner, enum cobalt_service service, uint64_t object,
			void *info, size_t info_bytes, pid_t *list, size_t list_bytes);
/* The owner's side of that: NULL where it does not fit. */
struct cobalt_inquiry {
	void *info;
	pid_t *list;
	size_t list_bytes;
};
struct cobalt_inquiry cobalt_served_inquiry(const struct session_call *call, size_t info_bytes);

int64_t cobalt_serve_event(struct session_call *call);
int64_t cobalt_serve_sem(struct session_call *call);
int64_t cobalt_serve_monitor(struct session_call *call);
/* rtipc/remote.c */
int64_t cobalt_serve_socket(struct session_call *call);

#endif
