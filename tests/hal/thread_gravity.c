/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: the delays that were stored for this machine, and the figures of waits. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"

static char reason[256];
static uint32_t stored_idle_ns = 44444;

/* The first line and one entry: for that CPU, kernel and processor. */
static void store_gravity(const char *path, const char *header, uint32_t cpu, const char *kernel,
			  const char *more)
{
	char line[512], model[256] = "unknown\n";
	FILE *file = fopen("/proc/cpuinfo", "re");

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "model name", 10)) {
			snprintf(model, sizeof(model), "%s", strchr(line, ':') + 2);
			break;
		}
	if (file)
		fclose(file);
	file = fopen(path, "we");
	fprintf(file, "%s\n11 22 33 %u 5555 %u %s %s%s", header, stored_idle_ns, cpu, kernel, model,
		more);
	fclose(file);
}

static const char gravity_path[] = "/tmp/tactus-test-gravity";

static void sleep_often(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 20; i++)
		suite_sleep_until(hal_now_ns() + 3000000);
}

static struct hal_gravity gravity_after(uint32_t configured_idle_ns, void (*work)(void *unused))
{
	struct hal_config config = suite_config(1);
	struct hal_gravity gravity;
	struct suite_task task;
	uint32_t cpu = thread_cpu(0);

	config.linux_cpus = &cpu;
	config.gravity_idle_ns = configured_idle_ns;
	config.options = "gravity=/tmp/tactus-test-gravity";
	while (suite_try_start(&config, reason) == -TACT_EBUSY)
		hal_linux_pause(10000000);
	if (work) {
		suite_task_start(&task, 0, false, work, NULL);
		suite_task_join(&task);
	}
	hal_gravity(&suite_cpus[0].hal, &gravity);
	suite_stop();
	return gravity;
}

static struct hal_gravity gravity_of(uint32_t configured_idle_ns)
{
	return gravity_after(configured_idle_ns, NULL);
}

static void stored_gravity_is_used(void)
{
	struct hal_gravity gravity;
	struct utsname name;

	uname(&name);
	store_gravity(gravity_path, "tactus-gravity 1", thread_cpu(0), name.release, "");
	gravity = gravity_of(HAL_GRAVITY_UNSET);
	expect("handler", 11, gravity.handler_ns);
	expect("light", 22, gravity.light_ns);
	expect("task", 33, gravity.task_ns);
	expect("idle", 44444, gravity.idle_ns);
	expect("preempt", 5555, gravity.preempt_ns);
	gravity = gravity_of(7777);
	expect("the program's goes before", 7777, gravity.idle_ns);
	expect("and the rest stays", 5555, gravity.preempt_ns);
	store_gravity(gravity_path, "tactus-gravity 1", thread_cpu(0) + 1, name.release, "");
	expect_true("not another CPU's", gravity_of(HAL_GRAVITY_UNSET).task_ns != 33);
	store_gravity(gravity_path, "tactus-gravity 1", thread_cpu(0), "0.0.1-other", "");
	expect_true("not another kernel's", gravity_of(HAL_GRAVITY_UNSET).task_ns != 33);
	expect("no word of it", 0, strstr(reason, "gravity") != NULL);
	unlink(gravity_path);
}

/* Not used at all, not even the correct lines, and the program is told. */
static void damaged_gravity_is_told(void)
{
	static const char *const more[] = {"x",
					   "1 2 3 4 5 0 k",
					   "0 2 3 4 5 0 k m\n",
					   "1 2 3 4 1000001 0 k m\n",
					   "1 2 3 4 5 0  k m\n",
					   "1 2 3 4 -5 0 k m\n",
					   "\n"};
	struct utsname name;

	uname(&name);
	for (unsigned i = 0; i <= sizeof(more) / sizeof(more[0]); i++) {
		bool header = i == sizeof(more) / sizeof(more[0]);

		store_gravity(gravity_path, header ? "tactus-gravity 2" : "tactus-gravity 1",
			      thread_cpu(0), name.release, header ? "" : more[i]);
		expect_true("built in", gravity_of(HAL_GRAVITY_UNSET).task_ns != 33);
		expect_true("the line is named",
			    strstr(reason, header ? "line 1" : "line 3") != NULL);
	}
	unlink(gravity_path);
}

