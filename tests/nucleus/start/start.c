/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start and stop: what is refused with which words, what the environment overrides, a second life.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char reason[TACT_REASON_BYTES];

static void expect_refused(struct tact_config config, int code, const char *word)
{
	int result = test_start(&config, reason);

	if (result != -code || !strstr(reason, word))
		test_fail(__FILE__, __LINE__, "expected %d and \"%s\", actual %d and \"%s\"", -code,
			  word, result, reason);
	expect_eq(tact_cpus(), 0);
	/* The caller need not want the reason. */
	expect_error(test_start(&config, NULL), code);
}

TEST_UNSTARTED(configuration_is_checked)
{
	expect_refused((struct tact_config){.name = ""}, TACT_EINVAL, "name");
	expect_refused((struct tact_config){.name = "a/b"}, TACT_EINVAL, "name");
	expect_refused((struct tact_config){.name = "two\nlines"}, TACT_EINVAL, "name");
	expect_refused((struct tact_config){.name = "\x1b[2J"}, TACT_EINVAL, "name");
	expect_refused((struct tact_config){.name = "rubbed\x7f"}, TACT_EINVAL, "name");
	expect_refused((struct tact_config){.cpus = 32}, TACT_EINVAL, "cpus");
	expect_refused((struct tact_config){.priority = 99}, TACT_EINVAL, "priority");
	expect_refused((struct tact_config){.idle = 3}, TACT_EINVAL, "idle");
	expect_refused((struct tact_config){.fault = 2}, TACT_EINVAL, "fault");
	expect_refused((struct tact_config){.pool_bytes = 1000}, TACT_EINVAL, "pool_bytes");
	expect_refused((struct tact_config){.task_slots = 70000}, TACT_EINVAL, "task_slots");
	expect_refused((struct tact_config){.trace_events = 1000}, TACT_EINVAL, "trace_events");
	expect_refused((struct tact_config){.trace_events = 1u << 25}, TACT_EINVAL, "trace_events");
	expect_refused((struct tact_config){.options = "nonsense=1"}, TACT_EINVAL, "nonsense");
	expect_refused((struct tact_config){.gravity.idle_ns = 1000001}, TACT_EINVAL, "gravity");
}

TEST_UNSTARTED(name_of_the_program_is_cut_and_may_be_any_text)
{
	expect_ok(test_start(&(struct tact_config){.name = "axis 1: größe"}, reason));
	expect_eq(strcmp(tact_program(), "axis 1: größe"), 0);
	expect_ok(tact_stop());
	expect_eq(strcmp(tact_program(), ""), 0);
	expect_ok(test_start(&(struct tact_config){.name = "0123456789012345678901234567890123"},
			     reason));
	expect_eq(strcmp(tact_program(), "0123456789012345678901234567890"), 0);
	expect_ok(tact_stop());
}

TEST_UNSTARTED(program_without_a_name_has_the_one_that_started_it)
{
	char expected[TACT_NAME_BYTES];

	snprintf(expected, sizeof(expected), "%s", program_invocation_short_name);
	expect_ok(test_start(&(struct tact_config){.cpus = 1}, reason));
	expect_str(tact_program(), expected);
	expect_ok(tact_stop());
}

TEST_UNSTARTED(cpu_that_does_not_exist_is_refused)
{
	static const uint32_t cpu = 5000;

	if (test_on_sim())
		test_skip("simulated CPUs have no Linux CPU");
	expect_refused((struct tact_config){.linux_cpu = &cpu}, TACT_ENXIO, "CPU");
}

TEST_UNSTARTED(pool_that_cannot_be_had_is_refused)
{
	expect_refused((struct tact_config){.pool_bytes = (size_t)1 << 60}, TACT_ENOMEM, "pool");
}

static _Atomic bool calling;

static void *call_on_and_on(void *unused)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT};
	tact_sem_t sem = {0};
	tact_task_t task = {0};

	(void)unused;
	while (calling) {
		int result = tact_sem_create(NULL, 0, 1, 0, &sem);

		if (!result)
			(void)tact_sem_wait(sem, tact_in(1000));
		else if (result != -TACT_EIDRM)
			expect_error(result, TACT_EPERM);
		/* -TACT_EIDRM, -TACT_EPERM: stopped meanwhile, and perhaps started again. */
		(void)tact_delete(tact_object(sem));
		result = tact_task_create(&attr, &task);
		if (!result)
			(void)tact_task_delete(task);
		else if (result != -TACT_EIDRM)
			expect_error(result, TACT_EPERM);
	}
	return NULL;
}

