/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes, periods and figures of threads, interruptible locks, and the core. */
#include "cobalt_test.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

static void *change_modes(void *unused)
{
	int before = -1;

	expect_ok(pthread_setmode_np(0, PTHREAD_LOCK_SCHED | PTHREAD_WARNSW, &before));
	expect_eq(before, 0);
	expect_eq(cobalt_thread_mode(), XNLOCK | XNWARN);
	expect_ok(pthread_setmode_np(PTHREAD_LOCK_SCHED | PTHREAD_WARNSW, 0, &before));
	expect_eq(before, PTHREAD_LOCK_SCHED | PTHREAD_WARNSW);
	expect_ok(pthread_set_mode_np(0, 0));
	expect_eq(pthread_setmode_np(0, 1 << 30, NULL), EINVAL);
	cobalt_thread_relax();
	expect_eq(cobalt_thread_mode(), XNRELAX);
	cobalt_thread_harden();
	expect_eq(cobalt_thread_mode(), 0);
	(void)getppid();
	expect_eq(cobalt_thread_mode(), XNRELAX);
	expect_ok(pthread_setmode_np(PTHREAD_CONFORMING, PTHREAD_CONFORMING, NULL));
	expect_eq(cobalt_thread_mode(), 0);
	/* As in Xenomai 2. */
	expect_ok(pthread_set_mode_np(PTHREAD_PRIMARY, 0));
	expect_eq(cobalt_thread_mode(), XNRELAX);
	expect_ok(pthread_set_mode_np(0, PTHREAD_PRIMARY | PTHREAD_WARNSW | PTHREAD_SHIELD));
	expect_eq(cobalt_thread_mode(), XNWARN);
	expect_ok(pthread_set_mode_np(PTHREAD_WARNSW, PTHREAD_RPIOFF));
	expect_eq(cobalt_thread_mode(), 0);
	expect_eq(pthread_set_mode_np(1 << 30, PTHREAD_PRIMARY), EINVAL);
	return unused;
}

static volatile sig_atomic_t reported;

static void note(int signal)
{
	(void)signal;
	reported++;
}

static int by_thread(void)
{
	const struct sched_param parameter = {.sched_priority = 10};

	return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
}

static int by_id(void)
{
	const struct sched_param parameter = {.sched_priority = 10};

	return sched_setscheduler(0, SCHED_FIFO, &parameter);
}

static int with_more_parameters(void)
{
	const struct sched_param_ex parameter = {.sched_priority = 10};

	return pthread_setschedparam_ex(pthread_self(), SCHED_FIFO, &parameter);
}

static int (*const ways[])(void) = {by_thread, by_id, with_more_parameters};

/* Like main() in programs that want a report of each switch. */
static void *choose_modes_before_policy(void *way)
{
	int before = -1;

	reported = 0;
	expect_ok(pthread_setmode_np(0, PTHREAD_WARNSW, NULL));
	expect_ok(pthread_setmode_np(0, 0, &before));
	expect_eq(before, PTHREAD_WARNSW);
	(void)getppid();
	expect_eq(reported, 0);
	expect_ok(ways[*(size_t *)way]());
	cobalt_thread_harden();
	(void)getppid();
	expect_eq(reported, 1);
	return NULL;
}

static void modes_hold_for_a_later_policy(void)
{
	const struct sigaction noted = {.sa_handler = note};
	pthread_t thread;

	expect_ok(sigaction(SIGDEBUG, &noted, NULL));
	for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
		expect_ok(pthread_create(&thread, NULL, choose_modes_before_policy, &way));
		expect_ok(pthread_join(thread, NULL));
	}
}

static void modes_are_changed(void)
{
	in_task(change_modes, NULL);
	expect_eq(pthread_setmode_np(0, PTHREAD_LOCK_SCHED, NULL), EPERM);
	expect_eq(cobalt_thread_mode(), XNRELAX | XNWEAK);
	cobalt_thread_harden();
	cobalt_thread_relax();
	cobalt_assert_nrt();
}

