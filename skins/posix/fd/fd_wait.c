/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for descriptors: see fd_wait.h. All tasks that wait here wait at one address. Each accepts
 * wake-ups for its descriptors, by a mask with one bit for the lowest six bits of a number. If two
 * numbers share a bit, a task may be woken without need and looks again. Source: POSIX.1-2017,
 * poll(), select(); timerfd_create(2), eventfd(2).
 */
#define _GNU_SOURCE
#include "posix/fd/fd_wait.h"

#include <errno.h>
#include <pthread.h>

#include "posix/fd/watches.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/stay.h"

struct awaited {
	struct posix_file *file;
	const struct posix_file_kind *kind;
	struct tact_watch *watch; /* of a descriptor for which Linux may receive something */
	_Atomic uint64_t
		*told; /* the mark that was reported last; NULL: reported as long as it is ready */
	uint64_t sequence;
	uint32_t generation;
	struct pollfd *asked;
};

struct set {
	struct awaited files[POSIX_FILES_MOST];
	nfds_t count;
	uint64_t event_mask;
	const struct posix_fd_asked *whole;
};

/* Are all of them here? Descriptors below zero are ignored. */
static bool collect(struct set *set, struct posix_fd_asked *asked)
{
	struct pollfd *files = asked->files;

	set->count = 0;
	set->event_mask = 0;
	set->whole = asked;
	for (nfds_t i = 0; i < asked->count; i++) {
		struct awaited *awaited = &set->files[set->count];
		struct posix_file *file = posix_file_of(files[i].fd);

		files[i].revents = 0;
		if (files[i].fd < 0)
			continue;
		awaited->file = file;
		awaited->asked = &files[i];
		awaited->kind = file ? posix_file_kind_of(file) : NULL;
		if (!awaited->kind)
			return false;
		awaited->generation = atomic_load(&file->generation);
		awaited->watch = NULL;
		awaited->told = asked->changes ? asked->told[i] : NULL;
		set->count++;
		set->event_mask |= 1ull << (posix_file_fd(file) % 64);
	}
	for (nfds_t i = 0; i < set->count; i++)
		if (!posix_residency_import(&set->files[i].file->residency))
			return false;
	return set->count;
}

/* Watch the descriptors for which Linux may receive something meanwhile. False: they cannot be
 * watched. */
static bool watch(struct set *set)
{
	for (nfds_t i = 0; i < set->count; i++) {
		struct awaited *awaited = &set->files[i];

		if (!awaited->kind->fetch || awaited->watch || !(awaited->asked->events & POLLIN))
			continue;
		awaited->watch =
			posix_watch(posix_file_fd(awaited->file), awaited->generation, NULL);
		if (!awaited->watch)
			return false;
	}
	return true;
}

static bool is_still_resident(const struct awaited *awaited)
{
	return atomic_load(&awaited->file->generation) == awaited->generation &&
	       posix_file_is_resident(awaited->file);
}

static bool is_notified(const struct awaited *awaited)
{
	return awaited->watch && __atomic_load_n(&awaited->watch->told, __ATOMIC_SEQ_CST);
}

/* The requested events for which it is ready, and which it has not reported yet. */
static short found_of(struct awaited *awaited)
{
	short found = awaited->kind->ready(awaited->file) & awaited->asked->events;

	if (!found || !awaited->told)
		return found;
	awaited->sequence = awaited->kind->sequence(awaited->file);
	return awaited->sequence == atomic_load(awaited->told) ? 0 : found;
}

static bool is_another(const struct set *set)
{
	return set->whole->changes && atomic_load(set->whole->changes) != set->whole->before;
}

/* Is there anything to look at before the task sleeps? */
static bool has_changed(void *of_set)
{
	struct set *set = of_set;

	for (nfds_t i = 0; i < set->count; i++) {
		struct awaited *awaited = &set->files[i];

		if (!is_still_resident(awaited) || is_notified(awaited) || found_of(awaited))
			return true;
	}
	return is_another(set);
}

/* Returns how many are ready; POSIX_IN_LINUX: one of them is no longer here. */
static int find_ready(struct set *set, bool fetches)
{
	int found = 0;

	if (is_another(set))
		return POSIX_CHANGED;
	for (nfds_t i = 0; i < set->count; i++) {
		struct awaited *awaited = &set->files[i];

		if (!is_still_resident(awaited))
			return POSIX_IN_LINUX;
		if (awaited->kind->fetch && awaited->asked->events & POLLIN &&
		    (is_notified(awaited) ||
		     (fetches && !(awaited->kind->ready(awaited->file) & POLLIN))))
			awaited->kind->fetch(awaited->file, awaited->watch);
		awaited->asked->revents = found_of(awaited);
		found += awaited->asked->revents != 0;
	}
	return found;
}

