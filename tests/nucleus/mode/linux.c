/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Full tasks and the real Linux (thread back end): a system call moves a task to its shadow, with
 * errno, thread-local storage, signal mask and floating point intact, and its next call of Tactus
 * brings it back.
 */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int mine;
static tact_sem_t sem;
static char report[8192];

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

static void call_linux(void *arg)
{
	struct tact_task_info info;
	uint64_t *switches = arg;

	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	mine = 7;
	for (int i = 0; i < 10; i++) {
		expect_eq(syscall(SYS_getppid), getppid());
		expect_eq(tact_mode(), TACT_MODE_SECONDARY);
		expect_eq(mine, 7);
		errno = 0;
		expect_eq(close(-1), -1);
		expect_eq(errno, EBADF);
		expect_ok(tact_sem_post(sem));
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
		expect_eq(errno, EBADF);
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	}
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	*switches = info.mode_switches;
	expect_true(info.linux_tid != 0);
}

TEST(linux_calls_switch_modes_and_are_counted)
{
	uint64_t switches = 0;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	test_join(test_spawn(20, call_linux, &switches));
	/* One a round: the calls in secondary mode change nothing. */
	expect_eq(switches, 10);
}

static void use_libc(void *arg)
{
	FILE *file = tmpfile();
	char line[64];

	(void)arg;
	expect_true(file != NULL);
	for (int i = 0; i < 50; i++) {
		char *block = malloc((size_t)i * 1000 + 1);

		expect_true(block != NULL);
		memset(block, i, (size_t)i * 1000 + 1);
		expect_true(fprintf(file, "%d %f\n", i, i / 3.0) > 0);
		expect_ok(tact_task_sleep(TEST_MS / 10));
		free(block);
	}
	rewind(file);
	expect_true(fgets(line, sizeof(line), file) != NULL);
	expect_str(line, "0 0.000000\n");
	fclose(file);
}

TEST(libc_works_in_several_tasks_at_once)
{
	tact_task_t task[4];

	needs_linux();
	for (int i = 0; i < 4; i++)
		task[i] = test_spawn((uint32_t)(10 + i), use_libc, NULL);
	for (int i = 0; i < 4; i++)
		test_join(task[i]);
}

static void keep_rounding(void *arg)
{
	int rounding = *(int *)arg;

	fesetround(rounding);
	for (int i = 0; i < 50; i++) {
		expect_eq(fegetround(), rounding);
		(void)syscall(SYS_getppid);
		expect_eq(fegetround(), rounding);
		expect_ok(tact_task_sleep(TEST_MS / 20));
	}
}

TEST(floating_point_modes_belong_to_the_task)
{
	static int up = FE_UPWARD;
	static int down = FE_DOWNWARD;
	tact_task_t task[2];

	needs_linux();
	task[0] = test_spawn(20, keep_rounding, &up);
	task[1] = test_spawn(20, keep_rounding, &down);
	test_join(task[0]);
	test_join(task[1]);
}

static void call_forbidden(void *arg)
{
	(void)arg;
	(void)syscall(SYS_getppid);
	mark("not-reached");
}

static void capture(void)
{
	int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);

	expect_true(fd >= 0);
	expect_eq(dup2(fd, STDERR_FILENO), STDERR_FILENO);
	close(fd);
}

static void expect_report(const char *word)
{
	ssize_t bytes = pread(STDERR_FILENO, report, sizeof(report) - 1, 0);

	expect_true(bytes >= 0);
	report[bytes] = '\0';
	if (!strstr(report, word))
		test_fail(__FILE__, __LINE__, "report: expected \"%s\" in it, actual \"%s\"", word,
			  report);
}