static uint64_t switches(int *priority)
{
	struct cobalt_threadstat stat = {0};

	expect_ok(cobalt_thread_stat(0, &stat));
	if (priority)
		*priority = stat.cprio;
	return stat.msw;
}

/* Its Linux thread follows when it is read. */
static void expect_linux_priority(int expected)
{
	struct sched_param param = {0};

	expect_ok((int)syscall(SYS_sched_getparam, 0, &param));
	expect_eq(param.sched_priority, expected);
}

static void *change_priorities(void *unused)
{
	struct sched_param param = {.sched_priority = 60};
	uint64_t before = switches(NULL);
	int priority;
	int policy;

	expect_ok(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param));
	expect_eq(switches(&priority) - before, 0);
	expect_eq(priority, 60);
	expect_linux_priority(60);
	before = switches(NULL);
	expect_ok(pthread_setschedprio(pthread_self(), 70));
	expect_ok(pthread_getschedparam(pthread_self(), &policy, &param));
	expect_eq(switches(&priority) - before, 0);
	expect_eq(priority, 70);
	expect_eq(policy, SCHED_FIFO);
	expect_eq(param.sched_priority, 70);
	expect_linux_priority(70);
	expect_eq(pthread_setschedprio(pthread_self(), 0), EINVAL);
	expect_eq(pthread_setschedprio(pthread_self(), 100), EINVAL);
	param.sched_priority = 100;
	expect_eq(pthread_setschedparam(pthread_self(), SCHED_FIFO, &param), EINVAL);
	expect_eq(pthread_setschedparam(pthread_self(), 77, &param), EINVAL);
	return unused;
}

static void priorities_change_without_linux(void)
{
	in_task(change_priorities, NULL);
}

static _Atomic int counted;

static void *count_on(void *unused)
{
	const struct timespec pause = {0, MS};

	while (counted >= 0) {
		counted++;
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return unused;
}

static void *sleep_long(void *unused)
{
	const struct timespec pause = {100, 0};

	counted = 1;
	expect_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL), EINTR);
	return unused;
}

static void *compute(void *unused)
{
	counted = 1;
	while (counted == 1)
		;
	return unused;
}

static void *end_computing(void *unused)
{
	counted = 2;
	return unused;
}

static void threads_are_steered_by_signals(void)
{
	pthread_t thread = thread_with(SCHED_FIFO, 50, count_on, NULL);
	pthread_t other;
	int before;

	until(counted > 2);
	expect_ok(pthread_kill(thread, SIGSUSP));
	before = counted;
	__STD(usleep)(20000);
	expect_true(counted <= before + 1);
	before = counted;
	__STD(usleep)(20000);
	expect_eq(counted, before);
	expect_ok(pthread_kill(thread, SIGRESM));
	until(counted > before);
	/* As often as wanted. */
	expect_ok(pthread_kill(thread, SIGRESM));
	counted = -10;
	expect_ok(pthread_join(thread, NULL));

	counted = 0;
	thread = thread_with(SCHED_FIFO, 50, sleep_long, NULL);
	until(counted == 1);
	__STD(usleep)(20000);
	expect_ok(kill(cobalt_thread_pid(thread), SIGRELS));
	expect_ok(pthread_join(thread, NULL));

	counted = 0;
	thread = thread_with(SCHED_FIFO, 50, compute, NULL);
	until(counted == 1);
	expect_ok(pthread_kill(thread, SIGDEMT));
	other = thread_with(SCHED_FIFO, 10, end_computing, NULL);
	expect_ok(pthread_join(thread, NULL));
	expect_ok(pthread_join(other, NULL));
	expect_errno(kill(1, SIGSUSP), ESRCH);
	expect_eq(pthread_kill(pthread_self(), 0), 0);
	expect_eq(pthread_kill(pthread_self(), 70), EINVAL);
}

