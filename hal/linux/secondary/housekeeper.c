/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One Linux thread that does what no real-time CPU should do: it paces the watchdog, notices that
 * the wall clock was set, and writes out the messages of real-time CPUs. The watchdog counts the
 * wake-ups of this thread and does not read a clock, so that a stop of the program (SIGSTOP, a
 * debugger) stops it together with the tasks.
 */
#define _GNU_SOURCE

#include "secondary/housekeeper.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "arch/self.h"
#include "base/error.h"
#include "call.h"
#include "high_fd.h"
#include "program.h"
#include "sanitized.h"
#include "tls.h"

#define STOP_MESSAGE  (1ull << 32)
#define ROUND_MESSAGE (1ull << 40)
#define EARLY_NS      (HAL_WATCH_PERIOD_NS / 10)

static const struct linux_rounds *rounds;
static pthread_t thread;
static int event_fd = -1, clock_fd = -1;
static struct timespec pace = {.tv_nsec = HAL_WATCH_PERIOD_NS};
static _Atomic uint64_t watched_ns; /* when the last round was, or the request for it */

/* A timer far away that is cancelled when the wall clock jumps. Source: timerfd_create(2). */
static void watch_clock(void)
{
	const struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 1000000000}};

	timerfd_settime(clock_fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

static void watch(void)
{
	atomic_store_explicit(&watched_ns, hal_now_ns(), memory_order_relaxed);
	rounds->round();
	nuc_upcall_watch();
}

static void *housekeeper(void *unused)
{
	/* The last one is the error output, watched only while its reader must read before there is
	 * room for more. */
	struct pollfd fds[3] = {{.fd = event_fd, .events = POLLIN},
				{.fd = clock_fd, .events = POLLIN},
				{.fd = -1, .events = POLLOUT}};
	struct timespec left = pace;

	(void)unused;
	for (;;) {
		/* The raw call counts the rest of the pace down in left. */
		long ready = hal_arch_syscall(SYS_ppoll, (long)fds, 3, (long)&left, 0, 8, 0);
		uint64_t count;

		if (ready == 0) {
			left = pace;
			watch();
			continue;
		}
		if (ready < 0)
			continue;
		if (fds[0].revents && read(event_fd, &count, sizeof(count)) > 0) {
			rounds->woken();
			if (count % ROUND_MESSAGE >= STOP_MESSAGE) {
				(void)rounds->drain(true);
				linux_ends();
				return NULL;
			}
			fds[2].fd = rounds->drain(false) ? -1 : 2;
			if (count >= ROUND_MESSAGE) {
				left = pace;
				watch();
			}
		}
		if (fds[2].revents)
			fds[2].fd = rounds->drain(false) ? -1 : 2;
		if (fds[1].revents && read(clock_fd, &count, sizeof(count)) < 0 &&
		    errno == ECANCELED) {
			watch_clock();
			nuc_upcall_wall_changed();
		}
	}
}

void linux_housekeeper_wake(void)
{
	const uint64_t one = 1;

	call_write(event_fd, &one, sizeof(one));
}

/*
 * If the housekeeper is above the dispatchers on their only CPU, its rounds sometimes coincide with
 * a release. So a dispatcher that is idle for a while requests the round a little early. If no
 * dispatcher ever is, the normal pace continues.
 */
void linux_housekeeper_invite(uint64_t now_ns)
{
	const uint64_t round = ROUND_MESSAGE;
	const uint64_t last_ns = atomic_load_explicit(&watched_ns, memory_order_relaxed);

	if (now_ns - last_ns < HAL_WATCH_PERIOD_NS - EARLY_NS)
		return;
	atomic_store_explicit(&watched_ns, now_ns, memory_order_relaxed);
	call_write(event_fd, &round, sizeof(round));
}

static void close_files(void)
{
	close(event_fd);
	close(clock_fd);
	event_fd = clock_fd = -1;
}

/*
 * Above the dispatchers if Linux allows it, because the housekeeper has to find a task that keeps
 * the only CPU. If there are more CPUs, it has CPUs of its own.
 */
int linux_housekeeper_start(const struct linux_rounds *all_rounds)
{
	uint64_t all = ~LINUX_BIT(LINUX_SIGNAL_SETXID), former;
	pthread_attr_t attributes;
	int error;

	rounds = all_rounds;
	event_fd = linux_high_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
	clock_fd = linux_high_fd(timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK));
	if (event_fd < 0 || clock_fd < 0) {
		close_files();
		return -TACT_ENOMEM;
	}
	watch_clock();
	atomic_store_explicit(&watched_ns, hal_now_ns(), memory_order_relaxed);
	pthread_attr_init(&attributes);
	linux_set_stack(&attributes, 256u * 1024u);
	pthread_attr_setaffinity_np(&attributes, sizeof(cpu_set_t), &linux_program.other_cpus);
	call_sigmask(SIG_SETMASK, &all, &former);
	error = pthread_create(&thread, &attributes, housekeeper, NULL);
	call_sigmask(SIG_SETMASK, &former, NULL);
	pthread_attr_destroy(&attributes);
	if (error) {
		close_files();
		return -TACT_ENOMEM;
	}
	pthread_setname_np(thread, "tactus-keeper");
	return 0;
}

void linux_housekeeper_raise(void)
{
	struct sched_param parameter = {.sched_priority = (int)linux_program.priority + 2};

	pthread_setschedparam(thread, SCHED_FIFO, &parameter);
}

void linux_housekeeper_stop(void)
{
	const uint64_t stop = STOP_MESSAGE;

	call_write(event_fd, &stop, sizeof(stop));
	pthread_join(thread, NULL);
	close_files();
}
