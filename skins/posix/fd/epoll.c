/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of epoll. Linux has each set with its members. A set is known here as well if all its
 * members are descriptors that may be resident, and are reported as long as they are ready or by
 * edges. The members of any other set stay in Linux for good. Source: epoll(7), epoll_ctl(2).
 */
#define _GNU_SOURCE
#include "posix/fd/epoll.h"

#include "posix/libc/real.h"
#include "posix/state/biased.h"

#define SETS     32
#define NO_PLACE UINT32_MAX

static struct posix_epoll sets[SETS];

/* Held to note what Linux was told. If it cannot be locked, the set is left to Linux. */
static struct posix_biased noting;

void posix_epolls_forked(void)
{
	posix_biased_forked(&noting);
}

static bool is_resident(const struct posix_residency *residency)
{
	(void)residency;
	return false;
}

static void each(struct posix_file *file, void (*what)(struct posix_file *member))
{
	struct posix_epoll *set = posix_epoll_of(file);

	for (unsigned i = 0; set && i < set->used; i++)
		if (posix_epoll_is_resident(&set->members[i]))
			what(set->members[i].file);
}

/* A set itself is never resident: a set of sets is left to Linux. */
static bool import(struct posix_residency *residency)
{
	(void)residency;
	return false;
}

static const struct posix_file_kind kind = {
	.residency =
		{
			.domain = &posix_files_domain,
			.is_resident = is_resident,
			.is_quiet = posix_file_is_quiet,
			.is_quiet_guarded = posix_file_is_quiet,
			.import = import,
		},
	.each = each,
};

/*
 * The set gets its place with the first member that may be resident, because most sets have none.
 */
static __attribute__((noinline)) struct posix_epoll *place_for(struct posix_file *file)
{
	for (unsigned i = 0; i < SETS; i++) {
		struct posix_epoll *set = &sets[i];

		if (set->file != file && posix_epoll_of(set->file) == set)
			continue;
		while (set->used)
			set->members[--set->used].file = NULL;
		set->file = file;
		atomic_store_explicit(&file->place, i, memory_order_release);
		return set;
	}
	return NULL;
}

static inline int made(int epoll)
{
	struct posix_file *file = epoll < 0 ? NULL : posix_file_begin(epoll, false);

	if (!file)
		return epoll;
	atomic_store_explicit(&file->place, NO_PLACE, memory_order_relaxed);
	posix_file_begin_kind(file, &kind);
	return epoll;
}

struct posix_epoll *posix_epoll_of(const struct posix_file *file)
{
	uint32_t place;

