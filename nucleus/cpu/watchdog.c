/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Watchdog. Time is counted in rounds of the back end and not by a clock, so that a program that
 * was stopped (SIGSTOP, a debugger, a suspended machine) is not reported for that.
 */
#include "cpu/watchdog.h"

#include "kernel/pool.h"
#include "task/fault.h"
#include "task/fault_report.h"
#include "task/mode.h"
#include "task/priority.h"
#include "task/run_queue.h"

#define REBALANCE_TICKS 256u

static uint32_t rounds_allowed;
static uint32_t rounds_hogged; /* 0: no limit */
static bool signals;

void nuc_watchdog_init(const struct tact_config *config)
{
	rounds_allowed = config->watchdog_ms == UINT32_MAX
				 ? UINT32_MAX
				 : config->watchdog_ms / NUC_WATCH_PACE_MS + 1;
	rounds_hogged = config->hog_timeout_ms ? config->hog_timeout_ms / NUC_WATCH_PACE_MS + 1 : 0;
	signals = config->watchdog_signals;
}

/* The current task; NULL if the CPU has switched since the message was sent, because the message
 * meant another task then. */
static struct nuc_task *still_there(struct nuc_cpu *cpu)
{
	uint64_t beat = atomic_load_explicit(&cpu->watch.heartbeat, memory_order_relaxed);

	atomic_store_explicit(&cpu->watch.sent, 0, memory_order_release);
	return beat == cpu->watch.seen ? cpu->current : NULL;
}

/* On the CPU that is kept: report the task, and stop it or send it to secondary mode. */
static void bite(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = still_there(cpu);
	struct hal_fault fault = {.cause = HAL_FAULT_WATCHDOG};

	(void)message;
	/* A task that leaves this CPU already, by another message, must not be sent anywhere. */
	if (!task || !nuc_sched_queued(task))
		return;
	cpu->status->watchdog_hits++;
	nuc_fault_place(task, &fault);
	if (signals && nuc_task_may_leave(task)) {
		nuc_fault_report_demoted(task, &fault);
		nuc_task_demote(cpu, task, TACT_SWITCH_WATCHDOG);
		return;
	}
	(void)nuc_fault_stop(cpu, task, &fault);
}

/* The most urgent task that this one keeps from the CPU. */
static const struct nuc_task *find_waiting(const struct nuc_cpu *cpu, const struct nuc_task *hog)
{
	const struct nuc_task *first = NULL;

	base_list_for_each(link, &cpu->tasks) {
		const struct nuc_task *task = base_container_of(link, struct nuc_task, cpu_link);

		if (task != hog && !task->server && nuc_sched_queued(task) &&
		    task->priority <= hog->priority && (!first || task->priority > first->priority))
			first = task;
	}
	return first;
}

/* How long a task has run, in a unit of which 31 bits hold minutes. The running task was not
 * charged yet. */
static uint32_t ran(const struct nuc_cpu *cpu, const struct nuc_task *task)
{
	uint64_t ticks = task->status->run_ticks;

	if (task == cpu->current)
		ticks += hal_ticks() - cpu->dispatch.switch_ticks;
	return (uint32_t)(ticks / REBALANCE_TICKS) & ~NUC_REBALANCE_WAITED;
}

/* Of the tasks that may leave and that could run all the time since the last look, the one that ran
 * longest since. */
static struct nuc_task *find_hog(struct nuc_cpu *cpu)
{
	struct nuc_task *hog = NULL;
	uint32_t most = 0;

	base_list_for_each(link, &cpu->tasks) {
		struct nuc_task *task = base_container_of(link, struct nuc_task, cpu_link);
		uint32_t before = task->rebalance_seen;

		task->rebalance_seen =
			nuc_sched_queued(task) ? ran(cpu, task) : NUC_REBALANCE_WAITED;
		if ((before | task->rebalance_seen) & NUC_REBALANCE_WAITED ||
		    !nuc_task_may_leave(task))
			continue;
		before = (task->rebalance_seen - before) & ~NUC_REBALANCE_WAITED;
		if (before <= most)
			continue;
		most = before;
		hog = task;
	}
	return hog;
}

