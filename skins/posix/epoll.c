/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of epoll. Linux has each with its members; one that has only descriptors that may be here,
 * told of as long as they are ready, is known here as well. The members of any other set stay in
 * Linux for good. Source: epoll(7), epoll_ctl(2).
 */
#define _GNU_SOURCE
#include "epoll.h"

#include <errno.h>
#include <pthread.h>

#include "clock.h"
#include "layout.h"
#include "real.h"
#include "thread.h"

#define SETS        32
#define PATIENCE_NS 100000000u

static struct posix_epoll sets[SETS];

/*
 * So that members are noted in the order in which Linux was told of them. Not the lock of files,
 * whose holder no handler may interrupt, which costs two calls of Linux: this one tells a handler
 * that would wait for its own thread (EDEADLK), and is given up by who waits in vain, for one that
 * a handler jumped out of.
 *
 * With inheritance its word names who has it: one that has it not quite yet is told, too. Made
 * without a call, for a sanitizer's runtime inside the program, which stands before the C library,
 * may not be ready as this is loaded.
 */
#define CHANGING                                                                   \
	{                                                                          \
		.__data.__kind = PTHREAD_MUTEX_ERRORCHECK_NP | POSIX_MUTEX_INHERIT \
	}

static pthread_mutex_t changing = CHANGING;

void posix_epolls_forked(void)
{
	changing = (pthread_mutex_t)CHANGING;
}

/* False: what is changed cannot be known. */
static bool begin_change(void)
{
	struct timespec until;
	int error = posix_real.pthread_mutex_trylock(&changing);

	if (error != EBUSY)
		return !error;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until = posix_timespec(posix_ns(&until) + PATIENCE_NS);
	return !posix_real.pthread_mutex_clocklock(&changing, CLOCK_MONOTONIC, &until);
}

static void end_change(void *unused)
{
	(void)unused;
	posix_real.pthread_mutex_unlock(&changing);
}

static bool is_here(const struct posix_file *file)
{
	(void)file;
	return false;
}

static void each(struct posix_file *file, void (*what)(struct posix_file *member))
{
	struct posix_epoll *set = &sets[file->place];

	for (unsigned i = 0; i < set->used; i++)
		if (posix_epoll_is_there(&set->members[i]))
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

static bool belongs_to(const struct posix_epoll *set, const struct posix_file *file)
{
	return posix_file_is(file, &kind) && &sets[file->place] == set;
}

/* Looked at again as nobody's: it may have become the same one's anew. */
static bool take_place(struct posix_epoll *set, const struct posix_file *file)
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

struct posix_epoll *posix_epoll_of(const struct posix_file *file)
{
	return posix_file_is(file, &kind) ? &sets[file->place] : NULL;
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

static struct posix_epoll_member *place_of(struct posix_epoll *set, const struct posix_file *file)
{
	struct posix_epoll_member *place = NULL;

	for (unsigned i = 0; i < POSIX_EPOLL_MEMBERS; i++) {
		struct posix_epoll_member *member = &set->members[i];

		if (posix_epoll_is_there(member) && member->file == file)
			return member;
		if (!posix_epoll_is_there(member) && !place)
			place = member;
	}
	return place;
}

/* Between begin_change() and end_change(). A member of two sets is Linux's. False: it cannot be
 * known. */
static bool note(struct posix_file *epoll, int operation, struct posix_file *file,
		 const struct epoll_event *event)
{
	struct posix_epoll *set = &sets[epoll->place];
	struct posix_epoll_member *place = place_of(set, file);
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
	/* Linux tells who waits until it may write of each read. */
	atomic_store(&file->tells_room, operation != EPOLL_CTL_DEL && event->events & EPOLLET &&
						event->events & EPOLLOUT);
	if (operation != EPOLL_CTL_DEL)
		place->event = *event;
	else if (atomic_load(&file->set) == epoll)
		atomic_store(&file->set, NULL);
	atomic_fetch_add(&set->changes, 1);
	return true;
}

static int change_and_note(struct posix_file *set, int operation, int fd, struct epoll_event *event,
			   bool *known)
{
	struct posix_file *file = posix_file_of(fd);
	int result = posix_real.epoll_ctl(posix_file_fd(set), operation, fd, event);

	*known = !result && file && (operation == EPOLL_CTL_DEL || can_be_known(file, event)) &&
		 note(set, operation, file, event);
	return result;
}

/* A task may be stopped in there. */
static int change_as_task(struct posix_file *set, int operation, int fd, struct epoll_event *event,
			  bool *known)
{
	int result;

	pthread_cleanup_push(end_change, NULL);
	result = change_and_note(set, operation, fd, event, known);
	pthread_cleanup_pop(1);
	return result;
}

static int change(struct posix_file *set, int operation, int fd, struct epoll_event *event,
		  bool *known)
{
	int result;

	if (!begin_change())
		return posix_real.epoll_ctl(posix_file_fd(set), operation, fd, event);
	if (posix_thread_is_task(&posix_me))
		return change_as_task(set, operation, fd, event, known);
	result = change_and_note(set, operation, fd, event, known);
	end_change(NULL);
	return result;
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
	result = change(set, operation, fd, event, &known);
	if (result)
		return result;
	if (!known && (file || operation != EPOLL_CTL_DEL)) {
		posix_file_share(fd);
		posix_file_share(epoll);
	}
	if (file && !posix_file_may_be_here(file))
		posix_file_give_back(file);
	/* Who waits for the set looks what it is now. */
	posix_files_changed();
	return result;
}