	if (!posix_file_is(file, &kind))
		return NULL;
	place = atomic_load_explicit(&file->place, memory_order_acquire);
	return place < SETS ? &sets[place] : NULL;
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

/* Linux must report what is reported once only, or to only one of several waiters, and what other
 * programs may reach. */
static bool can_be_known(const struct posix_file *file, const struct epoll_event *event)
{
	const uint32_t usual = EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLPRI | EPOLLET;

	return (posix_file_is(file, &posix_timerfd) || posix_file_is(file, &posix_eventfd)) &&
	       !atomic_load(&file->residency.pinned) && !(event->events & ~usual);
}

static struct posix_epoll_member *find_member(struct posix_epoll *set,
					      const struct posix_file *file)
{
	struct posix_epoll_member *place = NULL;

	for (unsigned i = 0; i < POSIX_EPOLL_MEMBERS; i++) {
		struct posix_epoll_member *member = &set->members[i];

		if (posix_epoll_is_resident(member) && member->file == file)
			return member;
		if (!posix_epoll_is_resident(member) && !place)
			place = member;
	}
	return place;
}

/* Makes the count odd: a set that is read meanwhile is read again. */
static void begin_turn(struct posix_epoll *set)
{
	const uint32_t now = atomic_load_explicit(&set->changes, memory_order_relaxed);

	atomic_store_explicit(&set->changes, now + 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
}

static void end_turn(struct posix_epoll *set)
{
	const uint32_t now = atomic_load_explicit(&set->changes, memory_order_relaxed);

	atomic_store_explicit(&set->changes, now + 1, memory_order_release);
}

/* A member of two sets is left to Linux. False: the change cannot be noted. */
static bool put_down(struct posix_epoll *set, struct posix_file *epoll, int operation,
		     struct posix_file *file, const struct epoll_event *event)
{
	struct posix_epoll_member *place = find_member(set, file);
	const bool ends = operation == EPOLL_CTL_DEL;

	if (!place || (operation == EPOLL_CTL_ADD && atomic_load(&file->set)))
		return false;
	begin_turn(set);
	if (set->used <= (unsigned)(place - set->members))
		set->used = (unsigned)(place - set->members) + 1;
	place->file = ends ? NULL : file;
	place->generation = atomic_load(&file->generation);
	atomic_store_explicit(&place->told, 0, memory_order_relaxed);
	/* Linux reports each read to a thread that waits until it may write. */
	atomic_store_explicit(&file->notifies_space,
			      !ends && event->events & EPOLLET && event->events & EPOLLOUT,
			      memory_order_relaxed);
	if (!ends)
		place->event = *event;
	if (operation == EPOLL_CTL_ADD)
		atomic_store(&file->set, epoll);
	else if (ends && atomic_load(&file->set) == epoll)
		atomic_store_explicit(&file->set, NULL, memory_order_release);
	end_turn(set);
	/* It may have been pinned a moment ago, by a thread that did not know of the set. */
	return ends || !atomic_load(&file->residency.pinned);
}

/*
 * Note what Linux was told of a member. generation: the count of the member before that. If the
 * count has changed, another thread told Linux of the same member at the same time, and the order
 * of the two calls is unknown.
 */
static inline bool note(struct posix_file *epoll, int operation, struct posix_file *file,
			const struct epoll_event *event, uint32_t generation)
{
	enum posix_biased_how how;
	struct posix_epoll *set;
	bool done = false;
	uint32_t now;

	if (operation != EPOLL_CTL_DEL && !can_be_known(file, event))
		return false;
	how = posix_biased_lock(&noting);
	if (!how)
		return false;
	set = posix_epoll_of(epoll);
	if (!set && operation == EPOLL_CTL_ADD)
		set = place_for(epoll);
	now = atomic_load_explicit(&file->ctl_count, memory_order_relaxed);
	if (set && now == generation)
		done = put_down(set, epoll, operation, file, event);
	atomic_store_explicit(&file->ctl_count, now + 1, memory_order_relaxed);
	posix_biased_unlock(&noting, how);
	return done;
}

static __attribute__((noinline)) void leave_to_linux(struct posix_file *set, int fd)
{
	posix_file_share(fd);
	posix_file_share(posix_file_fd(set));
}

static __attribute__((noinline)) void notify_tasks(struct posix_file *file)
{
	if (file)
		posix_residency_settle(&file->residency);
	/* Tasks that wait for the set read it again. */
	posix_files_changed();
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
	struct posix_file *set = posix_file_of(epoll), *file = posix_file_of(fd);
	uint32_t generation;
	int result;

	if (!posix_file_is(set, &kind)) {
		posix_file_share(fd);
		return posix_real.epoll_ctl(epoll, operation, fd, event);
	}
	/* Neither this set nor this member is known here. */
	if (!file && atomic_load(&set->residency.settled))
		return posix_real.epoll_ctl(epoll, operation, fd, event);
	generation = file ? atomic_load_explicit(&file->ctl_count, memory_order_relaxed) : 0;
	result = posix_real.epoll_ctl(epoll, operation, fd, event);
	if (result)
		return result;
	if (file ? !note(set, operation, file, event, generation) : operation != EPOLL_CTL_DEL)
		leave_to_linux(set, fd);
	if (posix_files_fence())
		notify_tasks(file);
	return 0;
}
