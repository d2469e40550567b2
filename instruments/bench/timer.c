/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers: a random one of the armed timers is stopped, and started anew at a random instant. The
 * one that expires before all others is left alone, so that the next deadline never changes. */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"

#define HOUR_NS      3600000000000ull
#define LINUX_MAX    100000u /* timers of Linux, each with a file */
#define FILES_LEFT   100u
#define CREATE_BATCH 1000u
#define TIMER_BYTES  256u /* of the pool, rounded up */
#define READS        100000u
#define READ_ROUNDS  20u

static tact_timer_t *timers;
static uint32_t count;
static int *fds;
static uint32_t fd_count, fds_max;
static uint64_t base_ns;

struct loop {
	uint64_t operations;
	double ns;
	int error;
};

static void never(void *arg)
{
	(void)arg;
}

/* Later than the first by up to 200 hours, about 2^50 ns. */
static uint64_t random_instant(uint64_t *random)
{
	return base_ns + 2 * HOUR_NS + ((uint64_t)bench_random(random) << 17);
}

static uint32_t random_below(uint64_t *random, uint32_t limit)
{
	return (uint32_t)((uint64_t)bench_random(random) * limit >> 32);
}

static void create(void *argument)
{
	struct loop *loop = argument;
	uint64_t random = 1;

	for (uint32_t i = 0; i < count && !loop->error; i++) {
		tact_time_t at = {i ? random_instant(&random) : base_ns + HOUR_NS};

		loop->error = tact_timer_create(NULL, never, NULL, TACT_ON_CPU(0), &timers[i]);
		if (!loop->error)
			loop->error = tact_timer_start(timers[i], tact_at(at), 0);
		if (i % CREATE_BATCH == 0)
			(void)tact_task_sleep(10000); /* for the watchdog, and for Linux */
	}
}

static void stop_and_start(void *argument)
{
	struct loop *loop = argument;
	uint64_t random = 7;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		tact_timer_t victim = timers[1 + random_below(&random, count - 1)];
		tact_time_t at = {random_instant(&random)};

		loop->error |= tact_timer_stop(victim);
		loop->error |= tact_timer_start(victim, tact_at(at), 0);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static struct itimerspec timerspec(uint64_t instant_ns)
{
	return (struct itimerspec){.it_value = {.tv_sec = (time_t)(instant_ns / 1000000000u),
						.tv_nsec = (long)(instant_ns % 1000000000u)}};
}

static void linux_stop_and_start(void *argument)
{
	static const struct itimerspec stopped;
	struct loop *loop = argument;
	uint64_t random = 7;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		int victim = fds[1 + random_below(&random, fd_count - 1)];
		struct itimerspec at = timerspec(random_instant(&random));

		loop->error |= timerfd_settime(victim, TFD_TIMER_ABSTIME, &stopped, NULL);
		loop->error |= timerfd_settime(victim, TFD_TIMER_ABSTIME, &at, NULL);
	}
	loop->ns = bench_now_ns() - start_ns;
}

/* Armed on the CPU under test, where Linux then queues them. */
static void linux_create(void *argument)
{
	uint64_t random = 1;

	(void)argument;
	for (fd_count = 0; fd_count < count && fd_count < fds_max; fd_count++) {
		struct itimerspec at =
			timerspec(fd_count ? random_instant(&random) : base_ns + HOUR_NS);

		fds[fd_count] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
		if (fds[fd_count] < 0)
			return;
		(void)timerfd_settime(fds[fd_count], TFD_TIMER_ABSTIME, &at, NULL);
		if (fd_count % CREATE_BATCH == 0)
			usleep(1000);
	}
}