static void *beat(void *unused)
{
	struct timespec start = date_in(CLOCK_REALTIME, 5 * MS);
	struct timespec past = {1, 0};
	struct timespec period = {0, 2 * MS};
	struct timespec none = {0, 0};
	const struct timespec busy = {0, 9 * MS};
	unsigned long overruns = 77;
	unsigned long long begin = cobalt_read_ns();

	expect_eq(pthread_wait_np(&overruns), EWOULDBLOCK);
	expect_ok(pthread_make_periodic_np(pthread_self(), &start, &period));
	for (int i = 0; i < 3; i++) {
		int error = pthread_wait_np(&overruns);

		/* A busy machine may delay a release. */
		expect_true(error == (overruns ? ETIMEDOUT : 0));
	}
	expect_true(cobalt_read_ns() - begin > 8 * MS);
	expect_ok(clock_nanosleep(CLOCK_MONOTONIC, 0, &busy, NULL));
	expect_eq(pthread_wait_np(&overruns), ETIMEDOUT);
	expect_true(overruns >= 3);
	expect_ok(pthread_make_periodic_np(pthread_self(), &none, &none));
	expect_eq(pthread_wait_np(NULL), EWOULDBLOCK);
	expect_eq(pthread_make_periodic_np(pthread_self(), &past, &period), ETIMEDOUT);
	period.tv_nsec = 10;
	expect_eq(pthread_make_periodic_np(pthread_self(), &none, &period), EINVAL);
	return unused;
}

static void periods_are_kept(void)
{
	struct timespec none = {0, 0};

	in_task(beat, NULL);
	expect_eq(pthread_make_periodic_np(pthread_self(), &none, &none), ESRCH);
	expect_eq(pthread_wait_np(NULL), EPERM);
}

static pthread_mutex_t mutex;
static _Atomic int state;
static _Atomic int heard;

static void hear(int signal)
{
	heard = signal;
}

static void *want_it(void *arg)
{
	struct timespec soon;

	(void)arg;
	soon = date_in(CLOCK_REALTIME, MS);
	expect_eq(pthread_timedmutex_lock_interruptible_np(&mutex, &soon), ETIMEDOUT);
	state = 1;
	expect_eq(pthread_mutex_lock_interruptible_np(&mutex), EINTR);
	expect_eq(heard, SIGUSR1);
	state = 2;
	expect_ok(pthread_mutex_lock_interruptible_np(&mutex));
	expect_ok(pthread_mutex_unlock(&mutex));
	return NULL;
}

static void *have_it(void *arg)
{
	pthread_t other;
	const struct timespec ms = {0, MS};
	struct cobalt_threadstat stat;

	(void)arg;
	expect_ok(pthread_mutex_lock(&mutex));
	other = thread_with(SCHED_FIFO, 60, want_it, NULL);
	while (state < 1)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
	do {
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
		expect_ok(cobalt_thread_stat(cobalt_thread_pid(other), &stat));
	} while (!(stat.status & XNPEND));
	expect_ok(pthread_kill(other, SIGUSR1));
	while (state < 2)
		clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
	expect_ok(pthread_mutex_unlock(&mutex));
	expect_ok(pthread_join(other, NULL));
	return NULL;
}

static void signals_end_interruptible_locks(void)
{
	const struct sigaction action = {.sa_handler = hear};
	pthread_mutexattr_t attributes;

	expect_ok(sigaction(SIGUSR1, &action, NULL));
	for (int protocol = 0; protocol < 2; protocol++) {
		state = heard = 0;
		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_setprotocol(&attributes,
					      protocol ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE);
		expect_ok(pthread_mutex_init(&mutex, &attributes));
		in_task(have_it, NULL);
		expect_ok(pthread_mutex_destroy(&mutex));
	}
	expect_ok(pthread_mutex_init(&mutex, NULL));
	expect_ok(pthread_mutex_lock_interruptible_np(&mutex));
	expect_ok(pthread_mutex_unlock(&mutex));
}

