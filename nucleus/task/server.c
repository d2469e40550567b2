/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The server of each CPU: see server.h.
 */
#include "task/server.h"

#include "base/string.h"
#include "call/batch.h"
#include "call/upcall.h"
#include "kernel/idle_lead.h"
#include "task/end.h"
#include "task/entry.h"
#include "task/ready.h"
#include "task/server_level.h"
#include "task/task_call.h"

#define SERVER_STACK_BYTES (64u << 10)
#define STOP_PAUSE_NS      1000000u

void nuc_server_queue(struct nuc_cpu *cpu, struct nuc_work *work)
{
	if (base_list_linked(&work->link))
		return;
	work->not_before_ns = cpu->hold_ns;
	base_list_push_back(&work->link, &cpu->server.work_due);
	if (cpu->server.task) {
		if (__builtin_expect(cpu->server.task->sched_priority != NUC_LEVEL_SERVER, 0))
			nuc_server_for_handlers(cpu);
		nuc_task_unblock(cpu, cpu->server.task, TACT_TASK_STATE_WAITING);
	}
}

void nuc_server_cancel(struct nuc_work *work)
{
	base_list_unlink(&work->link);
}

int nuc_work_retire(struct nuc_cpu *cpu, struct nuc_work *work, struct nuc_call *deleter)
{
	nuc_server_cancel(work);
	if (cpu->server.serving != work)
		return 0;
	/* The handle is stale from here on: no other call can delete the owner. */
	work->retired = true;
	work->deleter = deleter;
	return deleter ? NUC_WAITING : 0;
}

void nuc_work_release(struct nuc_cpu *cpu, struct nuc_work *work)
{
	if (work->retired)
		work->released = true;
	else
		nuc_pool_put(cpu, (void *)(uintptr_t)work->owner);
}

static void finish(struct nuc_cpu *cpu)
{
	struct nuc_work *work = cpu->server.serving;
	bool faulted = cpu->server.faulted;
	struct nuc_call *deleter;

	cpu->server.serving = NULL;
	cpu->server.faulted = 0;
	if (!work)
		return;
	if (!work->retired) {
		work->done(cpu, work, faulted);
		return;
	}
	deleter = work->deleter;
	work->retired = false;
	if (work->released)
		nuc_work_release(cpu, work);
	if (deleter)
		nuc_call_complete(cpu, deleter, 0);
}

static void do_piece(struct nuc_cpu *cpu)
{
	if (nuc_server_batches_first(cpu))
		nuc_batches_work(cpu);
	else
		nuc_task_endings_work(cpu);
}

/* Do a piece, at the priority of the tasks that wait for it. */
static void work_in_pieces(struct nuc_cpu *cpu)
{
	if (cpu->server.task->sched_priority != NUC_LEVEL_SERVER)
		do_piece(cpu);
	/* A more urgent task may be ready: then this is called again when the server is first. */
	nuc_server_reprioritize(cpu);
}

static void serve(void *unused)
{
	(void)unused;
	for (;;) {
		struct nuc_cpu *cpu = nuc_enter();
		struct base_list *link;

		finish(cpu);
		link = base_list_pop_front(&cpu->server.work_due);
		if (!link && nuc_server_has_pieces(cpu)) {
			work_in_pieces(cpu);
			nuc_leave(cpu);
			continue;
		}
		if (!link) {
			nuc_task_block(cpu, cpu->server.task, TACT_TASK_STATE_WAITING);
			nuc_leave(cpu);
			continue;
		}
		struct nuc_work *work = base_container_of(link, struct nuc_work, link);

		cpu->server.serving = work;
		/* It was queued by a timer that fired early because of gravity. */
		if (work->not_before_ns) {
			nuc_idle_lead_end(cpu);
			hal_spin_until(work->not_before_ns);
		}
		nuc_leave(cpu);
		work->run(work);
	}
}

static void restart_saved(struct nuc_cpu *cpu, struct nuc_task *server)
{
	nuc_task_renew_context(server);
	nuc_task_unblock(cpu, server, TACT_TASK_STATE_WAITING);
}

static void restart(struct nuc_cpu *cpu, struct nuc_task *server)
{
	cpu->server.faulted = 1;
	nuc_task_block(cpu, server, TACT_TASK_STATE_WAITING);
	if (cpu->current == server)
		server->saved = restart_saved;
	else
		restart_saved(cpu, server);
}

static int server_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)call;
	task->server = 1;
	task->wants = NUC_WANTS_HANDLER;
	task->sched_priority = NUC_LEVEL_SERVER;
	task->priority = NUC_LEVEL_SERVER;
	task->status->priority = NUC_LEVEL_SERVER;
	(void)base_copy_text(task->status->name, sizeof(task->status->name), "(handlers)");
	nuc_server_level_begin(cpu);
	cpu->server.task = task;
	cpu->server.restart = restart;
	return 0;
}

static int server_start(uint32_t cpu)
{
	struct tact_task_attr attr = {
		.flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN | TACT_ON_CPU(cpu),
		.stack_bytes = SERVER_STACK_BYTES,
	};
	struct nuc_task_call call;
	tact_task_t server;
	int error = tact_task_create(&attr, &server);

	if (!error)
		error = nuc_task_call(server, &call, NUC_CALL_TASKS, server_act);
	return error ? error : tact_task_start(server, serve, NULL);
}

int nuc_servers_start(void)
{
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		int error = server_start(i);

		if (error) {
			nuc_servers_end();
			return error;
		}
	}
	return 0;
}

/*
 * Returns 1 as long as a handler runs or is due, although no object has one any more: a timer may
 * have been discarded by its own handler, and a task may have ended before the stop. Otherwise the
 * server waits, or is about to.
 */
static int end_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *server = cpu->server.task;

	(void)object;
	(void)call;
	/* A start that failed has not made it. */
	if (!server)
		return 0;
	if (cpu->server.serving || !base_list_empty(&cpu->server.work_due))
		return 1;
	while (nuc_server_has_pieces(cpu))
		do_piece(cpu);
	nuc_server_level_end(cpu);
	cpu->server.task = NULL;
	server->server = 0;
	server->wants = 0;
	nuc_task_end(cpu, server, false);
	return 0;
}

void nuc_servers_end(void)
{
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		NUC_CALL(struct nuc_plain_call, args, end_run, NUC_TYPE_CPU, nuc_handle_of_cpu(i),
			 NUC_CALL_TASKS);

		while (nuc_call(&args.call) == 1)
			hal_linux_pause(STOP_PAUSE_NS);
	}
}
