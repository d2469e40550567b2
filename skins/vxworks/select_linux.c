/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread of Linux that waits for descriptors of Linux on behalf of tasks, and raises bits of
 * event flags. It is made with the first watch. Tasks come here in secondary mode, and are safe
 * from deletion while they have the lock; the lock gives its owner the priority of who waits for
 * it.
 */
#include "io.h"

#include <memPartLib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <tactus/safe.h>
#include <unistd.h>

#include "runtime/linux_thread.h"

struct vxworks_watch {
	struct vxworks_watch *next;
	tact_event_t event;
	uint64_t bits;
	bool told;
	uint32_t count;
	struct pollfd fds[];
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock;
static struct vxworks_watch *watches;
static int changed = -1; /* an eventfd; -1: there is no thread */

static void enter(void)
{
	(void)tact_task_safe();
	pthread_mutex_lock(&lock);
}

static void leave(void)
{
	pthread_mutex_unlock(&lock);
	(void)tact_task_unsafe();
}

/* Tell those that are ready, and free those whose task has ended, before the next wait. */
static void tell_ready(void)
{
	struct vxworks_watch **place = &watches;

	while (*place) {
		struct vxworks_watch *watch = *place;

		if (!watch->told && poll(watch->fds, watch->count, 0) > 0)
			watch->told = tact_event_set(watch->event, watch->bits) == 0;
		if (tact_event_inquire(watch->event, NULL)) {
			*place = watch->next;
			free(watch);
		} else {
			place = &watch->next;
		}
	}
}

/* What to wait for; NULL: there is no memory left. */
static struct pollfd *gather(uint32_t *count)
{
	struct pollfd *all;

	*count = 1;
	for (const struct vxworks_watch *watch = watches; watch; watch = watch->next)
		*count += watch->told ? 0 : watch->count;
	all = malloc(*count * sizeof(*all));
	if (!all)
		return NULL;
	all[0] = (struct pollfd){.fd = changed, .events = POLLIN};
	*count = 1;
	for (const struct vxworks_watch *watch = watches; watch; watch = watch->next)
		if (!watch->told) {
			memcpy(&all[*count], watch->fds, watch->count * sizeof(*all));
			*count += watch->count;
		}
	return all;
}

static void *serve(void *unused)
{
	(void)unused;
	for (;;) {
		struct pollfd *all;
		uint32_t count;
		uint64_t times;

		pthread_mutex_lock(&lock);
		tell_ready();
		all = gather(&count);
		pthread_mutex_unlock(&lock);
		if (!all) {
			(void)usleep(1000);
			continue;
		}
		if (poll(all, count, -1) > 0 && all[0].revents &&
		    read(changed, &times, sizeof(times)) < 0)
			return NULL;
		free(all);
	}
}

static void begin(void)
{
	pthread_mutexattr_t attr;
	pthread_t thread;
	int made;

	pthread_mutexattr_init(&attr);
	(void)pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &attr);
	pthread_mutexattr_destroy(&attr);
	made = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	changed = made;
	if (made >= 0 && runtime_linux_thread(&thread, serve, NULL)) {
		(void)close(made);
		changed = -1;
	}
}

static void look_again(void)
{
	const uint64_t once_more = 1;

	if (write(changed, &once_more, sizeof(once_more)) < 0)
		return; /* the thread looks already */
}

struct vxworks_watch *vxworks_watch(tact_event_t event, uint64_t bits, const struct pollfd *fds,
				    uint32_t count)
{
	struct vxworks_watch *made = malloc(sizeof(*made) + count * sizeof(*fds));

	pthread_once(&once, begin);
	if (!made || changed < 0) {
		free(made);
		return vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
	}
	*made = (struct vxworks_watch){.event = event, .bits = bits, .count = count};
	memcpy(made->fds, fds, count * sizeof(*fds));
	enter();
	made->next = watches;
	watches = made;
	look_again();
	leave();
	return made;
}

void vxworks_watch_again(struct vxworks_watch *watch)
{
	enter();
	watch->told = false;
	look_again();
	leave();
}

void vxworks_unwatch(struct vxworks_watch *watch)
{
	enter();
	for (struct vxworks_watch **place = &watches; *place; place = &(*place)->next)
		if (*place == watch) {
			*place = watch->next;
			free(watch);
			break;
		}
	leave();
}
