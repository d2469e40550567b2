/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * epoll. Linux has each set with its members; one that has only descriptors that may be here, told
 * of as long as they are ready, is known here as well, and a task waits for it in primary mode as
 * by poll(). The members of any other set stay in Linux for good. Source: epoll(7), epoll_ctl(2),
 * epoll_wait(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/epoll.h>

#include "clock.h"
#include "files.h"
#include "masks.h"
#include "real.h"
#include "thread.h"

#define SETS    32
#define MEMBERS 32

struct member {
	struct posix_file *file; /* NULL: none */
	uint32_t turn;
	struct epoll_event event;
	_Atomic uint64_t told; /* the mark of a member that tells of edges, or 0 */
};

struct set {
	_Atomic(const struct posix_file *) file; /* whose it is, while that is a set */
	struct member members[MEMBERS];
	unsigned used;            /* of the members: none beyond was ever one */
	_Atomic uint32_t changes; /* odd: it is being changed */
	_Atomic uint32_t first;   /* who is told first, in turn */
};

static struct set sets[SETS];

static bool is_here(const struct posix_file *file)
{
	(void)file;
	return false;
}

static bool is_there(const struct member *member)
{
	return member->file && atomic_load(&member->file->turn) == member->turn;
}

static void each(struct posix_file *file, void (*what)(struct posix_file *member))
{
	struct set *set = &sets[file->place];

	for (unsigned i = 0; i < set->used; i++)
		if (is_there(&set->members[i]))
			what(set->members[i].file);
}

/* It is never here itself: a set of sets is Linux's. */
static bool bring(struct posix_file *file)
{
	(void)file;
	return false;
}

static const struct posix_file_kind kind = {.is_here = is_here, .bring = bring, .each = each};

static const struct posix_file nobody; /* whose a set is while it becomes another one's */

static bool belongs_to(const struct set *set, const struct posix_file *file)
{
	return posix_file_is(file, &kind) && &sets[file->place] == set;
}

/* Looked at again as nobody's: it may have become the same one's anew. */
static bool take_place(struct set *set, const struct posix_file *file)
{
	const struct posix_file *former = atomic_load(&set->file);

	if (former == &nobody || (former != file && belongs_to(set, former)) ||
	    !atomic_compare_exchange_strong(&set->file, &former, &nobody))
		return false;
	if (former == file || !belongs_to(set, former))
		return true;
	atomic_store(&set->file, former);
	return false;
}

static int made(int epoll)
{
	struct posix_file *file = epoll < 0 ? NULL : posix_file_begin(epoll, false);

	if (!file)
		return epoll;
	for (unsigned i = 0; i < SETS; i++) {
		if (!take_place(&sets[i], file))
			continue;
		while (sets[i].used)
			sets[i].members[--sets[i].used].file = NULL;
		file->place = i;
		atomic_store_explicit(&file->kind, &kind, memory_order_release);
		atomic_store_explicit(&sets[i].file, file, memory_order_release);
		break;
	}
	return epoll;
}

int epoll_create(int size)
{
	int epoll = posix_real.epoll_create(size);

	return posix_from_tactus(__builtin_return_address(0)) ? epoll : made(epoll);
}

int epoll_create1(int flags)
{
	int epoll = posix_real.epoll_create1(flags);

	return posix_from_tactus(__builtin_return_address(0)) ? epoll : made(epoll);
}

/* What is told once, or to one of several who wait, is Linux's to tell. */
static bool can_be_known(const struct posix_file *file, const struct epoll_event *event)
{
	const uint32_t usual = EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLPRI | EPOLLET;

	return (posix_file_is(file, &posix_timerfd) || posix_file_is(file, &posix_eventfd)) &&
	       !(event->events & ~usual);
}

static struct member *place_of(struct set *set, const struct posix_file *file)
{
	struct member *place = NULL;

	for (unsigned i = 0; i < MEMBERS; i++) {
		struct member *member = &set->members[i];

		if (is_there(member) && member->file == file)
			return member;
		if (!is_there(member) && !place)
			place = member;
	}
	return place;
}

/* With the lock. A member of two sets is Linux's. False: it cannot be known. */
static bool note(struct posix_file *epoll, int operation, struct posix_file *file,
		 const struct epoll_event *event)
{
	struct set *set = &sets[epoll->place];
	struct member *place = place_of(set, file);
	struct posix_file *none = NULL;

	if (!place)
		return false;
	if (operation == EPOLL_CTL_ADD && !atomic_compare_exchange_strong(&file->set, &none, epoll))
		return false;
	atomic_fetch_add(&set->changes, 1);
	if (set->used <= (unsigned)(place - set->members))
		set->used = (unsigned)(place - set->members) + 1;
	place->file = operation == EPOLL_CTL_DEL ? NULL : file;
	place->turn = atomic_load(&file->turn);
	atomic_store(&place->told, 0);
	if (operation != EPOLL_CTL_DEL)
		place->event = *event;
	else if (atomic_load(&file->set) == epoll)
		atomic_store(&file->set, NULL);
	atomic_fetch_add(&set->changes, 1);
	return true;
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	struct posix_file *set = posix_file_of(epoll), *file = posix_file_of(fd);
	bool known = false;
	int result;

	if (!posix_file_is(set, &kind)) {
		posix_file_share(fd);
		return posix_real.epoll_ctl(epoll, operation, fd, event);
	}
	/* Nothing of such a set's is known, nor of such a member. */
	if (!file && atomic_load(&set->gone))
		return posix_real.epoll_ctl(epoll, operation, fd, event);
	posix_files_lock();
	result = posix_real.epoll_ctl(epoll, operation, fd, event);
	if (!result && file)
		known = (operation == EPOLL_CTL_DEL || can_be_known(file, event)) &&
			note(set, operation, file, event);
	posix_files_unlock();
	if (result)
		return result;
	if (!known && operation != EPOLL_CTL_DEL) {
		posix_file_share(fd);
		posix_file_share(epoll);
	}
	if (file && !posix_file_may_be_here(file))
		posix_file_give_back(file);
	/* Who waits for the set looks what it is now. */
	posix_files_changed();
	return result;
}

/* The members as poll() would be asked for them. False: it changes just now, or has none. */
static bool ask(struct set *set, struct pollfd files[MEMBERS], epoll_data_t data[MEMBERS],
		nfds_t *count, struct posix_files_set *whole)
{
	const uint32_t first = atomic_fetch_add(&set->first, 1);

	whole->changes = &set->changes;
	whole->before = atomic_load(&set->changes);
	*count = 0;
	for (unsigned i = 0; i < MEMBERS; i++) {
		struct member *member = &set->members[(first + i) % MEMBERS];

		if (!is_there(member))
			continue;
		files[*count].fd = posix_file_fd(member->file);
		files[*count].events = (short)(member->event.events & (EPOLLIN | EPOLLOUT));
		whole->told[*count] = member->event.events & EPOLLET ? &member->told : NULL;
		data[(*count)++] = member->event.data;
	}
	return *count && !(whole->before & 1) && atomic_load(&set->changes) == whole->before;
}

/* An edge for which there was no room is told the next time. */
static int tell(const struct pollfd *files, const epoll_data_t *data, nfds_t count,
		const struct posix_files_set *whole, struct epoll_event *events, int most)
{
	int told = 0;

	for (nfds_t i = 0; i < count; i++) {
		if (!files[i].revents)
			continue;
		if (told < most)
			events[told++] = (struct epoll_event){(uint32_t)files[i].revents, data[i]};
		else if (whole->told[i])
			atomic_store(whole->told[i], 0);
	}
	return told;
}

/* By a task: POSIX_IN_LINUX if it is not served. */
static int wait_here(struct posix_file *file, struct epoll_event *events, int most,
		     tact_timeout_t timeout)
{
	struct posix_files_set whole;
	struct pollfd files[MEMBERS];
	epoll_data_t data[MEMBERS];
	nfds_t count;
	int result;

	if (most <= 0)
		return POSIX_IN_LINUX;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	do {
		if (!posix_file_is(file, &kind) || atomic_load(&file->never) ||
		    !ask(&sets[file->place], files, data, &count, &whole))
			return POSIX_IN_LINUX;
		result = posix_files_await_set(files, count, timeout, &whole);
	} while (result == POSIX_CHANGED);
	return result > 0 ? tell(files, data, count, &whole, events, most) : result;
}

/* A call as the program made it; by exactly one of Linux's two. */
struct wait {
	int epoll, most, timeout_ms;
	struct epoll_event *events;
	const sigset_t *mask;
	bool precise;                   /* epoll_pwait2() */
	const struct timespec *timeout; /* of that; NULL: for ever */
};

static int wait_in_linux(const struct wait *wait)
{
	if (wait->precise)
		return posix_real.epoll_pwait2(wait->epoll, wait->events, wait->most, wait->timeout,
					       wait->mask);
	return posix_real.epoll_pwait(wait->epoll, wait->events, wait->most, wait->timeout_ms,
				      wait->mask);
}

/* False: it is Linux's to refuse. */
static bool timeout_of(const struct wait *wait, tact_timeout_t *timeout)
{
	*timeout = TACT_FOREVER;
	if (!wait->precise && wait->timeout_ms >= 0)
		*timeout = tact_in(TACT_MS((uint64_t)wait->timeout_ms));
	if (!wait->precise || !wait->timeout)
		return true;
	if (!posix_time_is_valid(wait->timeout))
		return false;
	*timeout = tact_in(posix_ns(wait->timeout));
	return true;
}

static int wait_within(const struct wait *wait)
{
	struct posix_file *file = posix_file_to_tell(wait->epoll);
	tact_timeout_t timeout;
	int result;

	if (!file)
		return wait_in_linux(wait);
	if (posix_is_task() && !wait->mask && timeout_of(wait, &timeout)) {
		result = wait_here(file, wait->events, wait->most, timeout);
		if (result != POSIX_IN_LINUX)
			return result;
	}
	posix_file_enter(file);
	pthread_cleanup_push(posix_file_left, file);
	result = wait_in_linux(wait);
	pthread_cleanup_pop(1);
	return result;
}

static int wait_with_mask(const struct wait *wait)
{
	uint64_t admitted = posix_mask_admit(wait->mask);
	int result;

	if (!admitted)
		return wait_within(wait);
	pthread_cleanup_push(posix_mask_admitted, &admitted);
	result = wait_within(wait);
	pthread_cleanup_pop(1);
	return result;
}

int epoll_pwait(int epoll, struct epoll_event *events, int most, int timeout_ms,
		const sigset_t *mask)
{
	const struct wait wait = {
		.epoll = epoll,
		.events = events,
		.most = most,
		.timeout_ms = timeout_ms,
		.mask = mask,
	};

	return wait_with_mask(&wait);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
	return epoll_pwait(epoll, events, most, timeout_ms, NULL);
}

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *timeout,
		 const sigset_t *mask)
{
	const struct wait wait = {
		.epoll = epoll,
		.events = events,
		.most = most,
		.mask = mask,
		.precise = true,
		.timeout = timeout,
	};

	return posix_real.epoll_pwait2 ? wait_with_mask(&wait) : posix_fail(ENOSYS);
}
