/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits of tasks for descriptors that are here: poll() and select() of sets of only these, and
 * read(). All wait at one address, and accept the descriptors of their sets, a bit each of the
 * lowest six of its number: one of another number looks around once more than it has to. Source:
 * POSIX.1-2017, poll(), read(); timerfd_create(2), eventfd(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/files.h"
#include "posix/fd/watches.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/stay.h"

struct awaited {
	struct posix_file *file;
	const struct posix_file_kind *kind;
	struct tact_watch *watch; /* of one that Linux may be given something for */
	_Atomic uint64_t
		*told; /* the mark that it has told of, NULL: it tells as long as it is ready */
	uint64_t sequence;
	uint32_t generation;
	struct pollfd *asked;
};

struct set {
	struct awaited files[POSIX_FILES_MOST];
	nfds_t count;
	uint64_t event_mask;
	const struct posix_files_set *whole; /* or NULL */
};

/* Is all of it here? Descriptors below zero are asked for nothing. */
static bool collect(struct set *set, struct pollfd *files, nfds_t count)
{
	set->count = 0;
	set->event_mask = 0;
	if (count > POSIX_FILES_MOST)
		return false;
	for (nfds_t i = 0; i < count; i++) {
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
		awaited->told = set->whole ? set->whole->told[i] : NULL;
		set->count++;
		set->event_mask |= 1ull << (posix_file_fd(file) % 64);
	}
	for (nfds_t i = 0; i < set->count; i++)
		if (!posix_residency_import(&set->files[i].file->residency))
			return false;
	return set->count;
}

/* What Linux is given for it meanwhile is told. False: nobody would tell. */
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

/* What of that which was asked for it is ready for, and has not told. */
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
	return set->whole && atomic_load(set->whole->changes) != set->whole->before;
}

/* Is there anything to look at before it sleeps? */
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

/* How many are ready; POSIX_IN_LINUX: one is no more here. */
static int look(struct set *set, bool fetches)
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
 * A call that only looks sees what others gave Linux before; one that has waited would have been
 * told. One that was closed, or given back meanwhile, is asked for in Linux, as if just now.
 */
static int await(struct set *set, tact_timeout_t timeout)
{
	int result = look(set, has_passed(timeout));

	while (!result) {
		if (has_passed(timeout))
			return 0;
		if (!watch(set) || !posix_wait_join_for(posix_files, set->event_mask, NULL))
			return POSIX_IN_LINUX;
		result = posix_wait_sleep_notified(has_changed, set, next_of(set, timeout), NULL);
		if (result == -TACT_EINTR)
			return posix_fail(EINTR);
		result = look(set, false);
	}
	return result;
}

int posix_files_await_set(struct pollfd *files, nfds_t count, tact_timeout_t timeout,
			  const struct posix_files_set *whole)
{
	struct set set;
	int result;

	set.whole = whole;
	if (!collect(&set, files, count))
		return POSIX_IN_LINUX;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	pthread_testcancel();
	result = await(&set, timeout);
	for (nfds_t i = 0; result > 0 && i < set.count; i++)
		if (set.files[i].asked->revents && set.files[i].told)
			atomic_store(set.files[i].told, set.files[i].sequence);
	return result;
}

int posix_files_await(struct pollfd *files, nfds_t count, tact_timeout_t timeout)
{
	return posix_files_await_set(files, count, timeout, NULL);
}

static bool take(struct posix_file *file, uint64_t *value)
{
	return posix_file_is(file, &posix_timerfd) ? posix_timerfd_take(file, value)
						   : posix_eventfd_take(file, value);
}

/* 8, or -1, or POSIX_IN_LINUX. */
static ssize_t read_resident(struct posix_file *file, uint64_t *value)
{
	struct pollfd one = {.fd = posix_file_fd(file), .events = POLLIN};
	const bool waits = !atomic_load(&file->nonblocking);
	const int former = errno;
	tact_timeout_t timeout = waits ? TACT_FOREVER : tact_at((tact_time_t){0});

	pthread_testcancel();
	for (;;) {
		int result;

		/* What is there is taken without a look at the clock or at watches. */
		if (posix_file_is_resident(file) && take(file, value))
			return sizeof(*value);
		result = posix_files_await(&one, 1, timeout);
		if (!result)
			return posix_fail(EAGAIN);
		if (result == POSIX_IN_LINUX)
			return result;
		if (result < 0 && (errno != EINTR || !posix_signals_restart()))
			return -1;
		errno = former;
	}
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
	const long arguments[6] = {fd, (long)buffer, (long)bytes};
	struct posix_file *file = posix_file_to_notify(fd);
	bool is_begun = false;
	ssize_t result;

	if (__builtin_expect(!file, 1))
		return posix_real.read(fd, buffer, bytes);
	if (posix_file_is(file, &posix_timerfd))
		posix_stay_break();
	if (bytes >= sizeof(uint64_t) && !posix_is_beyond(buffer) && posix_call_is_tasks() &&
	    (posix_file_is(file, &posix_timerfd) || posix_file_is(file, &posix_eventfd))) {
		uint64_t value;

		result = read_resident(file, &value);
		if (result > 0 && !posix_safe_copy(buffer, &value, sizeof(value)))
			return posix_fail(EFAULT);
		if (result != POSIX_IN_LINUX)
			return result;
		is_begun = true;
	}
	posix_file_enter(file);
	pthread_cleanup_push(posix_file_left, file);
	if (is_begun && posix_call_tried_in_call(SYS_read, arguments) != POSIX_CALL_GOES_ON)
		result = posix_fail(EINTR);
	else
		result = posix_real.read(fd, buffer, bytes);
	pthread_cleanup_pop(1);
	return result;
}

ssize_t __read_chk(int fd, void *buffer, size_t bytes, size_t room)
{
	return bytes <= room ? read(fd, buffer, bytes)
			     : posix_real.__read_chk(fd, buffer, bytes, room);
}

ssize_t write(int fd, const void *buffer, size_t bytes)
{
	struct posix_file *file = posix_file_to_notify(fd);
	ssize_t result;
	uint64_t value;

	/* What is written in Linux just when it comes here is fetched there: eventfd.c. */
	if (__builtin_expect(!file, 1) || !posix_file_is_resident(file))
		return posix_real.write(fd, buffer, bytes);
	if (bytes == sizeof(value) && posix_file_is(file, &posix_eventfd) &&
	    posix_safe_copy(&value, buffer, sizeof(value)) && posix_eventfd_add(file, value))
		return sizeof(value);
	posix_file_enter(file);
	pthread_cleanup_push(posix_file_left, file);
	result = posix_real.write(fd, buffer, bytes);
	pthread_cleanup_pop(1);
	return result;
}