static void begin_look(struct nuc_cpu *cpu, struct nuc_message *message)
{
	(void)message;
	atomic_store_explicit(&cpu->watch.sent, 0, memory_order_release);
	(void)find_hog(cpu);
}

static uint32_t linux_level(const struct nuc_task *task)
{
	return nuc_task_linux_priority(task) & HAL_LEVEL;
}

/*
 * Demote the task that keeps the CPU: it continues on its shadow. Not if Linux has no CPU left for
 * the task that waits, because tasks demoted before compute for tasks that are as urgent.
 */
static void rebalance(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = find_hog(cpu);
	const struct nuc_task *next = task ? find_waiting(cpu, task) : NULL;
	bool leaves = next && hal_shadows_have_capacity(linux_level(next));
	uint32_t kept = leaves ? linux_level(next) : task ? linux_level(task) : 0;

	(void)message;
	atomic_store_explicit(&cpu->watch.rebalance_kept, kept, memory_order_relaxed);
	atomic_store_explicit(&cpu->watch.sent, 0, memory_order_release);
	if (!leaves)
		return;
	task->is_demoted = 1;
	nuc_task_demote(cpu, task, task->flags & TACT_TASK_SIGNAL ? TACT_SWITCH_WATCHDOG : 0);
}

/*
 * What a CPU that was not idle for so many rounds has to do; NULL: nothing yet. Switches do not
 * matter: tasks that are more urgent than the one that keeps the CPU may run all the time.
 */
static void (*rebalance_wanted(struct nuc_cpu *cpu))(struct nuc_cpu *cpu,
						     struct nuc_message *message)
{
	uint64_t turns = atomic_load_explicit(&cpu->watch.idle_turns, memory_order_relaxed);

	if (!rounds_hogged || turns != cpu->watch.rebalance_seen ||
	    cpu->status->current_slot == UINT32_MAX) {
		cpu->watch.rebalance_seen = turns;
		cpu->watch.rebalance_rounds = 0;
		atomic_store_explicit(&cpu->watch.rebalance_kept, 0, memory_order_relaxed);
		return NULL;
	}
	if (++cpu->watch.rebalance_rounds == 1)
		return begin_look;
	return cpu->watch.rebalance_rounds % rounds_hogged == 0 ? rebalance : NULL;
}

/* What a CPU that has not switched for so many rounds has to do; NULL: nothing yet. */
static void (*bite_wanted(struct nuc_cpu *cpu))(struct nuc_cpu *cpu, struct nuc_message *message)
{
	uint64_t beat = atomic_load_explicit(&cpu->watch.heartbeat, memory_order_relaxed);

	if (beat != cpu->watch.seen || cpu->status->current_slot == UINT32_MAX) {
		cpu->watch.seen = beat;
		cpu->watch.rounds = 0;
		return NULL;
	}
	if (++cpu->watch.rounds < rounds_allowed)
		return NULL;
	cpu->watch.rounds = 0;
	return bite;
}

/* The lowest of the CPUs' rebalance_kept. */
static uint32_t least_kept(void)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		uint32_t kept = atomic_load_explicit(&nuc_cpus[i].watch.rebalance_kept,
						     memory_order_relaxed);

		least = kept < least ? kept : least;
	}
	return least;
}

void nuc_upcall_watch(void)
{
	nuc_memory_collect();
	if (rounds_hogged)
		hal_shadows_rebalance(rounds_hogged, least_kept());
	else if (rounds_allowed == UINT32_MAX)
		return;
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		struct nuc_cpu *cpu = &nuc_cpus[i];
		void (*rebalances)(struct nuc_cpu *, struct nuc_message *) = rebalance_wanted(cpu);
		void (*deliver)(struct nuc_cpu *, struct nuc_message *) = bite_wanted(cpu);

		if (!deliver)
			deliver = rebalances;
		if (!deliver || atomic_exchange_explicit(&cpu->watch.sent, 1, memory_order_acquire))
			continue;
		cpu->watch.message.deliver = deliver;
		nuc_message_send(cpu, &cpu->watch.message);
	}
}
