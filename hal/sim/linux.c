/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plain Linux threads of the simulation: waiting for words, and further threads. */
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/error.h"
#include "cpu.h"
#include "engine.h"
#include "perturb.h"
#include "state.h"

#define THREAD_STACK_BYTES 262144u

struct hal_sim_thread {
	void (*entry)(void *arg);
	void *arg;
	struct hal_word done;
};

void hal_linux_wait(struct hal_word *word)
{
	struct sim_entity *self = sim_engine.current;

	if (sim_foreign())
		hal_panic("a host thread that the simulation does not know waits for the nucleus; "
			  "use hal_sim_thread_start()");
	if (self->cpu)
		hal_panic("a real-time CPU waits like a Linux thread");
	sim_engine_point(SIM_POINT_WAIT);
	/* The call costs a Linux thread the same if the answer is there already. Otherwise a thread
	 * that polls the nucleus at the pace of its tasks would leave them no time between two
	 * events. */
	if (atomic_load_explicit(&word->value, memory_order_acquire))
		sim_engine_wait(
			SIM_POINT_WAIT, SIM_RUNS,
			sim_add_ns(sim_engine.now_ns,
				   sim_perturb_latency(sim_run.options.costs.linux_wake_ns)));
	while (!atomic_load_explicit(&word->value, memory_order_acquire)) {
		self->word = word;
		sim_engine_wait(SIM_POINT_WAIT, SIM_WAITS_WORD, SIM_NEVER);
		self->word = NULL;
	}
}

void hal_linux_wake(struct hal_word *word)
{
	/* Release: pairs with the acquire in hal_linux_wait(). */
	atomic_store_explicit(&word->value, 1, memory_order_release);
	if (sim_foreign())
		return;
	base_list_for_each(node, &sim_engine.entities) {
		struct sim_entity *entity = base_container_of(node, struct sim_entity, all);

		if (entity->word != word)
			continue;
		entity->word = NULL;
		sim_engine_make_due(
			entity,
			sim_add_ns(sim_engine.now_ns,
				   sim_perturb_latency(sim_run.options.costs.linux_wake_ns)));
	}
	sim_cpu_point(SIM_POINT_WAKE);
}

void hal_linux_wake_shared(_Atomic uint32_t *word)
{
	(void)word;
}

bool hal_linux_caller_ok(void)
{
	return !sim_foreign();
}

static void thread_main(void *arg)
{
	struct hal_sim_thread *thread = arg;

	thread->entry(thread->arg);
	hal_linux_wake(&thread->done);
}

int hal_sim_thread_start(struct hal_sim_thread **thread, void (*entry)(void *arg), void *arg,
			 const char *name)
{
	struct hal_sim_thread *made = calloc(1, sizeof(*made));
	struct sim_entity *entity = sim_entity_new();

	if (!made || !entity)
		goto no_memory;
	made->entry = entry;
	made->arg = arg;
	if (sim_entity_start(entity, SIM_LINUX, sim_engine.next_id, name, THREAD_STACK_BYTES,
			     thread_main, made))
		goto no_memory;
	sim_engine.next_id++;
	*thread = made;
	sim_engine_point(SIM_POINT_START);
	return 0;

no_memory:
	free(entity);
	free(made);
	return -TACT_ENOMEM;
}

void hal_sim_thread_join(struct hal_sim_thread *thread)
{
	hal_linux_wait(&thread->done);
	free(thread);
}

int hal_sim_linux_call(long number, uint64_t cost_ns)
{
	struct sim_cpu *cpu;

	if (!cost_ns)
		cost_ns = sim_run.options.costs.linux_call_ns;
	sim_cpu_point(SIM_POINT_LINUX_CALL);
	cpu = sim_cpu_stall();
	if (cpu) {
		int status = nuc_upcall_linux_call(cpu->hal, number,
						   (uintptr_t)__builtin_return_address(0));

		if (status < 0) {
			sim_cpu_unstall();
			sim_cpu_deliver();
			return status;
		}
	}
	sim_engine_wait(SIM_POINT_LINUX_CALL, SIM_RUNS,
			sim_add_ns(sim_engine.now_ns, sim_perturb_latency(cost_ns)));
	return 0;
}

void hal_linux_pause(uint64_t duration_ns)
{
	/* The engine serves one host thread. For another one time is that of the host. */
	if (sim_foreign()) {
		const struct timespec pause = {(time_t)(duration_ns / 1000000000u),
					       (long)(duration_ns % 1000000000u)};

		nanosleep(&pause, NULL);
		return;
	}
	sim_engine_wait(SIM_POINT_WAIT, SIM_RUNS, sim_add_ns(sim_engine.now_ns, duration_ns));
}
