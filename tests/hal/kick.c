/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kicks: they wake an idle CPU, interrupt a computing one, and none is lost. */
#include "suite.h"

#define ROUNDS 5000u

static struct suite_task task;

static void kick_wakes_an_idle_cpu(void)
{
	unsigned before;

	suite_start(1);
	await("idles", &suite_cpus[0].idles, 1);
	for (unsigned i = 0; i < 100; i++) {
		before = atomic_load(&suite_cpus[0].idles);
		hal_kick(&suite_cpus[0].hal);
		await("idles after a kick", &suite_cpus[0].idles, before + 1);
	}
	suite_stop();
}

static _Atomic unsigned computing, interrupted;

static void note_interrupt(struct suite_cpu *cpu)
{
	(void)cpu;
	atomic_store(&interrupted, 1);
}

static void compute_until_interrupted(void *arg)
{
	(void)arg;
	atomic_store(&computing, 1);
	while (!atomic_load(&interrupted))
		hal_compute(1000);
}

static void kick_interrupts_a_computing_task(void)
{
	suite_start(1);
	suite_task_start(&task, 0, false, compute_until_interrupted, NULL);
	await("computing", &computing, 1);
	suite_cpus[0].on_event = note_interrupt;
	hal_kick(&suite_cpus[0].hal);
	suite_task_join(&task);
	suite_cpus[0].on_event = NULL;
	suite_stop();
}

static void kick_first_cpu(void *arg)
{
	(void)arg;
	hal_kick(&suite_cpus[0].hal);
}

static void kick_reaches_another_cpu(void)
{
	struct suite_task kicker;

	if (back_end_cpus() < 2)
		skip("one CPU");
	suite_start(2);
	suite_task_start(&task, 0, false, compute_until_interrupted, NULL);
	await("computing", &computing, 1);
	suite_cpus[0].on_event = note_interrupt;
	suite_task_start(&kicker, 1, false, kick_first_cpu, NULL);
	suite_task_join(&kicker);
	suite_task_join(&task);
	suite_cpus[0].on_event = NULL;
	suite_stop();
}

/*
 * The storm: a thread that posts waits until the CPU has seen it. The CPU looks only when the back
 * end reports something, so one lost kick stops the storm for good.
 */
static _Atomic unsigned posted, seen;

static void look(struct suite_cpu *cpu)
{
	(void)cpu;
	atomic_store(&seen, atomic_load(&posted));
}

static void idle_and_look(struct suite_cpu *cpu)
{
	static unsigned turn;
	uint64_t deadline_ns = HAL_NO_DEADLINE;

	/* Two of three waits end by themselves, so that all states of idling are left in all ways.
	 */
	if (++turn % 3)
		deadline_ns = hal_now_ns() + turn % 97 * 1000;
	hal_idle(&cpu->hal, deadline_ns, 0);
	look(cpu);
}

static void post_and_wait(void *arg)
{
	unsigned rounds = *(unsigned *)arg;

	for (unsigned i = 0; i < rounds; i++) {
		unsigned mine = atomic_fetch_add(&posted, 1) + 1;
		uint64_t until_ns = hal_now_ns() + 10000000000ull;

		hal_kick(&suite_cpus[0].hal);
		while (atomic_load(&seen) < mine && hal_now_ns() < until_ns)
			hal_relax_processor();
		if (atomic_load(&seen) < mine) {
			expect("kick seen in 10 s", mine, atomic_load(&seen));
			return;
		}
	}
}

static void storm(enum hal_idle idle)
{
	struct hal_config config = suite_config(1);
	struct back_end_thread *threads[2];
	unsigned rounds = ROUNDS;

	config.idle = idle;
	/* The kick word is read where the idle hook has stopped, or in an event: both read it. */
	suite_start_with(&config);
	suite_cpus[0].on_event = look;
	suite_cpus[0].on_idle = idle_and_look;
	hal_kick(&suite_cpus[0].hal);
	for (unsigned i = 0; i < 2; i++)
		threads[i] = back_end_thread_start(post_and_wait, &rounds);
	for (unsigned i = 0; i < 2; i++)
		back_end_thread_join(threads[i]);
	expect("posted", 2 * ROUNDS, atomic_load(&posted));
	suite_stop();
}

static void storm_loses_no_kick_hybrid(void)
{
	storm(HAL_IDLE_HYBRID);
}

static void storm_loses_no_kick_sleep(void)
{
	storm(HAL_IDLE_SLEEP);
}

static void storm_loses_no_kick_spin(void)
{
	if (back_end_cpus() < 2)
		skip("one CPU: a computing task leaves Linux none of it");
	storm(HAL_IDLE_SPIN);
}

static _Atomic unsigned in_the_storm;
static _Atomic bool storm_over;

static void compute_in_the_storm(void *arg)
{
	uint64_t sum = 0, expected = 0;

	(void)arg;
	atomic_store(&in_the_storm, 1);
	for (unsigned i = 0; !atomic_load(&storm_over); i++) {
		struct hal_cpu *cpu = NULL;

		if (i % 3)
			cpu = hal_enter();
		sum += i;
		if (cpu)
			hal_leave();
		expected += i;
	}
	expect("the sum survived", (int64_t)expected, (int64_t)sum);
}

static void storm_on_a_computing_task(void)
{
	unsigned rounds = ROUNDS;
	struct back_end_thread *thread;

	if (back_end_cpus() < 2)
		skip("one CPU: a computing task leaves Linux none of it");
	suite_start(1);
	suite_cpus[0].on_event = look;
	suite_task_start(&task, 0, false, compute_in_the_storm, NULL);
	/* An earlier kick may end the idling, and then nothing reads the word here. */
	await("in the storm", &in_the_storm, 1);
	thread = back_end_thread_start(post_and_wait, &rounds);
	back_end_thread_join(thread);
	atomic_store(&storm_over, true);
	suite_task_join(&task);
	suite_cpus[0].on_event = NULL;
	suite_stop();
}

const struct suite_case cases_kick[] = {
	CASE(kick_wakes_an_idle_cpu),    CASE(kick_interrupts_a_computing_task),
	CASE(kick_reaches_another_cpu),  CASE(storm_loses_no_kick_hybrid),
	CASE(storm_loses_no_kick_sleep), CASE(storm_loses_no_kick_spin),
	CASE(storm_on_a_computing_task), {NULL, NULL},
};
