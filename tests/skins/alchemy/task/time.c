/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks and time: sleep, periods, overruns. */
#define _GNU_SOURCE
#include "alchemy_test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

#include <alchemy/cond.h>
#include <alchemy/sem.h>

static RT_TASK task;

static void sleep_all(void *arg)
{
	RTIME before = rt_timer_read();
	RTIME then = 0;
	int error = -ETIMEDOUT;

	(void)arg;
	expect_ok(rt_task_sleep(0));
	expect_ok(rt_task_sleep(TEST_MS));
	expect_true(rt_timer_read() - before >= TEST_MS);
	/* On a busy machine the call may be too late: then it is repeated, with more time. */
	for (RTIME ahead = 3 * TEST_MS; error == -ETIMEDOUT && ahead < 10000 * TEST_MS;
	     ahead *= 10) {
		then = rt_timer_read() + ahead;
		error = rt_task_sleep_until(then);
	}
	expect_ok(error);
	expect_true(rt_timer_read() >= then);
	expect_error(rt_task_sleep_until(before), ETIMEDOUT);
}

TEST(sleep_takes_its_time)
{
	sleep_all(NULL); /* main() may also sleep */
	spawn(&task, 20, sleep_all, NULL);
	join(&task);
}

static void come_too_late(void *arg)
{
	const RTIME left = rt_timer_read() - rt_timer_read() - TEST_MS;
	RT_MUTEX mutex;
	RT_COND cond;
	RT_SEM sem;

	(void)arg;
	expect_ok(rt_sem_create(&sem, NULL, 1, S_FIFO));
	expect_ok(rt_sem_p(&sem, left));
	expect_error(rt_sem_p(&sem, left), ETIMEDOUT);
	expect_error(rt_sem_p_until(&sem, left), ETIMEDOUT);
	expect_ok(rt_mutex_create(&mutex, NULL));
	expect_ok(rt_cond_create(&cond, NULL));
	expect_ok(rt_mutex_acquire(&mutex, left));
	expect_error(rt_cond_wait(&cond, &mutex, left), ETIMEDOUT);
	expect_ok(rt_mutex_release(&mutex));
	expect_error(rt_sem_bind(&sem, "nobody's", left), ETIMEDOUT);
	expect_ok(rt_task_sleep(left));
	expect_error(rt_task_sleep_until(left), ETIMEDOUT);
	expect_error(rt_task_set_periodic(NULL, left, TEST_MS), ETIMEDOUT);
}

/* Programs give the time left until a date, and may be late. */
TEST(what_is_left_until_a_date_that_has_passed_is_no_wait)
{
	spawn(&task, 20, come_too_late, NULL);
	join(&task);
}

static void sleep_long(void *arg)
{
	(void)arg;
	expect_error(rt_task_sleep(10000 * TEST_MS), EINTR);
	mark("broken");
	expect_error(rt_task_sleep_until(TM_INFINITE), EINTR);
	mark("broken");
}

TEST(unblocking_ends_sleep)
{
	spawn(&task, 20, sleep_long, NULL);
	for (int i = 0; i < 2; i++) {
		until_status(&task, XNDELAY);
		expect_ok(rt_task_unblock(&task));
	}
	join(&task);
	expect_marks("broken broken");
}

static void beat(void *arg)
{
	RTIME first = rt_timer_read() + 2 * TEST_MS;
	unsigned long overruns = 7;

	(void)arg;
	expect_error(rt_task_wait_period(&overruns), EWOULDBLOCK);
	expect_eq(overruns, 7);
	expect_error(rt_task_set_periodic(NULL, 1, TEST_MS), ETIMEDOUT);
	expect_error(rt_task_set_periodic(NULL, TM_NOW, 999), EINVAL);
	expect_ok(rt_task_set_periodic(NULL, first, 10 * TEST_MS));
	for (int i = 0; i < 3; i++) {
		int error = rt_task_wait_period(&overruns);

		/* A busy machine may be late. */
		expect_true(error == 0 || (!test_on_sim() && error == -ETIMEDOUT));
		expect_true(rt_timer_read() >= first + (RTIME)i * 10 * TEST_MS);
		if (!error)
			expect_eq(overruns, 0);
	}
	expect_ok(rt_task_set_periodic(rt_task_self(), TM_NOW, TEST_MS));
	(void)rt_task_wait_period(NULL);
	rt_timer_spin(3 * TEST_MS + TEST_MS / 2);
	expect_error(rt_task_wait_period(&overruns), ETIMEDOUT);
	expect_true(overruns >= 2);
	if (test_on_sim())
		expect_eq(overruns, 2);
	expect_ok(rt_task_set_periodic(NULL, TM_NOW, TM_INFINITE));
	expect_error(rt_task_wait_period(NULL), EWOULDBLOCK);
}

TEST(periods_are_kept_and_missed_ones_told)
{
	spawn(&task, 20, beat, NULL);
	join(&task);
}