TEST_UNSTARTED(start_and_stop_refuse_the_threads_that_call_meanwhile)
{
	pthread_t threads[2];

	if (test_on_sim())
		test_skip("host threads are outside of the simulation");
	calling = true;
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_create(&threads[i], NULL, call_on_and_on, NULL));
	for (int life = 0; life < test_lives(20); life++) {
		expect_ok(test_start(&(struct tact_config){.cpus = 1}, reason));
		expect_ok(tact_stop());
	}
	calling = false;
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_join(threads[i], NULL));
}

TEST_UNSTARTED(second_start_is_refused_and_a_second_life_is_not)
{
	struct tact_config config = {0};

	expect_error(tact_stop(), TACT_EPERM);
	for (int life = 0; life < 3; life++) {
		tact_sem_t sem;

		expect_ok(test_start(&config, reason));
		expect_eq(tact_cpus(), 1);
		expect_error(tact_start(&config, reason), TACT_EBUSY);
		expect_true(strstr(reason, "already") != NULL);
		expect_ok(tact_sem_create("life", 0, 1, 0, &sem));
		expect_ok(tact_sem_post(sem));
		expect_ok(tact_sem_wait(sem, TACT_FOREVER));
		expect_ok(tact_task_create(&(struct tact_task_attr){.name = "task"}, NULL));
		expect_ok(tact_stop());
		expect_eq(tact_cpus(), 0);
		expect_error(tact_sem_post(sem), TACT_EPERM);
		expect_error(tact_stop(), TACT_EPERM);
	}
}

TEST_UNSTARTED(handle_of_an_earlier_life_names_nothing)
{
	struct tact_config config = {0};
	tact_sem_t before = {0}, now;

	for (int life = 0; life < 3; life++) {
		expect_ok(test_start(&config, reason));
		expect_ok(tact_sem_create("same", 0, 1, 0, &now));
		if (life) {
			expect_true(!tact_same(before, now));
			expect_error(tact_delete(tact_object(before)), TACT_EIDRM);
			expect_error(tact_sem_post(before), TACT_EIDRM);
		}
		expect_ok(tact_sem_post(now));
		before = now;
		expect_ok(tact_stop());
	}
}

static void sleep_for_ever(void *arg)
{
	(void)arg;
	(void)tact_task_sleep_until(TACT_FOREVER);
	mark("not-reached");
}

static void compute_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		tact_compute(10000);
}

TEST_UNSTARTED(stop_ends_tasks_in_every_state)
{
	const struct tact_sched_param partition = {.sched_class = TACT_SCHED_PARTITION};
	struct tact_config config = {0};
	tact_task_t task;

	expect_ok(test_start(&config, reason));
	(void)test_spawn(10, sleep_for_ever, NULL);
	(void)test_spawn_light(10, sleep_for_ever, NULL);
	(void)test_spawn(5, compute_for_ever, NULL);
	task = test_spawn(7, sleep_for_ever, NULL);
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_spawn(&(struct tact_task_attr){.sched = &partition}, sleep_for_ever,
				  NULL, NULL));
	expect_ok(tact_stop());
	expect_marks("");
}

static void stop_here(void *arg)
{
	*(int *)arg = tact_stop();
}

TEST(task_cannot_stop_the_program)
{
	int result = 0;

	test_join(test_spawn(10, stop_here, &result));
	expect_error(result, TACT_EPERM);
}

TEST_UNSTARTED(environment_overrides_the_configuration)
{
	struct tact_config config = {.cpus = 1};

	if (!test_on_sim())
		test_skip("it would take CPUs that others use");
	setenv("TACTUS_CPUS", "3", 1);
	setenv("TACTUS_IDLE", "sleep", 1);
	setenv("TACTUS_PRIORITY", "70", 1);
	expect_ok(test_start(&config, reason));
	expect_eq(tact_cpus(), 3);
	expect_ok(tact_stop());
}

static uint32_t linux_cpu_of(uint32_t cpu)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(cpu, &info));
	return info.linux_cpu;
}

/* The list has only as many members as the configuration says; behind it is a CPU that does not
 * exist. */
TEST_UNSTARTED(environment_wants_more_cpus_than_are_named)
{
	static const uint32_t cpus[] = {TACT_CPU_ANY, 5000, 5000, 5000};
	struct tact_config config = {.linux_cpu = cpus};

	if (!test_on_sim())
		test_skip("it would take CPUs that others use");
	setenv("TACTUS_CPUS", "2", 1);
	for (config.cpus = 0; config.cpus <= 1; config.cpus++) {
		expect_ok(test_start(&config, reason));
		expect_eq(tact_cpus(), 2);
		expect_true(linux_cpu_of(0) != linux_cpu_of(1));
		expect_ok(tact_stop());
	}
	config.cpus = 3;
	expect_error(test_start(&config, reason), TACT_ENXIO);
}