static void forbidden(uint32_t flags)
{
	struct tact_task_attr attr = {.name = "strict", .priority = 20, .flags = flags};
	tact_task_t task;

	needs_linux();
	capture();
	expect_ok(tact_task_spawn(&attr, call_forbidden, NULL, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_marks("");
	expect_report("task \"strict\"");
	expect_report("Linux call not allowed, number");
}

TEST(a_linux_call_that_is_forbidden_is_a_fault)
{
	forbidden(TACT_TASK_NO_LINUX);
}

TEST(a_linux_call_of_a_light_task_is_a_fault)
{
	forbidden(TACT_TASK_LIGHT);
}

static void use_tls(void *arg)
{
	(void)arg;
	mine = 1;
	mark("not-reached");
}

TEST(thread_local_storage_of_a_light_task_is_a_fault)
{
	struct tact_task_attr attr = {.name = "light", .priority = 20, .flags = TACT_TASK_LIGHT};
	tact_task_t task;

	needs_linux();
	capture();
	expect_ok(tact_task_spawn(&attr, use_tls, NULL, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_marks("");
	expect_report("thread-local storage used by a light task");
}

static void warned(void *arg)
{
	(void)arg;
	(void)syscall(SYS_getppid);
}

TEST(a_mode_switch_can_be_reported_with_its_place)
{
	struct tact_task_attr attr = {.name = "noisy", .priority = 20, .flags = TACT_TASK_WARN};
	tact_task_t task;

	needs_linux();
	capture();
	expect_ok(tact_task_spawn(&attr, warned, NULL, &task));
	test_join(task);
	expect_report("task \"noisy\"");
	expect_report("left primary mode by Linux call");
	expect_report("#0");
}

static _Atomic int handled;
static _Atomic int handler_mode;

static void on_signal(int number)
{
	(void)number;
	handler_mode = (int)tact_mode();
	handled = mine;
}

static void wait_for_signal(void *arg)
{
	int *result = arg;

	mine = 42;
	*result = tact_sem_wait(sem, TEST_LONG);
}

TEST(a_signal_brings_a_waiting_task_to_its_handler)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct tact_task_info info;
	tact_task_t task;
	int result = 1;

	needs_linux();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(20, wait_for_signal, &result);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_inquire(task, &info));
	expect_ok(syscall(SYS_tgkill, getpid(), info.linux_tid, SIGUSR1));
	test_join(task);
	/* As with a Linux call, the wait is broken; the handler saw the task's own variables. */
	expect_eq(result, -TACT_EINTR);
	expect_eq(handled, 42);
	expect_eq(handler_mode, TACT_MODE_SECONDARY);
}

static void compute_while_signalled(void *arg)
{
	(void)arg;
	tact_compute(700 * TEST_MS);
	mark("busy");
}

static void begin_with_signal(void *arg)
{
	(void)arg;
	mark(tact_mode() == TACT_MODE_SECONDARY ? "secondary" : "primary");
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	mark("in");
}

static uint32_t tid_of(tact_task_t task)
{
	struct tact_task_info info;

	expect_ok(tact_task_inquire(task, &info));
	return info.linux_tid;
}

/* Ready behind another one: its first code runs on its shadow then. */
TEST(a_signal_before_the_first_run_is_handled)
{
	struct sigaction action = {.sa_handler = on_signal};
	tact_task_t busy;
	tact_task_t task;

	needs_linux();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	busy = test_spawn(20, compute_while_signalled, NULL);
	task = test_spawn(10, begin_with_signal, NULL);
	expect_ok(syscall(SYS_tgkill, getpid(), tid_of(task), SIGUSR1));
	test_join(busy);
	test_join(task);
	expect_eq(handler_mode, TACT_MODE_SECONDARY);
	expect_marks("secondary busy in");
}

static void come_back_behind(void *arg)
{
	(void)getppid();
	while (!*(volatile bool *)arg)
		(void)getppid();
	/* Back to primary mode, where the CPU is taken: the signal comes now, once and again. */
	for (int i = 0; i < 2; i++)
		expect_ok(tact_sem_post(sem));
	mark("through");
}

TEST(a_signal_on_the_way_back_to_primary_mode_is_handled)
{
	struct sigaction action = {.sa_handler = on_signal};
	volatile bool go = false;
	struct tact_task_info info;
	tact_task_t busy;
	tact_task_t task;

	needs_linux();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	expect_ok(tact_sem_create(NULL, 0, 2, 0, &sem));
	task = test_spawn(10, come_back_behind, (void *)&go);
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	busy = test_spawn(20, compute_while_signalled, NULL);
	go = true;
	/* The second one is taken only if the first has left the task's signal mask as it was. */
	for (int i = 0; i < 2; i++) {
		do
			expect_ok(tact_task_inquire(task, &info));
		while (info.state != TACT_TASK_STATE_READY);
		handler_mode = 0;
		expect_ok(syscall(SYS_tgkill, getpid(), tid_of(task), SIGUSR1));
		for (int wait = 0; wait < 300 && !handler_mode; wait++)
			usleep(1000);
		expect_eq(handler_mode, TACT_MODE_SECONDARY);
	}
	test_join(busy);
	test_join(task);
	expect_marks("busy through");
}

static void *be_a_task(void *arg)
{
	struct tact_task_attr attr = {.name = "adopted", .priority = 20};
	tact_task_t task;

	(void)arg;
	mine = 5;
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_task_adopt(&attr, &task));
		expect_error(tact_task_adopt(&attr, NULL), TACT_EBUSY);
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
		expect_eq(tact_task_self(), task);
		expect_eq(mine, 5);
		expect_ok(tact_task_sleep(TEST_MS));
		expect_true(getpid() > 0);
		expect_ok(tact_sem_post(sem));
		expect_ok(tact_task_let_go());
		expect_eq(tact_mode(), TACT_MODE_NONE);
		expect_error(tact_task_inquire(task, NULL), TACT_EIDRM);
		expect_eq(mine, 5);
	}
	return NULL;
}