/* No sleeping CPU wakes within a microsecond. The value that the program gave is used. */
static void idle_lead_follows_what_wake_ups_take(void)
{
	struct utsname name;

	uname(&name);
	stored_idle_ns = 1;
	store_gravity(gravity_path, "tactus-gravity 1", thread_cpu(0), name.release, "");
	expect_true("longer", gravity_after(HAL_GRAVITY_UNSET, sleep_often).idle_ns > 1000);
	expect("the program's", 7777, gravity_after(7777, sleep_often).idle_ns);
	stored_idle_ns = 1000000;
	store_gravity(gravity_path, "tactus-gravity 1", thread_cpu(0), name.release, "");
	expect_true("at most", gravity_after(HAL_GRAVITY_UNSET, sleep_often).idle_ns <= 200000);
	unlink(gravity_path);
}

/* A thread with a higher priority than the CPU's has the processor for a while, and measures
 * this. */
static uint64_t took_ns;

static void *take_the_processor(void *set)
{
	struct sched_param param = {.sched_priority = 90};
	uint64_t begin_ns = hal_now_ns();

	/* Its priority is set first: with a lower one than the CPU's it would wait there. */
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &param) == 0 &&
	    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), set) == 0) {
		begin_ns = hal_now_ns();
		while (hal_now_ns() < begin_ns + 2000000)
			hal_relax_processor();
		took_ns = hal_now_ns() - begin_ns;
	}
	return NULL;
}

static void do_nothing(void *unused)
{
	(void)unused;
}

/* A figure is noted when the wait is over; a task ends the wait. */
static struct hal_waiting waiting_now(void (*work)(void *unused))
{
	struct hal_waiting waiting;
	struct suite_task task = {0};

	suite_task_start(&task, 0, false, work, NULL);
	suite_task_join(&task);
	hal_waiting(&suite_cpus[0].hal, &waiting);
	return waiting;
}

static void who_takes_the_processor_leaves_a_gap(void)
{
	struct hal_config config = suite_config(1);
	uint32_t cpu = thread_cpu(0);
	struct hal_waiting waiting;
	pthread_t thread;
	cpu_set_t set;

	if (back_end_cpus() < 2)
		skip("one CPU: nobody else runs while it spins");
	config.linux_cpus = &cpu;
	config.idle = HAL_IDLE_SPIN;
	suite_start_with(&config);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	waiting_now(do_nothing);
	expect("made", 0, pthread_create(&thread, NULL, take_the_processor, &set));
	pthread_join(thread, NULL);
	waiting = waiting_now(do_nothing);
	suite_stop();
	if (!took_ns)
		skip("no right to a priority");
	expect_true("as long", waiting.gap_max_ns >= took_ns);
	expect("nor did it sleep", 0, (int64_t)waiting.wake_late_max_ns);
}

/* No sleeping CPU wakes exactly at its instant. */
#define SHORT_WAITS 2000

static uint64_t short_spun_ns, short_waited_ns;

static void wait_shortly(void *unused)
{
	struct hal_cpu *cpu = &suite_cpus[0].hal;
	const uint64_t begin_ns = hal_now_ns(), spun_ns = suite_spun_ns(cpu);

	(void)unused;
	for (unsigned i = 0; i < SHORT_WAITS; i++)
		suite_sleep_until(hal_now_ns() + 100000);
	short_spun_ns = suite_spun_ns(cpu) - spun_ns;
	short_waited_ns = hal_now_ns() - begin_ns;
}

/* If wake-ups take longer than the interval, there would be no sleep. At most three quarters of the
 * time are spent spinning, because RT throttling stops a thread that takes more than 95 of 100. */
static void short_intervals_are_slept_in_part(void)
{
	(void)gravity_after(150000, wait_shortly);
	expect_true("some of it was slept", short_spun_ns < short_waited_ns - short_waited_ns / 8);
}

static void latest_wake_up_is_noted(void)
{
	struct hal_config config = suite_config(1);
	struct hal_waiting waiting;

	config.idle = HAL_IDLE_SLEEP;
	suite_start_with(&config);
	waiting = waiting_now(sleep_often);
	suite_stop();
	expect_true("late", waiting.wake_late_max_ns > 0);
}

const struct suite_case cases_thread_gravity[] = {
	CASE(stored_gravity_is_used),
	CASE(idle_lead_follows_what_wake_ups_take),
	CASE(damaged_gravity_is_told),
	CASE(who_takes_the_processor_leaves_a_gap),
	CASE(latest_wake_up_is_noted),
	CASE(short_intervals_are_slept_in_part),
	{NULL, NULL},
};
