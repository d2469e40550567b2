/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The session, which is joined for the first shared object, and calls of other programs in it. */
#include "sharing.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rtipc/rtipc.h"

static const char *label(void)
{
	const char *text = getenv("TACTUS_SESSION");

	return text && *text ? text : NULL;
}

bool cobalt_session_is_named(void)
{
	return label();
}

static int64_t serve(struct session_call *call)
{
	switch (call->service & ~0xffu) {
	case COBALT_REMOTE_EVENT:
		return cobalt_serve_event(call);
	case COBALT_REMOTE_SEM:
		return cobalt_serve_sem(call);
	case COBALT_REMOTE_MONITOR:
		return cobalt_serve_monitor(call);
	case COBALT_REMOTE_SOCKET:
		return cobalt_serve_socket(call);
	default:
		return -EINVAL;
	}
}

static uint32_t priority_of_thread(void)
{
	return posix_policy_is_real_time(posix_me.policy) ? posix_level(posix_priority(&posix_me))
							  : TACT_PRIORITY_MIN;
}

int cobalt_join(void)
{
	static const struct session_skin skin = {
		.id = SESSION_COBALT,
		.serve = serve,
		.changed = rtipc_changed_somewhere,
		.priority = priority_of_thread,
	};
	static _Atomic bool refused;
	char reason[SESSION_REASON_BYTES];
	char text[SESSION_REASON_BYTES + 64];
	sigset_t all;
	sigset_t before;
	int cancel;
	int error;

	if (session_joined(SESSION_COBALT))
		return 0;
	if (atomic_load(&refused))
		return -EPERM;
	/* A signal's handler may also want to join, so signals are blocked. */
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = session_join(label(), &skin, reason);
	(void)pthread_setcancelstate(cancel, NULL);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error)
		return 0;
	if (!atomic_exchange(&refused, true)) {
		snprintf(text, sizeof(text), "shares no objects with other programs: %s", reason);
		posix_say(text);
	}
	return -EPERM;
}

int cobalt_own(struct cobalt_owner *owner)
{
	struct session_process self;
	int error = cobalt_join();

	if (error)
		return error;
	self = session_process();
	*owner = (struct cobalt_owner){self.peer, self.pid};
	return 0;
}

int cobalt_owner(const struct cobalt_owner *where, struct session_owner **owner)
{
	const struct session_process process = {where->process, where->pid};
	int error = cobalt_join();
	int cancel;

	if (error)
		return error;
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	error = session_find_process(&process, owner);
	(void)pthread_setcancelstate(cancel, NULL);
	return error == -ENOMEM || !error ? error : -EINVAL;
}

int64_t cobalt_call(struct session_owner *owner, struct session_call *call)
{
	int before = errno;
	int64_t result;

	call->skin = SESSION_COBALT;
	result = session_call(owner, call);
	errno = before;
	return result;
}

int cobalt_call_plain(struct session_owner *owner, enum cobalt_service service, uint64_t object,
		      uint64_t value)
{
	struct session_call call = {
		.service = service, .object = object, .timeout = TACT_NOWAIT, .value = {value}};
	int result = (int)cobalt_call(owner, &call);

	return result == -EIDRM ? -EINVAL : result;
}

int cobalt_call_inquire(struct session_owner *owner, enum cobalt_service service, uint64_t object,
			void *info, size_t info_bytes, pid_t *list, size_t list_bytes)
{
	struct session_call call = {.service = service, .object = object, .timeout = TACT_NOWAIT};
	unsigned char *answer;
	int result = -ENOMEM;

	list_bytes = list ? list_bytes / sizeof(*list) * sizeof(*list) : 0;
	call.room_bytes = info_bytes + list_bytes;
	answer = malloc(call.room_bytes);
	if (!answer)
		return -ENOMEM;
	call.room = answer;
	result = (int)cobalt_call(owner, &call);
	if (result >= 0 && info)
		memcpy(info, answer, info_bytes);
	if (result > 0)
		memcpy(list, answer + info_bytes, (size_t)result * sizeof(*list));
	free(answer);
	return result == -EIDRM ? -EINVAL : result;
}

struct cobalt_inquiry cobalt_served_inquiry(const struct session_call *call, size_t info_bytes)
{
	struct cobalt_inquiry inquiry = {NULL, NULL, 0};

	if (call->room_bytes < info_bytes)
		return inquiry;
	inquiry.info = call->room;
	inquiry.list = (pid_t *)(void *)((unsigned char *)call->room + info_bytes);
	inquiry.list_bytes = call->room_bytes - info_bytes;
	return inquiry;
}