/* The earliest of all expiries and the timeout. */
static tact_timeout_t next_of(const struct set *set, tact_timeout_t timeout)
{
	for (nfds_t i = 0; i < set->count; i++) {
		const struct awaited *awaited = &set->files[i];
		tact_timeout_t at;

		if (awaited->kind->instant && awaited->asked->events & POLLIN &&
		    awaited->kind->instant(awaited->file,
					   awaited->told ? atomic_load(awaited->told) : 0, &at) &&
		    (timeout.kind == TACT_TIMEOUT_FOREVER || at.ns < timeout.ns))
			timeout = at;
	}
	return timeout;
}

static bool has_passed(tact_timeout_t timeout)
{
	return timeout.kind != TACT_TIMEOUT_FOREVER && timeout.ns <= tact_now().ns;
}

/*
 * A call with no time left fetches what Linux has received before; during a wait, watches report
 * it. If a descriptor was closed or exported meanwhile, the call is made in Linux, as if it had
 * just begun.
 */
static int await(struct set *set, tact_timeout_t timeout)
{
	int result = find_ready(set, has_passed(timeout));

	while (!result) {
		if (has_passed(timeout))
			return 0;
		if (!watch(set) || !posix_wait_join_for(posix_files, set->event_mask, NULL))
			return POSIX_IN_LINUX;
		result = posix_wait_sleep_notified(has_changed, set, next_of(set, timeout), NULL);
		if (result == -TACT_EINTR)
			return posix_fail(EINTR);
		result = find_ready(set, false);
	}
	return result;
}

int posix_fd_await(struct posix_fd_asked *asked, tact_timeout_t timeout)
{
	struct set set;
	int result;

	if (!collect(&set, asked))
		return POSIX_IN_LINUX;
	pthread_testcancel();
	result = await(&set, timeout);
	for (nfds_t i = 0; result > 0 && i < set.count; i++)
		if (set.files[i].asked->revents && set.files[i].told)
			atomic_store(set.files[i].told, set.files[i].sequence);
	return result;
}

/* Return after the timeout, as calls do that find nothing. */
static int pass_time(tact_timeout_t timeout)
{
	if (timeout.kind == TACT_TIMEOUT_FOREVER)
		return POSIX_IN_LINUX;
	return posix_wait_time(timeout) ? posix_fail(EINTR) : 0;
}

static int wait_for_asked(struct posix_fd_call *call, tact_timeout_t timeout)
{
	struct posix_fd_asked asked;
	int result;

	do {
		asked.changes = NULL;
		if (!call->kind->take(call, &asked))
			return POSIX_IN_LINUX;
		if (!asked.count)
			return pass_time(timeout);
		result = posix_fd_await(&asked, timeout);
	} while (result == POSIX_CHANGED);
	return result < 0 ? result : call->kind->give(call, &asked, result);
}

/* The caller is a task. POSIX_IN_LINUX: the call is not served here. */
static int wait_local(struct posix_fd_call *call)
{
	const tact_time_t begun = tact_now();
	const int result = wait_for_asked(
		call,
		call->has_timeout ? tact_at(tact_time_add(begun, call->timeout_ns)) : TACT_FOREVER);

	if (!call->has_timeout)
		return result;
	if (result == POSIX_IN_LINUX)
		call->kind->shorten(call, begun);
	else if (call->kind->tell_left)
		call->kind->tell_left(call, begun);
	return result;
}

static void enter(struct posix_files_entered *entered, struct posix_fd_call *call)
{
	unsigned place = 0;
	int fd;

	entered->count = 0;
	if (!posix_files_are_known() || !posix_startable())
		return;
	while ((fd = call->kind->next(call, &place)) >= 0)
		posix_files_enter(entered, fd);
}

int posix_fd_wait(struct posix_fd_call *call)
{
	const int here = call->is_served ? wait_local(call) : POSIX_IN_LINUX;
	struct posix_files_entered entered;
	int result;

	if (here != POSIX_IN_LINUX)
		return here;
	enter(&entered, call);
	if (!entered.count)
		return call->kind->in_linux(call);
	pthread_cleanup_push(posix_files_left, &entered);
	result = call->kind->in_linux(call);
	pthread_cleanup_pop(1);
	return result;
}

bool posix_fd_call_has_known(struct posix_fd_call *call)
{
	unsigned place = 0;
	int fd;

	while ((fd = call->kind->next(call, &place)) >= 0)
		if (posix_file_to_notify(fd))
			return true;
	return false;
}

void posix_fd_call_breaks_stay(struct posix_fd_call *call)
{
	unsigned place = 0;
	int fd;

	while ((fd = call->kind->next(call, &place)) >= 0)
		if (posix_file_is(posix_file_to_notify(fd), &posix_timerfd)) {
			posix_stay_waits();
			return;
		}
}
