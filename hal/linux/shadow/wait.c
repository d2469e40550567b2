/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What shadows wait with: an eventfd for messages, and an epoll set that holds it and a signalfd. A
 * signalfd reports to each thread that reads it the signals of that thread. So shadows whose tasks
 * let in the same signals share one. It is never changed, because Linux then wakes all threads that
 * watch any signalfd of the program. A later shadow gets the descriptors of an ended one, as long
 * as the program hardly misses them.
 */
#define _GNU_SOURCE

#include "shadow/wait.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "arch/self.h"
#include "base/error.h"
#include "call.h"
#include "high_fd.h"
#include "shadow/lock.h"
#include "shadow/record.h"

#define SIGNALS_MAX 1024u /* different masks at one time; with more of them, shadows look */
#define BUSY        UINT32_MAX
#define KEPT_MAX    64u
#define KEPT_PART   64u /* 1/64 of the program's limit of descriptors */

/* A free place keeps its signalfd for the next one with this mask, until another mask needs it. */
struct shadow_signals {
	_Atomic uint64_t mask;
	_Atomic uint32_t users; /* BUSY: it is being made */
	int fd;                 /* below 0: never made */
};

static struct shadow_signals signals_known[SIGNALS_MAX];
static _Atomic uint32_t signals_count; /* places that were ever made */

struct kept {
	int event_fd, epoll_fd;
	struct shadow_signals *signals; /* in the set, armed; or NULL */
};

/* What follows is under shadow_lock(), which threads that end take anyway. */
static struct kept kept[KEPT_MAX];
static _Atomic uint32_t kept_count;

/* key: tells the events of this file from others. */
static int control(int epoll_fd, int operation, int fd, uint32_t events, const void *key)
{
	struct epoll_event event = {.events = events, .data.ptr = (void *)(uintptr_t)key};

	return (int)hal_arch_syscall(SYS_epoll_ctl, epoll_fd, operation, fd, (long)&event, 0, 0);
}

int hal_shadow_watch(struct hal_shadow *shadow, int fd, void *key)
{
	shadow->wait.watches_files = true;
	return control(shadow->wait.epoll_fd, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLET, key);
}

void hal_shadow_unwatch(struct hal_shadow *shadow, int fd)
{
	(void)control(shadow->wait.epoll_fd, EPOLL_CTL_DEL, fd, 0, NULL);
}

static int control_signals(struct hal_shadow *shadow, int operation)
{
	return control(shadow->wait.epoll_fd, operation, shadow->wait.signals->fd,
		       EPOLLIN | EPOLLONESHOT, &shadow_signals_key);
}

const char shadow_message_key, shadow_signals_key;

void shadow_signals_watch_again(struct hal_shadow *shadow)
{
	(void)control_signals(shadow, EPOLL_CTL_MOD);
}

bool shadow_signals_watch(struct hal_shadow *shadow, bool watches)
{
	watches = watches && shadow->wait.signals;
	if (watches == shadow->wait.watches)
		return watches;
	if (!watches)
		(void)control_signals(shadow, EPOLL_CTL_DEL);
	else if (control_signals(shadow, EPOLL_CTL_ADD))
		return false;
	shadow->wait.watches = watches;
	return watches;
}

/* Does the place have this mask, and may the caller use it from here on? */
static bool use(struct shadow_signals *place, uint64_t mask)
{
	uint32_t users = atomic_load(&place->users);

	do
		if (users == BUSY || atomic_load(&place->mask) != mask)
			return false;
	while (!atomic_compare_exchange_weak(&place->users, &users, users + 1));
	/* The place may have been free, and used for another mask for a while. */
	if (atomic_load(&place->mask) == mask && place->fd >= 0)
		return true;
	atomic_fetch_sub(&place->users, 1);
	return false;
}

static struct shadow_signals *find(uint64_t mask)
{
	const uint32_t count = atomic_load(&signals_count);

	for (uint32_t i = 0; i < count; i++)
		if (use(&signals_known[i], mask))
			return &signals_known[i];
	return NULL;
}

/* A free place, which no other thread may use from then on, or NULL. Caller holds the lock. */
static struct shadow_signals *place_get(void)
{
	const uint32_t count = atomic_load(&signals_count);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t nobody = 0;

		if (atomic_compare_exchange_strong(&signals_known[i].users, &nobody, BUSY))
			return &signals_known[i];
	}
	if (count == SIGNALS_MAX)
		return NULL;
	signals_known[count].fd = -1;
	atomic_store(&signals_known[count].users, BUSY);
	atomic_store(&signals_count, count + 1);
	return &signals_known[count];
}

static void place_close(struct shadow_signals *place)
{
	if (place->fd >= 0)
		linux_close(place->fd);
	place->fd = -1;
}

/* Caller holds the lock. */
static struct shadow_signals *make(uint64_t mask)
{
	struct shadow_signals *place = place_get();

