/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects that programs of a session share. Each stays in the program that made it. What other
 * programs see of it (an object in shared memory, a port) names its owner. A service calls the
 * owner by cobalt_call() if it is another program. The owner's side of such a call is
 * cobalt_serve_*().
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

/* Join the session that TACTUS_SESSION names, or that of all programs of the user that name none.
 * 0, or -EPERM; the reason is printed once. */
int cobalt_join(void);
/* Has the program named a session? */
bool cobalt_session_is_named(void);

/* Set this program as the owner of an object; 0 or -EPERM. */
int cobalt_own(struct cobalt_owner *owner);
/* owner: receives the owner of an object, NULL for this program. 0, -EINVAL (no live process is the
 * owner), -EPERM (no session), -ENOMEM. */
int cobalt_owner(const struct cobalt_owner *where, struct session_owner **owner);

/* session_call() by a thread of this skin. A signal may end its wait, with -EINTR. */
int64_t cobalt_call(struct session_owner *owner, struct session_call *call);
/* The same for a service with numbers only. */
int cobalt_call_plain(struct session_owner *owner, enum cobalt_service service, uint64_t object,
		      uint64_t value);
/* An inquiry about an object: its structure, and the list of its waiters. */
int cobalt_call_inquire(struct session_owner *owner, enum cobalt_service service, uint64_t object,
			void *info, size_t info_bytes, pid_t *list, size_t list_bytes);
/* The owner's side of that; NULL: the answer does not fit. */
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
