/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stop of the nucleus: tasks end, then objects are deleted, which ends the waits of Linux threads.
 * Only then do the CPUs stop, and the memory is given back.
 */
#include "cpu/stop.h"

#include <tactus/skin.h>
#include <tactus/start.h>

#include "cpu/segment.h"
#include "ipc/pipe.h"
#include "ipc/word.h"
#include "kernel/pool.h"
#include "object/registry.h"
#include "task/deleters.h"
#include "task/end.h"
#include "task/server.h"

/* End the tasks that can be ended now; returns how many tasks were left besides the server. */
static int end_all_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	int left = 0;

	(void)object;
	(void)call;
	base_list_for_each_safe(link, &cpu->tasks) {
		struct nuc_task *task = base_container_of(link, struct nuc_task, cpu_link);

		if (task->server)
			continue;
		left++;
		task->detached = 1;
		nuc_task_end(cpu, task, false);
	}
	return left;
}

/*
 * Returns whether all tasks have ended. A task in secondary mode ends with its next call of Tactus,
 * which may never come. Shadows that still run after this bounded time die with the process; their
 * CPUs are given back anyway. At the exit of the program there is one more round only: the
 * libraries have freed their data by then, and Linux leaves the threads next to no time after that.
 */
static bool end_tasks(bool exits)
{
	for (int round = 0; round < (exits ? 2 : 50); round++) {
		int left = 0;

		if (round)
			hal_linux_pause(1000000);
		for (uint32_t i = 0; i < nuc_cpu_count; i++) {
			NUC_CALL(struct nuc_plain_call, args, end_all_run, NUC_TYPE_CPU,
				 nuc_handle_of_cpu(i), NUC_CALL_TASKS);

			left += nuc_call(&args.call);
		}
		if (!left)
			return true;
	}
	return false;
}

/* How many objects one call deletes, and at how many handles it looks. A program may have a million
 * objects, and each call costs a wake-up. */
#define SWEEP 100u
#define LOOKS 2000u

struct sweep_call {
	struct nuc_call call;
	uint32_t index; /* of the first object to look at */
};

/* Returns -TACT_ESRCH when none is left, and after each object that has to be waited for. */
static int sweep_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct sweep_call *args = base_container_of(call, struct sweep_call, call);
	uint32_t end = cpu->handles.known;
	uint32_t deleted = 0;
	uint32_t stop = end - args->index > LOOKS ? args->index + LOOKS : end;

	if (!args->index)
		nuc_deleters_end(cpu);

	while (args->index < stop && deleted < SWEEP) {
		object = nuc_handle_entry(&cpu->handles, args->index++)->object;
		if (!object || object->type == NUC_TYPE_CPU || object->type == NUC_TYPE_TASK)
			continue;
		deleted++;
		if (nuc_type_table[object->type]->destroy(cpu, object, call) == NUC_WAITING)
			return NUC_WAITING;
	}
	return args->index < end ? 0 : -TACT_ESRCH;
}

/* Delete from that index on; returns the index to continue at, or 0. */
static uint32_t sweep(uint32_t cpu, uint32_t index)
{
	NUC_CALL(struct sweep_call, args, sweep_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_TASKS);

	args.index = index;
	return nuc_call(&args.call) == -TACT_ESRCH ? 0 : args.index;
}

static void delete_objects(void)
{
	for (uint32_t cpu = 0; cpu < nuc_cpu_count; cpu++) {
		uint32_t index = 0;

		do
			index = sweep(cpu, index);
		while (index);
	}
}

/* Linux threads still have to close their ends of deleted pipes, and calls under way still have to
 * be answered. */
static void await_linux(void)
{
	for (int round = 0; round < 1000; round++) {
		if (!atomic_load_explicit(&nuc_pipe_ends, memory_order_acquire) &&
		    !atomic_load_explicit(&nuc_linux_callers, memory_order_seq_cst))
			return;
		hal_linux_pause(1000000);
	}
}

void nuc_cpus_stop(uint32_t cpus)
{
	for (uint32_t i = 0; i < cpus; i++) {
		atomic_store_explicit(&nuc_cpus[i].stopping, 1, memory_order_release);
		hal_kick(&nuc_cpus[i].hal);
	}
	hal_stop();
}

static void stop(bool exits)
{
	uint32_t cpus = nuc_cpu_count;
	bool ended;

	/* Dekker with nuc_maker_begin(). */
	atomic_store_explicit(&nuc_making, false, memory_order_seq_cst);
	nuc_makers_await();
	ended = end_tasks(exits);
	delete_objects();
	nuc_registry_close();
	nuc_words_close();
	nuc_servers_end();
	atomic_fetch_add_explicit(&nuc_life, 1, memory_order_seq_cst);
	/* Dekker with nuc_linux_begin(): a caller is either counted or sees the 0. */
	atomic_store_explicit(&nuc_open, 0, memory_order_seq_cst);
	await_linux();
	__atomic_store_n(&nuc_cpu_count, 0, __ATOMIC_SEQ_CST);
	nuc_cpus_stop(cpus);
	nuc_pipe_report_lost();
	/* The shadow of a stray task still reads its control block and its status. */
	if (ended) {
		nuc_segment_unmap();
		nuc_pools_drop(cpus);
	}
	nuc_started = false;
}

static int stop_once(bool exits)
{
	int result = -TACT_EPERM;

	/* In the child of a fork everything belongs to the parent. */
	if (!hal_linux_caller_ok() || tact_mode() != TACT_MODE_NONE ||
	    atomic_exchange_explicit(&nuc_changing, true, memory_order_acquire))
		return result;
	if (nuc_started) {
		/* Linux threads still read the messages in open pipes, and only a stop waits for
		 * them. */
		if (!exits || atomic_load_explicit(&nuc_pipe_ends, memory_order_acquire) ||
		    !hal_exit())
			stop(exits);
		result = 0;
	}
	atomic_store_explicit(&nuc_changing, false, memory_order_release);
	return result;
}

int tact_stop(void)
{
	return stop_once(false);
}

static atomic_bool exits_as_killed;

void tact_exit_as_killed(void)
{
	atomic_store_explicit(&exits_as_killed, true, memory_order_relaxed);
}

int tact_exits_as_killed(void)
{
	return atomic_load_explicit(&exits_as_killed, memory_order_relaxed);
}

/* Give back what Linux does not take back at once by itself. If a task exits, this is left to the
 * part that cleans up after killed programs. */
__attribute__((destructor)) static void give_back_at_exit(void)
{
	if (tact_exits_as_killed())
		return;
	hal_shadows_exit();
	(void)stop_once(true);
}