/* As many as Linux allows, minus some for the library. */
static uint32_t allowed_files(void)
{
	struct rlimit files = {LINUX_MAX + FILES_LEFT, LINUX_MAX + FILES_LEFT};

	if (setrlimit(RLIMIT_NOFILE, &files)) {
		(void)getrlimit(RLIMIT_NOFILE, &files);
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	return files.rlim_cur < LINUX_MAX + FILES_LEFT ? (uint32_t)files.rlim_cur - FILES_LEFT
						       : LINUX_MAX;
}

static int open_timers(uint32_t armed)
{
	struct loop loop = {0};

	count = armed;
	base_ns = (uint64_t)bench_now_ns();
	timers = calloc(count, sizeof(*timers));
	fds = calloc(LINUX_MAX, sizeof(*fds));
	if (!timers || !fds)
		return bench_failed("calloc()", -TACT_ENOMEM);
	if (bench_task_run(create, &loop))
		return -TACT_EFAULT;
	if (loop.error)
		return bench_failed("creating the timers", loop.error);
	if (bench.on_sim)
		return 0;
	fds_max = allowed_files();
	if (bench_thread_run(linux_create, NULL))
		return -TACT_EFAULT;
	if (fd_count < 2)
		return bench_failed("timerfd_create()", -errno);
	if (fd_count < count && fd_count < LINUX_MAX)
		bench_notice("Linux gave only %u timerfds: raise `ulimit -Hn`", fd_count);
	bench_figure("peer_armed", fd_count);
	return 0;
}

/*
 * The machine's time for one read that depends on the read before, in as much memory as that many
 * timers occupy. Stopping a timer takes at least two such reads: of its handle's entry, and of
 * itself. The lines are linked into one ring in random order.
 */
static double random_read_ns(uint32_t lines)
{
	struct line {
		struct line *next;
		char rest[TIMER_BYTES - sizeof(struct line *)];
	} *line = calloc(lines, sizeof(*line));
	struct line **order = calloc(lines, sizeof(*order));
	struct line *volatile end;
	uint64_t random = 3;
	double ns = -1;

	for (uint32_t i = 0; line && order && i < lines; i++) {
		uint32_t other = random_below(&random, i + 1);

		order[i] = order[other];
		order[other] = &line[i];
	}
	for (uint32_t i = 0; line && order && i < lines; i++)
		order[i]->next = order[i + 1 < lines ? i + 1 : 0];
	if (line && order) {
		struct line *at = line;

		for (unsigned int round = 0; round < READ_ROUNDS; round++) {
			double start_ns = bench_now_ns();
			double took_ns;

			for (uint32_t i = 0; i < READS; i++)
				at = at->next;
			took_ns = (bench_now_ns() - start_ns) / READS;
			ns = ns < 0 || took_ns < ns ? took_ns : ns;
		}
		end = at;
		(void)end;
	}
	free(order);
	free(line);
	return ns;
}

static int open_10(uint64_t operations)
{
	(void)operations;
	return open_timers(10);
}

static int open_1000000(uint64_t operations)
{
	int error = open_timers(1000000);

	(void)operations;
	if (!error && !bench.on_sim)
		bench_figure("random_read_ns", random_read_ns(count));
	return error;
}

static double outcome(int error, const struct loop *loop)
{
	if (!error && loop->error)
		error = bench_failed("stopping or starting a timer", -TACT_EINVAL);
	return error ? -1 : loop->ns;
}

static double run(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return outcome(bench_task_run(stop_and_start, &loop), &loop);
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return outcome(bench_thread_run(linux_stop_and_start, &loop), &loop);
}

static void close_timers(void)
{
	for (uint32_t i = 0; i < fd_count; i++)
		(void)close(fds[i]);
	free(fds);
	free(timers);
}

const struct bench_row bench_timer_arm_10 = {
	.name = "timer_arm_10",
	.what = "timer, stop and start, of a random timer at a random instant, 10 armed",
	.peer = "timerfd_settime(), disarm and arm, 10 armed",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 25,
	.open = open_10,
	.run = run,
	.peer_run = run_peer,
	.close = close_timers,
};

const struct bench_row bench_timer_arm_1000000 = {
	.name = "timer_arm_1000000",
	.what = "timer, stop and start, of a random timer at a random instant, 1000000 armed",
	.peer = "timerfd_settime(), disarm and arm, up to 100000 armed",
	.operations = 50000,
	.peer_operations = 10000,
	.rounds = 25,
	.pool_bytes = (size_t)1 << 30,
	.open = open_1000000,
	.run = run,
	.peer_run = run_peer,
	.close = close_timers,
};