	if (!place)
		return NULL;
	place_close(place);
	place->fd = linux_high_fd((int)hal_arch_syscall(SYS_signalfd4, -1, (long)&mask, 8,
							O_CLOEXEC | O_NONBLOCK, 0, 0));
	atomic_store(&place->mask, mask);
	atomic_store(&place->users, place->fd >= 0);
	return place->fd >= 0 ? place : NULL;
}

static struct shadow_signals *signals_get(uint64_t mask)
{
	struct shadow_signals *place = find(mask);

	if (place)
		return place;
	shadow_lock();
	/* Another thread may have made it meanwhile. */
	place = find(mask);
	if (!place)
		place = make(mask);
	shadow_unlock();
	return place;
}

static void signals_put(struct hal_shadow *shadow)
{
	(void)shadow_signals_watch(shadow, false);
	if (shadow->wait.signals)
		atomic_fetch_sub(&shadow->wait.signals->users, 1);
	shadow->wait.signals = NULL;
}

/* A signal that the task itself blocks is no reason to bring it here. */
void shadow_signals_choose(struct hal_shadow *shadow)
{
	const uint64_t wanted = ~shadow->mask & SHADOW_PARKED_MASK;

	if (shadow->wait.signals && wanted == shadow->wait.watched)
		return;
	signals_put(shadow);
	shadow->wait.watched = wanted;
	shadow->wait.signals = signals_get(wanted);
}

static bool take_kept(struct hal_shadow *shadow)
{
	struct kept one = {.event_fd = -1};

	if (!atomic_load_explicit(&kept_count, memory_order_relaxed))
		return false;
	shadow_lock();
	if (kept_count)
		one = kept[--kept_count];
	shadow_unlock();
	if (one.event_fd < 0)
		return false;
	shadow->wait.event_fd = one.event_fd;
	shadow->wait.epoll_fd = one.epoll_fd;
	shadow->wait.signals = one.signals;
	shadow->wait.watches = one.signals != NULL;
	if (one.signals)
		shadow->wait.watched = atomic_load(&one.signals->mask);
	return true;
}

static void close_both(int event_fd, int epoll_fd)
{
	if (epoll_fd >= 0)
		linux_close(epoll_fd);
	if (event_fd >= 0)
		linux_close(event_fd);
}

int shadow_wait_open(struct hal_shadow *shadow)
{
	if (take_kept(shadow))
		return 0;
	shadow->wait.event_fd = linux_high_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	shadow->wait.epoll_fd =
		shadow->wait.event_fd < 0 ? -1 : linux_high_fd(epoll_create1(EPOLL_CLOEXEC));
	if (shadow->wait.epoll_fd >= 0 &&
	    !control(shadow->wait.epoll_fd, EPOLL_CTL_ADD, shadow->wait.event_fd, EPOLLIN | EPOLLET,
		     &shadow_message_key))
		return 0;
	close_both(shadow->wait.event_fd, shadow->wait.epoll_fd);
	shadow->wait.event_fd = shadow->wait.epoll_fd = -1;
	return -TACT_ENOMEM;
}

static uint32_t kept_most(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	return limit.rlim_cur / KEPT_PART < KEPT_MAX ? (uint32_t)(limit.rlim_cur / KEPT_PART)
						     : KEPT_MAX;
}

/* Keep the descriptors for a later shadow, without a message that is left in them. Not if the task
 * watched files, which may still be in the set. */
static bool keep(struct hal_shadow *shadow)
{
	const uint32_t most = kept_most();
	uint64_t messages;
	bool is_kept;

	if (shadow->wait.epoll_fd < 0 || shadow->wait.watches_files ||
	    atomic_load_explicit(&kept_count, memory_order_relaxed) >= most)
		return false;
	/* A signalfd that has reported is not armed. */
	if (shadow->park.notified || !shadow->wait.watches)
		signals_put(shadow);
	(void)call_read(shadow->wait.event_fd, &messages, sizeof(messages));
	shadow_lock();
	is_kept = kept_count < most;
	if (is_kept)
		kept[kept_count++] = (struct kept){.event_fd = shadow->wait.event_fd,
						   .epoll_fd = shadow->wait.epoll_fd,
						   .signals = shadow->wait.signals};
	shadow_unlock();
	return is_kept;
}

/* Closing the set removes what is in it. */
void shadow_wait_close(struct hal_shadow *shadow)
{
	if (keep(shadow))
		return;
	shadow->wait.watches = false;
	signals_put(shadow);
	close_both(shadow->wait.event_fd, shadow->wait.epoll_fd);
}

void shadow_waits_drop(void)
{
	shadow_lock();
	while (kept_count) {
		const struct kept *one = &kept[--kept_count];

		close_both(one->event_fd, one->epoll_fd);
		if (one->signals)
			atomic_fetch_sub(&one->signals->users, 1);
	}
	for (uint32_t i = 0; i < atomic_load(&signals_count); i++) {
		uint32_t nobody = 0;

		if (!atomic_compare_exchange_strong(&signals_known[i].users, &nobody, BUSY))
			continue;
		place_close(&signals_known[i]);
		atomic_store(&signals_known[i].users, 0);
	}
	shadow_unlock();
}
