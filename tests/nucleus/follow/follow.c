/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Linux threads beside tasks on one CPU (thread back end). If another program shares the CPU, or if
 * there is no other CPU for shadows, Linux runs tasks and threads in the order of their priorities.
 * Only the order is checked. Every thread that computes at SCHED_FIFO ends by itself.
 */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOW            10u  /* Linux 4 */
#define HIGH           200u /* Linux 76 */
#define MIDDLE         30   /* Linux, between them */
#define COMPUTE_MS     150u
#define PATIENCE_MS    1000u
#define THREAD_TURN_US 1000

static uint32_t cpu;
static cpu_set_t here;
static tact_sem_t sem;
static pid_t sharer;
static _Atomic bool task_runs, thread_runs, high_ran;

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* A program that also has the CPU, but no work for it. It ends with this one. */
static pid_t begin_sharer(const struct tact_config *config)
{
	char reason[TACT_REASON_BYTES];
	int line[2];
	char byte;
	pid_t child;

	expect_ok(pipe(line));
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!test_start(config, reason) && write(line[1], "r", 1) == 1)
			pause();
		_exit(1);
	}
	close(line[1]);
	expect_eq(read(line[0], &byte, 1), 1);
	close(line[0]);
	return child;
}

/* one: this process may use no other CPU. */
static void start(bool one, struct tact_config config)
{
	char reason[TACT_REASON_BYTES];
	struct sched_param parameter = {.sched_priority = 98};
	cpu_set_t allowed;

	if (test_on_sim())
		test_skip("no Linux beside virtual time");
	if (sched_setscheduler(0, SCHED_FIFO, &parameter))
		test_skip("no SCHED_FIFO");
	parameter.sched_priority = 0;
	expect_ok(sched_setscheduler(0, SCHED_OTHER, &parameter));
	expect_ok(sched_getaffinity(0, sizeof(allowed), &allowed));
	for (cpu = CPU_SETSIZE - 1; !CPU_ISSET(cpu, &allowed); cpu--)
		;
	CPU_ZERO(&here);
	CPU_SET(cpu, &here);
	if (one)
		expect_ok(sched_setaffinity(0, sizeof(here), &here));
	config.linux_cpu = &cpu;
	config.share = !one;
	if (!one)
		sharer = begin_sharer(&config);
	expect_ok(test_start(&config, reason));
}

static pthread_t thread_start(int priority, void *(*entry)(void *))
{
	struct sched_param parameter = {.sched_priority = priority};
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(here), &here);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
	pthread_attr_setschedparam(&attr, &parameter);
	expect_ok(pthread_create(&thread, &attr, entry, NULL));
	pthread_attr_destroy(&attr);
	return thread;
}

static void stop(void)
{
	expect_ok(tact_stop());
	if (!sharer)
		return;
	expect_ok(kill(sharer, SIGKILL));
	expect_eq(waitpid(sharer, NULL, 0), sharer);
}

static void finish(pthread_t thread)
{
	expect_ok(pthread_join(thread, NULL));
	stop();
}

/* Wait asleep, so that the task can begin, then want the CPU beside it. */
static void await_task(void)
{
	for (uint64_t end = now_ms() + 10 * PATIENCE_MS; !task_runs && now_ms() < end;)
		usleep(THREAD_TURN_US);
}

static void *mark_beside(void *arg)
{
	(void)arg;
	await_task();
	mark("thread");
	return NULL;
}

static void compute(void *arg)
{
	(void)arg;
	mark("task");
	task_runs = true;
	tact_compute(COMPUTE_MS * TEST_MS);
	mark("end");
}

static void beside(bool one, uint32_t priority, const char *expected)
{
	pthread_t thread;

	start(one, (struct tact_config){.name = "follow"});
	thread = thread_start(MIDDLE, mark_beside);
	test_join(test_spawn_light(priority, compute, NULL));
	finish(thread);
	expect_marks(expected);
}

TEST_UNSTARTED(a_thread_runs_beside_a_less_urgent_task)
{
	beside(false, LOW, "task thread end");
}

TEST_UNSTARTED(and_waits_for_a_more_urgent_one)
{
	beside(false, HIGH, "task end thread");
}

TEST_UNSTARTED(on_the_only_cpu_also_without_share)
{
	beside(true, LOW, "task thread end");
}

TEST_UNSTARTED(where_it_waits_too)
{
	beside(true, HIGH, "task end thread");
}

static void mark_high(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("high");
}

/* A more urgent task waits until this one unlocks, and so do the tasks between them. */
static void lock_and_compute(void *arg)
{
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_sem_post(sem));
	compute(arg);
	expect_ok(tact_task_unlock_scheduler());
}

TEST_UNSTARTED(a_task_that_locked_the_scheduler_goes_with_those_it_keeps_waiting)
{
	pthread_t thread;
	tact_task_t high;

	start(false, (struct tact_config){.name = "follow"});
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	thread = thread_start(MIDDLE, mark_beside);
	high = test_spawn_light(HIGH, mark_high, NULL);
	test_join(test_spawn_light(LOW, lock_and_compute, NULL));
	test_join(high);
	finish(thread);
	expect_marks("task end high thread");
}

