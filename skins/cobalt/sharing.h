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
	COBALT_AWAY_EVENT = 0x100,
	AWAY_EVENT_POST,
	AWAY_EVENT_WAIT,
	AWAY_EVENT_READ,
	AWAY_EVENT_CLEAR,
	AWAY_EVENT_INQUIRE,
	AWAY_EVENT_DESTROY,
	COBALT_AWAY_SEM = 0x200,
	AWAY_SEM_POST,
	AWAY_SEM_WAIT,
	AWAY_SEM_BROADCAST,
	AWAY_SEM_INQUIRE,
	AWAY_SEM_DESTROY,
	COBALT_AWAY_MONITOR = 0x300,
	AWAY_MONITOR_ENTER,
	AWAY_MONITOR_EXIT,
	AWAY_MONITOR_WAIT,
	AWAY_MONITOR_SYNC,
	AWAY_MONITOR_DESTROY,
	COBALT_AWAY_SOCKET = 0x400,
	AWAY_SOCKET_SEND,
	AWAY_SOCKET_WRITABLE,
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
/* rtipc/away.c */
int64_t cobalt_serve_socket(struct session_call *call);

#endif