static void sum_releases(void *arg)
{
	RTIME expected = rt_timer_read() + 2 * TEST_MS;
	bool given_late = false;

	(void)arg;
	expect_ok(rt_task_set_periodic(NULL, expected, 4 * TEST_MS));
	for (int i = 0; i < 12; i++) {
		unsigned long overruns = 0;
		int error = rt_task_wait_period(&overruns);
		RTIME now = rt_timer_read();

		expect_true(error == (overruns ? -ETIMEDOUT : 0));
		/* The returned release has come, and so have the missed ones. */
		expect_true(now >= expected + overruns * 4 * TEST_MS);
		given_late = given_late || (!error && now > expected + TEST_MS);
		expected += (overruns + 1) * 4 * TEST_MS;
		rt_timer_spin((RTIME)i * TEST_MS);
	}
	if (test_on_sim())
		expect_true(given_late);
}

/* Latency programs know the next release so. */
TEST(overruns_and_one_make_the_next_release)
{
	spawn(&task, 20, sum_releases, NULL);
	join(&task);
}

static void beat_until_broken(void *arg)
{
	(void)arg;
	expect_error(rt_task_wait_period(NULL), EINTR);
	mark("broken");
}

TEST(another_one_makes_it_periodic)
{
	expect_ok(rt_task_create(&task, NULL, 0, 20, T_JOINABLE));
	expect_ok(rt_task_set_periodic(&task, TM_NOW, 10000 * TEST_MS));
	expect_ok(rt_task_start(&task, beat_until_broken, NULL));
	until_status(&task, XNDELAY);
	expect_ok(rt_task_unblock(&task));
	join(&task);
	expect_marks("broken");
}

static _Atomic long heard; /* by which thread */

static void hear(int signal)
{
	(void)signal;
	heard = syscall(SYS_gettid);
}

static void hear_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	expect_ok(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

static void sleep_soundly(void *arg)
{
	(void)arg;
	hear_signals();
	expect_error(rt_task_sleep(10000 * TEST_MS), EINTR);
	expect_true(heard);
}

static _Atomic bool goes_on;

/* The second time it is resumed. */
static void be_suspended(void *arg)
{
	(void)arg;
	hear_signals();
	expect_error(rt_task_suspend(NULL), EINTR);
	expect_true(heard);
	goes_on = true;
	expect_ok(rt_task_suspend(NULL));
}

static void send_signal(void)
{
	RT_TASK_INFO info;

	expect_ok(rt_task_inquire(&task, &info));
	expect_ok(syscall(SYS_tgkill, getpid(), info.pid, SIGUSR1));
}

/* A task that has the status, and gets a signal. */
static void signal_in(void (*entry)(void *arg), uint32_t status)
{
	if (test_on_sim())
		test_skip("virtual time has no signals");
	signal(SIGUSR1, hear);
	spawn(&task, 20, entry, NULL);
	until_status(&task, status);
	send_signal();
}

TEST(signal_does_not_end_sleep)
{
	signal_in(sleep_soundly, XNDELAY);
	for (int i = 0; i < 5000 && !heard; i++)
		usleep(1000);
	expect_true(heard);
	until_status(&task, XNDELAY);
	expect_ok(rt_task_unblock(&task));
	join(&task);
}

TEST(signal_ends_suspension)
{
	signal_in(be_suspended, XNSUSP);
	for (int i = 0; i < 5000 && !goes_on; i++)
		usleep(1000);
	until_status(&task, XNSUSP);
	expect_ok(rt_task_resume(&task));
	join(&task);
}

static void be_patient(void *arg)
{
	(void)arg;
	hear_signals();
	while (!heard)
		(void)rt_task_sleep(TEST_MS);
}

TEST(signal_ends_suspension_by_others)
{
	if (test_on_sim())
		test_skip("virtual time has no signals");
	signal(SIGUSR1, hear);
	spawn(&task, 20, be_patient, NULL);
	until_status(&task, XNDELAY);
	expect_ok(rt_task_suspend(&task));
	expect_ok(rt_task_suspend(&task));
	until_status(&task, XNSUSP);
	send_signal();
	join(&task);
}

static void go_to_and_fro(void *arg)
{
	(void)arg;
	while (!heard) {
		expect_true(getppid() > 0);
		expect_ok(rt_task_sleep(TEST_MS));
	}
}

static void *send_to_program(void *arg)
{
	usleep(50000);
	expect_ok(kill(getpid(), SIGINT));
	return arg;
}

TEST(signal_to_the_program_is_for_main)
{
	pthread_t thread;
	sigset_t set;

	if (test_on_sim())
		test_skip("virtual time has no signals");
	signal(SIGINT, hear);
	spawn(&task, 20, go_to_and_fro, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	expect_ok(pthread_sigmask(SIG_BLOCK, &set, NULL));
	expect_ok(pthread_create(&thread, NULL, send_to_program, NULL));
	sigemptyset(&set);
	/* Returns when the handler has run here. */
	expect_eq(sigsuspend(&set), -1);
	expect_eq(heard, getpid());
	expect_ok(pthread_join(thread, NULL));
	join(&task);
}
