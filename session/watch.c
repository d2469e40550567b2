/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Joining, leaving, and hearing of names. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <tactus/skin.h>

#include "internal.h"

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t hearing = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool hears;

bool session_joined(enum session_skin_id skin)
{
	return atomic_load_explicit(&session_self.joined, memory_order_acquire) &&
	       session_skin_of(skin);
}

static int join_first(const char *label, char *reason)
{
	int error = session_dir(label, reason);

	if (!error) {
		session_sweep();
		error = session_node_start();
	}
	if (error && !reason[0])
		snprintf(reason, SESSION_REASON_BYTES, "the session cannot be joined: %s",
			 strerror(-error));
	if (!error)
		snprintf(session_self.label, sizeof(session_self.label), "%s", label ? label : "");
	return error;
}

static int join_again(const char *label, char *reason)
{
	if (strcmp(label ? label : "", session_self.label) == 0)
		return 0;
	snprintf(reason, SESSION_REASON_BYTES,
		 "the program is already in the session '%.80s': give both interfaces this one",
		 session_self.label);
	return -EBUSY;
}

int session_join(const char *label, const struct session_skin *skin, char *reason)
{
	int error;

	reason[0] = '\0';
	pthread_mutex_lock(&joining);
	/* Before other processes can call. */
	if (!session_self.joined)
		atomic_store(&session_self.skins[skin->id], skin);
	error = session_self.joined ? join_again(label, reason) : join_first(label, reason);
	if (!error) {
		atomic_store(&session_self.skins[skin->id], skin);
		atomic_store_explicit(&session_self.joined, true, memory_order_release);
	} else if (!session_self.joined) {
		atomic_store(&session_self.skins[skin->id], NULL);
	}
	pthread_mutex_unlock(&joining);
	return error;
}

/* A name of this process is reported by the skin, as soon as its object exists. */
static bool may_be_found(const struct inotify_event *event)
{
	char path[sizeof(session_self.folder) + NAME_MAX + 2];
	struct session_target target;

	if (event->mask & IN_Q_OVERFLOW)
		return true;
	if (!(event->mask & IN_CREATE) || event->name[0] == '.')
		return false;
	snprintf(path, sizeof(path), "%s/%s", session_self.folder, event->name);
	return !session_name_target(AT_FDCWD, path, &target) &&
	       strcmp(target.node, session_self.node) != 0;
}

void session_names_read(int changes)
{
	_Alignas(struct inotify_event) char events[4096];
	const struct inotify_event *event;
	bool found = false;
	ssize_t bytes;

	while ((bytes = read(changes, events, sizeof(events))) > 0)
		for (const char *at = events; at < events + bytes;
		     at += sizeof(*event) + event->len) {
			event = (const struct inotify_event *)at;
			found |= may_be_found(event);
		}
	for (uint32_t i = 0; i < SESSION_SKINS; i++) {
		const struct session_skin *skin = session_skin_of(i);

		if (skin && skin->changed)
			skin->changed();
	}
	if (found)
		session_notify_watchers();
}

int session_hear(void)
{
	int error = 0;

	if (atomic_load(&hears) || !atomic_load(&session_self.joined))
		return 0;
	pthread_mutex_lock(&hearing);
	if (!atomic_load(&hears))
		error = session_node_hear();
	if (!error)
		atomic_store(&hears, true);
	pthread_mutex_unlock(&hearing);
	return error;
}

/* A fork's child is not a process of the session, and the files belong to its parent. */
static void forget(void)
{
	if (!atomic_load(&session_self.joined))
		return;
	atomic_store(&session_self.joined, false);
	for (uint32_t i = 0; i < SESSION_SKINS; i++)
		atomic_store(&session_self.skins[i], NULL);
	session_node_forget();
	session_callers_forget();
	session_vectors_forget();
	atomic_store(&hears, false);
	pthread_mutex_init(&joining, NULL);
	pthread_mutex_init(&hearing, NULL);
}

__attribute__((constructor)) static void load(void)
{
	(void)pthread_atfork(NULL, NULL, forget);
}

/* At the end of the program, before the nucleus ends. */
__attribute__((destructor)) static void leave(void)
{
	if (!atomic_load(&session_self.joined) || tact_exits_as_killed())
		return;
	atomic_store(&session_self.joined, false);
	session_node_end();
}
