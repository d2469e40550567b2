/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * timerfd. One that is here is a grid of instants (grid.h): who waits for it sleeps until the next,
 * and what nobody has read yet lies in the clock. Linux's own is stopped meanwhile, and set to the
 * first expiry that was not read when it is given back. Source: timerfd_create(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "posix/calls/copy.h"
#include "posix/fd/files.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/state/lateness.h"
#include "posix/state/options.h"
#include "posix/state/record.h"
#include "posix/timer/grid.h"

static bool is_here(const struct posix_file *file)
{
	return posix_grid_is_here(&file->grid);
}

/* Not by a call that is a cancellation point. */
static bool is_due_in_linux(const void *timer)
{
	const struct posix_file *file = timer;
	struct pollfd one = {.fd = posix_file_fd(file), .events = POLLIN};
	const struct timespec none = {0};

	return posix_real.syscall(SYS_ppoll, &one, 1, &none, NULL, 0) != 0;
}

static int ask(const void *timer, struct itimerspec *left)
{
	return posix_real.timerfd_gettime(posix_file_fd(timer), left);
}

/*
 * An expiry between the look and the stop is the one that was found, which the grid has. One that
 * Linux had already is read there first.
 */
static bool bring(struct posix_file *file)
{
	const struct itimerspec none = {0};
	struct posix_grid_found found;

	if (!posix_grid_find(&file->grid, ask, file, &found))
		return false;
	if (!posix_grid_can(found.interval_ns) || is_due_in_linux(file) ||
	    posix_real.timerfd_settime(posix_file_fd(file), 0, &none, NULL))
		return false;
	posix_grid_put(&file->grid, &found);
	return true;
}

static void give_back(struct posix_file *file)
{
	struct posix_grid_given given;

	if (!posix_grid_give_back(&file->grid, &given))
		given = (struct posix_grid_given){.is_due = false};
	(void)posix_real.timerfd_settime(posix_file_fd(file), given.flags, &given.times, NULL);
	posix_grid_await(&given, is_due_in_linux, file);
}

static short ready(const struct posix_file *file)
{
	return posix_grid_is_due(&file->grid) ? POLLIN : 0;
}

/* Linux, too, has no more expiries before the first was read. */
static bool instant(const struct posix_file *file, uint64_t marked, tact_timeout_t *at)
{
	return !(marked && posix_grid_mark(&file->grid) == marked) &&
	       posix_grid_instant(&file->grid, at);
}

static uint64_t mark(const struct posix_file *file)
{
	return posix_grid_mark(&file->grid);
}

const struct posix_file_kind posix_timerfd = {
	.is_here = is_here,
	.bring = bring,
	.give_back = give_back,
	.ready = ready,
	.instant = instant,
	.mark = mark,
};

bool posix_timerfd_take(struct posix_file *file, uint64_t *value)
{
	struct posix_grid_accepted accepted;

	if (!posix_grid_accept(&file->grid, &accepted))
		return false;
	if (posix_summary_wanted)
		posix_summary_slept(accepted.first_ns, accepted.now_ns);
	*value = accepted.count;
	return true;
}

/* A task's is here from the beginning, so that it is set the first time in primary mode, too. */
static void begin(struct posix_file *file, int clock)
{
	const struct itimerspec none = {0};

	posix_grid_begin(&file->grid, clock);
	if (!posix_is_task() || !posix_files_may_come() || !posix_file_may_be_here(file)) {
		atomic_store_explicit(&file->kind, &posix_timerfd, memory_order_release);
		return;
	}
	posix_grid_come(&file->grid, false, &none);
	atomic_store(&file->kind, &posix_timerfd);
	if (!posix_file_may_be_here(file))
		posix_file_give_back(file);
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

/* Who goes to Linux for it meanwhile finds it there, as it was set last. */
static bool set_here(struct posix_file *file, bool absolute, const struct itimerspec *times,
		     struct itimerspec *former)
{
	if (!posix_grid_can(posix_ns(&times->it_interval)))
		return false;
	if ((former && !posix_grid_tell(&file->grid, former)) ||
	    !posix_grid_set(&file->grid, absolute, times))
		return false;
	posix_file_changed(file);
	if (!posix_file_may_be_here(file))
		posix_file_give_back(file);
	return true;
}

static int set_in_linux(struct posix_file *file, int flags, const struct itimerspec *times,
			struct itimerspec *former)
{
	int result;

	posix_file_enter(file);
	result = posix_real.timerfd_settime(posix_file_fd(file), flags, times, former);
	if (!result || errno == EFAULT)
		posix_grid_note(&file->grid, flags & TFD_TIMER_ABSTIME, times);
	posix_file_leave(file);
	return result;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *given, struct itimerspec *former)
{
	struct posix_file *file = posix_file_to_tell(fd);
	struct itimerspec times, had;

	if (!posix_file_is(file, &posix_timerfd) || !posix_startable() ||
	    !posix_copy(&times, given, sizeof(times)) || !posix_time_is_valid(&times.it_value) ||
	    !posix_time_is_valid(&times.it_interval) ||
	    flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
		return posix_real.timerfd_settime(fd, flags, given, former);
	if (flags & TFD_TIMER_CANCEL_ON_SET)
		posix_file_share(fd);
	if (set_here(file, flags & TFD_TIMER_ABSTIME, &times, former ? &had : NULL))
		return !former || posix_copy(former, &had, sizeof(had)) ? 0 : posix_fail(EFAULT);
	return set_in_linux(file, flags, &times, former);
}

int timerfd_gettime(int fd, struct itimerspec *told)
{
	struct posix_file *file = posix_file_to_tell(fd);
	struct itimerspec times;
	uint32_t moved;
	int result;

	if (!posix_file_is(file, &posix_timerfd) || !told)
		return posix_real.timerfd_gettime(fd, told);
	moved = atomic_load(&file->moved);
	if (posix_grid_tell(&file->grid, &times))
		return posix_copy(told, &times, sizeof(times)) ? 0 : posix_fail(EFAULT);
	result = posix_real.timerfd_gettime(fd, told);
	/* Whoever stopped it there meanwhile has said so before. */
	if (result || (atomic_load(&file->moved) == moved && !atomic_load(&file->moves)))
		return result;
	posix_file_enter(file);
	result = posix_real.timerfd_gettime(fd, told);
	posix_file_leave(file);
	return result;
}
