/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Watchdog. Time is counted in the back end's own rounds and not by a clock, so that a program that
 * was stopped (SIGSTOP, a debugger, a suspended machine) is not blamed for it.
 */
#include "core/watchdog.h"

#include "core/fault.h"
#include "core/pool.h"
#include "sched/sched.h"

static uint32_t rounds_allowed;
static uint32_t rounds_crowded; /* 0: as many as it wants */
static bool signals;

void nuc_watchdog_init(const struct tact_config *config)
{
	rounds_allowed = config->watchdog_ms == UINT32_MAX
				 ? UINT32_MAX
				 : config->watchdog_ms / NUC_WATCH_PACE_MS + 1;
	rounds_crowded = config->crowd_ms ? config->crowd_ms / NUC_WATCH_PACE_MS + 1 : 0;
	signals = config->watchdog_signals;
}

/* Who has run since the message was sent is not the one that was meant. */
static struct nuc_task *still_there(struct nuc_cpu *cpu)
{
	uint64_t beat = atomic_load_explicit(&cpu->heartbeat, memory_order_relaxed);

	atomic_store_explicit(&cpu->watch_sent, 0, memory_order_release);
	return beat == cpu->watch_seen ? cpu->current : NULL;
}

/* On the CPU in question: nothing has been switched to since the message was sent? */
static void bite(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = still_there(cpu);
	struct hal_fault fault = {.cause = HAL_FAULT_WATCHDOG};

	(void)message;
	if (!task)
		return;
	cpu->status->watchdog_hits++;
	nuc_fault_place(task, &fault);
	if (signals && nuc_task_may_leave(task)) {
		nuc_fault_report_away(task, &fault);
		nuc_task_send_away(cpu, task, TACT_SWITCH_WATCHDOG);
		return;
	}
	(void)nuc_fault_stop(cpu, task, &fault);
}

static bool is_crowded(const struct nuc_cpu *cpu)
{
	base_list_for_each(link, &cpu->tasks) {
		const struct nuc_task *task = base_container_of(link, struct nuc_task, cpu_link);

		if (task != cpu->current && !task->server && nuc_sched_queued(task))
			return true;
	}
	return false;
}

/* As for a signal: it goes on where it was, on its shadow. */
static void make_room(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = still_there(cpu);

	(void)message;
	if (!task || !nuc_task_may_leave(task) || !is_crowded(cpu))
		return;
	task->makes_room = 1;
	nuc_task_serve_signal(cpu, task);
}

/* What the task that has kept its CPU for so many rounds has to hear; NULL: nothing yet. */
static void (*verdict(uint32_t rounds))(struct nuc_cpu *cpu, struct nuc_message *message)
{
	if (rounds >= rounds_allowed)
		return bite;
	return rounds_crowded && rounds % rounds_crowded == 0 ? make_room : NULL;
}

void nuc_upcall_watch(void)
{
	nuc_memory_collect();
	if (rounds_allowed == UINT32_MAX && !rounds_crowded)
		return;
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		struct nuc_cpu *cpu = &nuc_cpus[i];
		uint64_t beat = atomic_load_explicit(&cpu->heartbeat, memory_order_relaxed);
		void (*deliver)(struct nuc_cpu *, struct nuc_message *);

		if (beat != cpu->watch_seen || cpu->status->current_slot == UINT32_MAX) {
			cpu->watch_seen = beat;
			cpu->watch_rounds = 0;
			continue;
		}
		deliver = verdict(++cpu->watch_rounds);
		if (!deliver || atomic_exchange_explicit(&cpu->watch_sent, 1, memory_order_acquire))
			continue;
		if (deliver == bite)
			cpu->watch_rounds = 0;
		cpu->watch_message.deliver = deliver;
		nuc_message_send(cpu, &cpu->watch_message);
	}
}