static void *sleep_a_little(void *unused)
{
	const struct timespec ms = {0, 20 * MS};

	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL);
	state = 9;
	return unused;
}

static void joining_leaves_the_thread(void)
{
	pthread_t thread = thread_with(SCHED_FIFO, 20, sleep_a_little, &state);
	void *result = NULL;

	expect_true(cobalt_thread_pid(thread) > 0);
	expect_eq(cobalt_thread_pid(pthread_self()), getpid());
	expect_ok(cobalt_thread_join(thread));
	expect_eq(state, 9);
	expect_ok(pthread_join(thread, &result));
	expect_true(result == &state);
	expect_eq(cobalt_thread_join(pthread_self()), -EDEADLK);
}

static void *sleep_and_tell(void *arg)
{
	const struct timespec ms = {0, MS};

	expect_ok(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL));
	expect_ok(cobalt_thread_stat(0, arg));
	return NULL;
}

static void figures_are_told(void)
{
	struct cobalt_threadstat stat;

	in_task(sleep_and_tell, &stat);
	expect_true(stat.csw >= 1 && stat.xtime > 0);
	expect_eq(stat.status & (XNRELAX | XNWEAK), 0);
	expect_true(!strcmp(stat.personality, "cobalt"));
	expect_ok(cobalt_thread_stat(0, &stat));
	expect_eq(stat.status & (XNRELAX | XNWEAK), XNRELAX | XNWEAK);
	expect_eq(cobalt_thread_stat(1, &stat), -ESRCH);
	expect_eq(cobalt_thread_stat(0, NULL), -EINVAL);
}

static _Atomic int began, ended;

static void count_begin(void)
{
	began++;
}

static void count_end(void)
{
	ended++;
}

static void hooks_are_called(void)
{
	static struct cobalt_tsd_hook hook = {count_begin, count_end, NULL};

	cobalt_register_tsd_hook(&hook);
	in_task(sleep_a_little, NULL);
	expect_eq(began, 1);
	expect_eq(ended, 1);
}

static void core_answers(void)
{
	int value = -1;

	expect_ok(cobalt_corectl(_CC_COBALT_GET_VERSION, &value, sizeof(value)));
	expect_eq(value >> 16, 3);
	expect_ok(cobalt_corectl(_CC_COBALT_GET_POLICIES, &value, sizeof(value)));
	expect_eq(value, 63);
	for (int i = 0; i < 2; i++) {
		expect_ok(cobalt_corectl(_CC_COBALT_GET_CORE_STATUS, &value, sizeof(value)));
		expect_eq(value, COBALT_STATE_RUNNING);
		expect_ok(cobalt_corectl(_CC_COBALT_START_CORE, NULL, 0));
	}
	for (int request = _CC_COBALT_GET_NR_PIPES; request <= _CC_COBALT_GET_WATCHDOG; request++)
		expect_ok(cobalt_corectl(request, &value, sizeof(value)));
	expect_eq(cobalt_corectl(_CC_COBALT_STOP_CORE, NULL, 0), -ENOTSUP);
	expect_eq(cobalt_corectl(99, &value, sizeof(value)), -EINVAL);
	expect_eq(cobalt_corectl(_CC_COBALT_GET_VERSION, &value, 1), -EINVAL);
	expect_eq(cobalt_corectl(_CC_COBALT_GET_VERSION, NULL, sizeof(value)), -EINVAL);
	expect_eq(cobalt_extend(1), -ENOSYS);
	expect_eq(cobalt_serial_debug("# %s\n", "said"), 7);
}

int main(void)
{
	static const struct test_case cases[] = {CASE(modes_are_changed),
						 CASE(modes_hold_for_a_later_policy),
						 CASE(priorities_change_without_linux),
						 CASE(threads_are_steered_by_signals),
						 CASE(periods_are_kept),
						 CASE(signals_end_interruptible_locks),
						 CASE(joining_leaves_the_thread),
						 CASE(figures_are_told),
						 CASE(hooks_are_called),
						 CASE(core_answers)};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
