/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Idling: until the deadline less the lead, by each policy. */
#include "suite.h"

#define WAITS 20u

static _Atomic unsigned done;
static _Atomic unsigned early, late;
static uint32_t lead_ns;
static uint64_t spun_ns, waited_ns;

/* No absolute time of a real clock is asserted: only the order, and that the wait ends. */
static void wait_for_deadlines(struct suite_cpu *cpu)
{
	static unsigned turn;
	unsigned events = atomic_load(&cpu->events);
	uint64_t begin_ns = hal_now_ns();
	uint64_t deadline_ns = begin_ns + 300000 + lead_ns;

	if (atomic_load(&done)) {
		hal_idle(&cpu->hal, HAL_NO_DEADLINE, 0);
		return;
	}
	/* Spurious returns are allowed, but the wait must not return without a cause for ever. */
	for (unsigned returns = 0; hal_now_ns() < deadline_ns - lead_ns; returns++) {
		if (returns > 1000 || atomic_load(&cpu->events) != events) {
			atomic_fetch_add(&early, 1);
			break;
		}
		hal_idle(&cpu->hal, deadline_ns, lead_ns);
	}
	if (hal_now_ns() >= deadline_ns + 1000000000)
		atomic_fetch_add(&late, 1);
	waited_ns += hal_now_ns() - begin_ns;
	if (++turn == WAITS) {
		spun_ns = suite_spun_ns(&cpu->hal);
		atomic_store(&done, 1);
	}
}

static void wait_by(enum hal_idle idle, uint32_t lead)
{
	struct hal_config config = suite_config(1);

	config.idle = idle;
	config.gravity_idle_ns = 50000;
	lead_ns = lead;
	suite_start_with(&config);
	suite_cpus[0].on_idle = wait_for_deadlines;
	hal_kick(&suite_cpus[0].hal);
	await("waits", &done, 1);
	suite_stop();
	expect("early returns", 0, atomic_load(&early));
	expect("returns a second late", 0, atomic_load(&late));
}

static void hybrid_waits_to_the_deadline_and_spins_the_rest(void)
{
	wait_by(HAL_IDLE_HYBRID, 0);
	expect_true("something was spun away", spun_ns > 0);
	expect_true("and something not", spun_ns < waited_ns);
}

static void hybrid_returns_a_lead_before(void)
{
	wait_by(HAL_IDLE_HYBRID, 100000);
}

static void sleep_waits_to_the_deadline(void)
{
	wait_by(HAL_IDLE_SLEEP, 0);
	expect("spun away", 0, (int64_t)spun_ns);
}

static void sleep_returns_a_lead_before(void)
{
	wait_by(HAL_IDLE_SLEEP, 100000);
}

static void spin_waits_to_the_deadline(void)
{
	wait_by(HAL_IDLE_SPIN, 0);
	expect_true("most was spun away", spun_ns > waited_ns / 2);
}

static _Atomic unsigned returned;

static void wait_for_the_past(struct suite_cpu *cpu)
{
	if (!atomic_load(&returned)) {
		hal_idle(&cpu->hal, 0, 0);
		hal_idle(&cpu->hal, 1, 1000);
		hal_idle(&cpu->hal, hal_now_ns(), 0);
		atomic_store(&returned, 1);
	}
	hal_idle(&cpu->hal, HAL_NO_DEADLINE, 0);
}

static void past_deadline_returns_at_once(void)
{
	for (enum hal_idle idle = HAL_IDLE_HYBRID; idle <= HAL_IDLE_SPIN; idle++) {
		struct hal_config config = suite_config(1);

		config.idle = idle;
		atomic_store(&returned, 0);
		suite_start_with(&config);
		suite_cpus[0].on_idle = wait_for_the_past;
		hal_kick(&suite_cpus[0].hal);
		await("returned", &returned, 1);
		suite_stop();
	}
}

static void sleep_a_little(void *arg)
{
	uint64_t wake_ns = hal_now_ns() + 500000;

	(void)arg;
	suite_sleep_until(wake_ns);
	expect_true("not woken early", hal_now_ns() >= wake_ns);
}

static void sleeping_task_wakes_at_its_time(void)
{
	struct suite_task tasks[4];

	suite_start(1);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], 0, false, sleep_a_little, NULL);
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
}

const struct suite_case cases_idle[] = {
	CASE(hybrid_waits_to_the_deadline_and_spins_the_rest),
	CASE(hybrid_returns_a_lead_before),
	CASE(sleep_waits_to_the_deadline),
	CASE(sleep_returns_a_lead_before),
	CASE(spin_waits_to_the_deadline),
	CASE(past_deadline_returns_at_once),
	CASE(sleeping_task_wakes_at_its_time),
	{NULL, NULL},
};