static bool forked;

/*
 * The leak sanitizer calls this at exit. The child's memory is its parent's, and the search takes
 * long, because the sanitizer looks for the parent's threads in vain.
 */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return forked;
}

TEST_UNSTARTED(child_of_a_fork_exits_without_touching_its_parent)
{
	struct tact_config config = {.watchdog_ms = 300};
	tact_task_t task;
	int status;
	pid_t child;

	expect_ok(test_start(&config, reason));
	child = fork();
	if (!child) {
		forked = true;
		if (tact_sem_create(NULL, 0, 1, 0, NULL) != -TACT_EPERM)
			_exit(4);
		if (tact_start(&config, reason) != -TACT_EPERM || !strstr(reason, "fork"))
			_exit(5);
		if (tact_cpus() || tact_program()[0])
			_exit(6);
		exit(3);
	}
	expect_eq(waitpid(child, &status, 0), child);
	expect_true(WIFEXITED(status));
	expect_eq(WEXITSTATUS(status), 3);
	/* The watchdog's thread is still there. */
	task = test_spawn(5, compute_for_ever, NULL);
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_ok(tact_stop());
}

static struct tact_gravity gravity_in_use(const struct tact_gravity *given, const char *environment)
{
	struct tact_config config = {.gravity = *given};
	struct tact_cpu_info info = {0};

	if (environment)
		setenv("TACTUS_GRAVITY", environment, 1);
	expect_ok(test_start(&config, reason));
	expect_ok(tact_cpu_inquire(0, &info));
	expect_ok(tact_stop());
	unsetenv("TACTUS_GRAVITY");
	return info.gravity;
}

TEST_UNSTARTED(gravity_is_the_environments_then_the_programs)
{
	const struct tact_gravity given = {11, 22, 33, 4444, 555};
	struct tact_gravity found = gravity_in_use(&given, NULL);

	expect_eq(found.handler_ns, 11);
	expect_eq(found.light_ns, 22);
	expect_eq(found.task_ns, 33);
	expect_eq(found.idle_ns, 4444);
	expect_eq(found.preempt_ns, 555);
	found = gravity_in_use(&given, "1:0:3:0:1000000");
	expect_eq(found.handler_ns, 1);
	expect_eq(found.light_ns, 22);
	expect_eq(found.task_ns, 3);
	expect_eq(found.idle_ns, 4444);
	expect_eq(found.preempt_ns, 1000000);
}

static void expect_environment_refused(const char *name, const char *value)
{
	setenv(name, value, 1);
	expect_refused((struct tact_config){0}, TACT_EINVAL, name);
	unsetenv(name);
}

TEST_UNSTARTED(environment_is_checked)
{
	expect_environment_refused("TACTUS_CPUS", "many");
	expect_environment_refused("TACTUS_CPUS", "");
	expect_environment_refused("TACTUS_CPUS", "4294967296");
	expect_environment_refused("TACTUS_IDLE", "lazy");
	expect_environment_refused("TACTUS_SHARE", "yes");
	expect_environment_refused("TACTUS_SHARE", "");
	expect_environment_refused("TACTUS_REQUIRE", "2");
	expect_environment_refused("TACTUS_PRIORITY", "-1");
	expect_environment_refused("TACTUS_GRAVITY", "");
	expect_environment_refused("TACTUS_GRAVITY", "1:2:3:4");
	expect_environment_refused("TACTUS_GRAVITY", "1:2:3:4:5:");
	expect_environment_refused("TACTUS_GRAVITY", "1:2::4:5");
	expect_environment_refused("TACTUS_GRAVITY", "1:2:3:4:1000001");
	expect_environment_refused("TACTUS_GRAVITY", "1:2:3:4:-5");
	expect_environment_refused("TACTUS_GRAVITY", "1:2:3:4:00000000000005");
	setenv("TACTUS_CPUS", "40", 1);
	expect_refused((struct tact_config){0}, TACT_EINVAL, "cpus");
	unsetenv("TACTUS_CPUS");
	setenv("TACTUS_OPTIONS", "nonsense=1", 1);
	expect_refused((struct tact_config){.options = ""}, TACT_EINVAL, "nonsense");
}
