/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * timerfd. A resident one has an interval timer (interval_timer.h): a waiting task sleeps until the
 * next expiry, and the unread expiries follow from the clock. Linux's own timer is stopped
 * meanwhile. On export it is set to the first unread expiry. Source: timerfd_create(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "posix/calls/safe_copy.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/state/lateness.h"
#include "posix/state/options.h"
#include "posix/state/record.h"
#include "posix/timer/interval_timer.h"

static bool is_resident(const struct posix_residency *residency)
{
	const struct posix_file *file = (const struct posix_file *)residency;

	return posix_interval_timer_is_resident(&file->interval_timer);
}

/* By syscall(), which is no cancellation point. */
static bool is_due_in_linux(const void *timer)
{
	const struct posix_file *file = timer;
	struct pollfd one = {.fd = posix_file_fd(file), .events = POLLIN};
	const struct timespec none = {0};

	return posix_real.syscall(SYS_ppoll, &one, 1, &none, NULL, 0) != 0;
}

static int query(const void *timer, struct itimerspec *left)
{
	return posix_real.timerfd_gettime(posix_file_fd(timer), left);
}

/*
 * An expiry between the query and the stop is the one that the query found, and the interval timer
 * has it. An earlier expiry is first read in Linux.
 */
static bool import(struct posix_residency *residency)
{
	struct posix_file *file = (struct posix_file *)residency;
	const struct itimerspec none = {0};
	struct posix_interval_timer_found found;

	if (!posix_interval_timer_find(&file->interval_timer, query, file, &found))
		return false;
	if (!posix_interval_timer_can(found.interval_ns) || is_due_in_linux(file) ||
	    posix_real.timerfd_settime(posix_file_fd(file), 0, &none, NULL))
		return false;
	posix_interval_timer_put(&file->interval_timer, &found);
	return true;
}

static void export(struct posix_residency *residency)
{
	struct posix_file *file = (struct posix_file *)residency;
	struct posix_interval_timer_exported given;

	if (!posix_interval_timer_export(&file->interval_timer, &given))
		given = (struct posix_interval_timer_exported){.is_due = false};
	(void)posix_real.timerfd_settime(posix_file_fd(file), given.flags, &given.times, NULL);
	posix_interval_timer_await(&given, is_due_in_linux, file);
}

static short ready(const struct posix_file *file)
{
	return posix_interval_timer_is_due(&file->interval_timer) ? POLLIN : 0;
}

/* In Linux, too, no further expiry wakes before the first one was read. */
static bool instant(const struct posix_file *file, uint64_t last_sequence, tact_timeout_t *at)
{
	return !(last_sequence &&
		 posix_interval_timer_sequence(&file->interval_timer) == last_sequence) &&
	       posix_interval_timer_instant(&file->interval_timer, at);
}

static uint64_t sequence(const struct posix_file *file)
{
	return posix_interval_timer_sequence(&file->interval_timer);
}

static bool take(struct posix_file *file, uint64_t *value)
{
	struct posix_interval_timer_accepted accepted;

	if (!posix_interval_timer_accept(&file->interval_timer, &accepted))
		return false;
	if (posix_summary_wanted)
		posix_summary_slept(accepted.first_ns, accepted.now_ns);
	*value = accepted.count;
	return true;
}

/* All kinds have such a table: what their functions do is each kind's own. */
const struct posix_file_kind posix_timerfd = {
	.residency =
		{
			.domain = &posix_files_domain,
			.is_resident = is_resident,
			.is_quiet = posix_file_is_quiet,
			.is_quiet_guarded = posix_file_is_quiet,
			.import = import,
			.export = export,
			.left = posix_file_has_left,
		},
	.ready = ready,
	.instant = instant,
	.sequence = sequence,
	.take = take,
};

/* A task's timer is here from the beginning, so that the task stays in primary mode even at the
 * first settime. */
static void begin(struct posix_file *file, int clock)
{
	const struct itimerspec none = {0};

	posix_interval_timer_init(&file->interval_timer, clock);
	if (!posix_is_task() || !posix_residency_may_begin(&posix_files_domain) ||
	    !posix_file_is_quiet(&file->residency)) {
		posix_file_begin_kind(file, &posix_timerfd);
		return;
	}
	posix_interval_timer_import(&file->interval_timer, false, &none);
	/* Ordered before the check whether it is still quiet. */
	atomic_store(&file->residency.kind, &posix_timerfd.residency);
	posix_residency_settle(&file->residency);
}

int timerfd_create(int clock, int flags)
{
	int fd = posix_real.timerfd_create(clock, flags);
	struct posix_file *file;

	if (fd < 0 || !posix_clock_is_served(clock) ||
	    posix_from_tactus(__builtin_return_address(0)))
		return fd;
	file = posix_file_begin(fd, flags & TFD_NONBLOCK);
	if (!file)
		return fd;
	begin(file, clock);
	return fd;
}

/* A thread that enters Linux for it meanwhile finds it there with the last setting. */
static bool set_resident(struct posix_file *file, bool absolute, const struct itimerspec *times,
			 struct itimerspec *former)
{
	if (!posix_interval_timer_can(posix_ns(&times->it_interval)))
		return false;
	if ((former && !posix_interval_timer_report(&file->interval_timer, former)) ||
	    !posix_interval_timer_set(&file->interval_timer, absolute, times))
		return false;
	posix_file_changed(file);
	posix_residency_settle(&file->residency);
	return true;
}

static int set_in_linux(struct posix_file *file, int flags, const struct itimerspec *times,
			struct itimerspec *former)
{
	int result;

	posix_file_enter(file);
	result = posix_real.timerfd_settime(posix_file_fd(file), flags, times, former);
	if (!result || errno == EFAULT)
		posix_interval_timer_note(&file->interval_timer, flags & TFD_TIMER_ABSTIME, times);
	posix_file_leave(file);
	return result;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *given, struct itimerspec *former)
{
	struct posix_file *file = posix_file_to_notify(fd);
	struct itimerspec times, had;

	if (!posix_file_is(file, &posix_timerfd) || !posix_startable() ||
	    !posix_safe_copy(&times, given, sizeof(times)) ||
	    !posix_time_is_valid(&times.it_value) || !posix_time_is_valid(&times.it_interval) ||
	    flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
		return posix_real.timerfd_settime(fd, flags, given, former);
	if (flags & TFD_TIMER_CANCEL_ON_SET)
		posix_file_share(fd);
	if (set_resident(file, flags & TFD_TIMER_ABSTIME, &times, former ? &had : NULL))
		return !former || posix_safe_copy(former, &had, sizeof(had)) ? 0
									     : posix_fail(EFAULT);
	return set_in_linux(file, flags, &times, former);
}

int timerfd_gettime(int fd, struct itimerspec *told)
{
	struct posix_file *file = posix_file_to_notify(fd);
	struct itimerspec times;
	uint64_t moves;
	int result;

	if (!posix_file_is(file, &posix_timerfd) || !told)
		return posix_real.timerfd_gettime(fd, told);
	moves = atomic_load(&file->residency.moves);
	if (posix_interval_timer_report(&file->interval_timer, &times))
		return posix_safe_copy(told, &times, sizeof(times)) ? 0 : posix_fail(EFAULT);
	result = posix_real.timerfd_gettime(fd, told);
	/* A thread that stopped it in Linux meanwhile has counted the move before. */
	if (result || !posix_residency_has_moved(&file->residency, moves))
		return result;
	posix_file_enter(file);
	result = posix_real.timerfd_gettime(fd, told);
	posix_file_leave(file);
	return result;
}