TEST(a_pthread_becomes_a_task_and_a_plain_thread_again)
{
	pthread_t thread;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(pthread_create(&thread, NULL, be_a_task, NULL));
	expect_ok(pthread_join(thread, NULL));
	for (int i = 0; i < 3; i++)
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_task_let_go(), TACT_EPERM);
}

TEST(adoption_that_is_refused_leaves_the_thread_as_it_was)
{
	struct tact_task_attr attr = {.name = "taken"};
	cpu_set_t before;
	cpu_set_t after;
	tact_sem_t named;

	needs_linux();
	expect_ok(tact_sem_create("taken", 0, 1, 0, &named));
	sched_getaffinity(0, sizeof(before), &before);
	expect_error(tact_task_adopt(&attr, NULL), TACT_EEXIST);
	expect_eq(tact_mode(), TACT_MODE_NONE);
	sched_getaffinity(0, sizeof(after), &after);
	expect_true(CPU_EQUAL(&before, &after));
	expect_ok(tact_sem_delete(named));
	expect_ok(tact_task_adopt(&attr, NULL));
	expect_ok(tact_task_let_go());
}

TEST(main_becomes_a_task_too)
{
	tact_mutex_t mutex;

	needs_linux();
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_task_adopt(NULL, NULL));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_error(tact_task_let_go(), TACT_EBUSY);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_task_let_go());
	expect_eq(tact_mode(), TACT_MODE_NONE);
}

static void *find_for_ever(void *arg)
{
	*(int *)arg = tact_find("never", TACT_FOREVER, NULL);
	return NULL;
}

TEST_UNSTARTED(a_thread_that_waits_for_a_name_is_told_of_the_stop)
{
	struct tact_config config = {0};
	pthread_t thread;
	int result = 0;

	needs_linux();
	expect_ok(test_start(&config, NULL));
	expect_ok(pthread_create(&thread, NULL, find_for_ever, &result));
	usleep(20000);
	expect_ok(tact_stop());
	expect_ok(pthread_join(thread, NULL));
	/* The thread may have been late. */
	expect_true(result == -TACT_EIDRM || result == -TACT_EPERM);
}

static int pipe_ends[2];
static _Atomic int after_stop;

static void read_across_the_stop(void *arg)
{
	char byte;

	(void)arg;
	expect_eq(read(pipe_ends[0], &byte, 1), 1);
	after_stop = tact_sem_post(sem);
}

TEST_UNSTARTED(a_task_that_is_in_linux_at_the_stop_is_refused_after_it)
{
	struct tact_config config = {0};
	tact_task_t task;

	needs_linux();
	expect_ok(pipe(pipe_ends));
	expect_ok(test_start(&config, NULL));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(10, read_across_the_stop, NULL);
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	expect_ok(tact_stop());
	expect_eq(write(pipe_ends[1], "", 1), 1);
	for (int wait = 0; wait < 5000 && !after_stop; wait++)
		usleep(1000);
	expect_error(after_stop, TACT_EPERM);
}

static void compute_then_mark(void *arg)
{
	(void)arg;
	tact_compute(30 * TEST_MS);
	mark("low");
}

static void wake_and_mark(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_sleep(2 * TEST_MS));
	mark("high");
}

TEST(a_computing_task_is_preempted)
{
	tact_task_t task[2];

	task[0] = test_spawn(10, compute_then_mark, NULL);
	task[1] = test_spawn(20, wake_and_mark, NULL);
	test_join(task[0]);
	test_join(task[1]);
	expect_marks("high low");
}
