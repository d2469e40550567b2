/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Joining, leaving, and who waits for names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define ROOM_STEP 64

static pthread_mutex_t joining = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t watching = PTHREAD_MUTEX_INITIALIZER;
static tact_sem_t *watcher; /* 0: free */
static size_t room;
static bool hears;

bool session_joined(void)
{
	return atomic_load_explicit(&session_self.joined, memory_order_acquire);
}

int session_join(const char *label, const struct session_skin *skin, char *reason)
{
	int error = 0;

	reason[0] = '\0';
	pthread_mutex_lock(&joining);
	if (!session_joined()) {
		session_self.skin = skin;
		error = session_place(label, reason);
		if (!error) {
			session_sweep();
			error = session_node_start();
		}
		if (!error)
			atomic_store_explicit(&session_self.joined, true, memory_order_release);
		else if (!reason[0])
			snprintf(reason, SESSION_REASON_BYTES, "the session cannot be joined: %s",
				 strerror(-error));
	}
	pthread_mutex_unlock(&joining);
	return error;
}

void session_tell_watchers(void)
{
	if (session_self.skin->changed)
		session_self.skin->changed();
	pthread_mutex_lock(&watching);
	for (size_t i = 0; i < room; i++)
		if (watcher[i])
			(void)tact_sem_post(watcher[i]);
	pthread_mutex_unlock(&watching);
}

/* Where there is none, a step more: as many tasks may wait as there are. */
static tact_sem_t *free_place(void)
{
	tact_sem_t *larger;

	for (size_t i = 0; i < room; i++)
		if (!watcher[i])
			return &watcher[i];
	larger = realloc(watcher, (room + ROOM_STEP) * sizeof(*watcher));
	if (!larger)
		return NULL;
	memset(larger + room, 0, ROOM_STEP * sizeof(*watcher));
	watcher = larger;
	room += ROOM_STEP;
	return &watcher[room - ROOM_STEP];
}

static int hear_locked(void)
{
	int error = hears ? 0 : session_node_hear();

	hears = !error;
	return error;
}

int session_hear(void)
{
	int error;

	pthread_mutex_lock(&watching);
	error = hear_locked();
	pthread_mutex_unlock(&watching);
	return error;
}

int session_watch(tact_sem_t changed)
{
	tact_sem_t *place;
	int error = -ENOMEM;

	pthread_mutex_lock(&watching);
	place = free_place();
	if (place)
		error = hear_locked();
	if (!error)
		*place = changed;
	pthread_mutex_unlock(&watching);
	return error;
}

void session_unwatch(tact_sem_t changed)
{
	pthread_mutex_lock(&watching);
	for (size_t i = 0; i < room; i++)
		if (watcher[i] == changed)
			watcher[i] = 0;
	pthread_mutex_unlock(&watching);
}

/* A fork's child is no process of the session, and its files are its parent's. */
static void forget(void)
{
	if (!session_joined())
		return;
	atomic_store(&session_self.joined, false);
	session_node_forget();
	session_callers_forget();
	watcher = NULL; /* may be half-way to another place */
	room = 0;
	hears = false;
	pthread_mutex_init(&joining, NULL);
	pthread_mutex_init(&watching, NULL);
}

__attribute__((constructor)) static void load(void)
{
	(void)pthread_atfork(NULL, NULL, forget);
}

/* At the end of the program, and before the nucleus's. */
__attribute__((destructor)) static void leave(void)
{
	if (!session_joined())
		return;
	atomic_store(&session_self.joined, false);
	session_node_end();
}
