/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Watchdog. Time is counted in the back end's own rounds and not by a clock, so that a program that
 * was stopped (SIGSTOP, a debugger, a suspended machine) is not blamed for it.
 */
#include "core/watchdog.h"

#include "core/fault.h"
#include "core/pool.h"

static uint32_t rounds_allowed;

void nuc_watchdog_init(uint32_t limit_ms)
{
	rounds_allowed = limit_ms == UINT32_MAX ? UINT32_MAX : limit_ms / NUC_WATCH_PACE_MS + 1;
}

/* On the CPU in question: nothing has been switched to since the message was sent? */
static void bite(struct nuc_cpu *cpu, struct nuc_message *message)
{
	uint64_t beat = atomic_load_explicit(&cpu->heartbeat, memory_order_relaxed);
	struct nuc_task *task = cpu->current;
	struct hal_fault fault = {.cause = HAL_FAULT_WATCHDOG};

	(void)message;
	atomic_store_explicit(&cpu->watch_sent, 0, memory_order_release);
	if (beat != cpu->watch_seen || !task)
		return;
	cpu->status->watchdog_hits++;
	nuc_fault_place(task, &fault);
	(void)nuc_fault_stop(cpu, task, &fault);
}

void nuc_upcall_watch(void)
{
	nuc_memory_collect();
	if (rounds_allowed == UINT32_MAX)
		return;
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		struct nuc_cpu *cpu = &nuc_cpus[i];
		uint64_t beat = atomic_load_explicit(&cpu->heartbeat, memory_order_relaxed);

		if (beat != cpu->watch_seen || cpu->status->current_slot == UINT32_MAX) {
			cpu->watch_seen = beat;
			cpu->watch_rounds = 0;
			continue;
		}
		if (++cpu->watch_rounds < rounds_allowed ||
		    atomic_exchange_explicit(&cpu->watch_sent, 1, memory_order_acquire))
			continue;
		cpu->watch_rounds = 0;
		cpu->watch_message.deliver = bite;
		nuc_message_send(cpu, &cpu->watch_message);
	}
}