static void rise_and_compute(void *arg)
{
	compute(arg);
	task_runs = false;
	expect_ok(tact_task_set_priority(TACT_SELF, LOW, 0, NULL));
	compute(arg);
}

TEST_UNSTARTED(a_change_of_priority_is_followed)
{
	pthread_t thread;

	start(false, (struct tact_config){.name = "follow"});
	thread = thread_start(MIDDLE, mark_beside);
	test_join(test_spawn_light(HIGH, rise_and_compute, NULL));
	finish(thread);
	expect_marks("task end task thread end");
}

/* Computes, above the low task, until the high one has been here. */
static void *keep_cpu(void *arg)
{
	uint64_t end;

	(void)arg;
	await_task();
	mark("thread");
	thread_runs = true;
	for (end = now_ms() + PATIENCE_MS; !high_ran && now_ms() < end;)
		;
	mark(high_ran ? "served" : "starved");
	return NULL;
}

static void come_by_time(void *arg)
{
	(void)arg;
	while (!thread_runs)
		expect_ok(tact_task_sleep(5 * TEST_MS));
	mark("high");
	high_ran = true;
}

static void come_by_kick(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("high");
	high_ran = true;
}

static void expect_preempted(void (*high)(void *), bool kick)
{
	tact_task_t tasks[2];
	pthread_t thread;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	thread = thread_start(MIDDLE, keep_cpu);
	tasks[0] = test_spawn_light(HIGH, high, NULL);
	tasks[1] = test_spawn_light(LOW, compute, NULL);
	while (kick && !thread_runs)
		usleep(THREAD_TURN_US);
	if (kick)
		expect_ok(tact_sem_post(sem));
	test_join(tasks[0]);
	test_join(tasks[1]);
	finish(thread);
	expect_marks("task thread high served end");
}

TEST_UNSTARTED(an_urgent_task_that_is_due_preempts_the_thread)
{
	start(false, (struct tact_config){.name = "follow"});
	expect_preempted(come_by_time, false);
}

TEST_UNSTARTED(and_on_the_only_cpu)
{
	start(true, (struct tact_config){.name = "follow"});
	expect_preempted(come_by_time, false);
}

TEST_UNSTARTED(an_urgent_task_that_is_woken_from_linux_preempts_the_thread)
{
	start(false, (struct tact_config){.name = "follow"});
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		test_skip("nobody is left to wake it on one CPU");
	expect_preempted(come_by_kick, true);
}

static void *keep_idle_cpu(void *arg)
{
	task_runs = true;
	return keep_cpu(arg);
}

/* The lowest real-time thread gets a CPU that only spins; the next release takes it back. */
TEST_UNSTARTED(a_cpu_that_spins_idle_is_left_to_threads)
{
	pthread_t thread;
	tact_task_t task;

	start(false, (struct tact_config){.name = "follow",
					  .idle = TACT_IDLE_SPIN,
					  .options = "throttling=leave"});
	task = test_spawn_light(HIGH, come_by_time, NULL);
	usleep(20 * THREAD_TURN_US);
	thread = thread_start(1, keep_idle_cpu);
	test_join(task);
	finish(thread);
	expect_marks("thread high served");
}

static void relax_and_mark(void *arg)
{
	(void)arg;
	while (!task_runs)
		usleep(THREAD_TURN_US); /* in secondary mode */
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	mark("shadow");
}

/* A shadow has its task's priority, and is not starved by less urgent tasks in primary mode. */
TEST_UNSTARTED(a_shadow_on_the_only_cpu_runs_in_its_turn)
{
	tact_task_t tasks[2];

	start(true, (struct tact_config){.name = "follow"});
	tasks[0] = test_spawn(100, relax_and_mark, NULL);
	test_until_state(tasks[0], TACT_TASK_STATE_RELAXED);
	tasks[1] = test_spawn_light(LOW, compute, NULL);
	test_join(tasks[0]);
	test_join(tasks[1]);
	stop();
	expect_marks("task shadow end");
}

/* Nothing is lost and no task stands still when kicks meet changes of priority. */
static void count_up(void *arg)
{
	for (int i = 0; i < 2000; i++)
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	*(bool *)arg = true;
}

TEST_UNSTARTED(kicks_and_switches_may_meet)
{
	tact_task_t tasks[2];
	bool done = false;

	start(false, (struct tact_config){.name = "follow"});
	expect_ok(tact_sem_create(NULL, 0, 2000, 0, &sem));
	tasks[0] = test_spawn_light(HIGH, count_up, &done);
	tasks[1] = test_spawn_light(LOW, compute, NULL);
	for (int i = 0; i < 2000; i++)
		expect_ok(tact_sem_post(sem));
	test_join(tasks[0]);
	test_join(tasks[1]);
	expect_true(done);
	stop();
}
