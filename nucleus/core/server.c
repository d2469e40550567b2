/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handler servers.
 */
#include "core/server.h"

#include "base/string.h"
#include "core/batch.h"
#include "core/call.h"
#include "sched/sched.h"

#define SERVER_STACK_BYTES (64u << 10)

/* Of each CPU: what those demand of its server whom it tells that their waits have ended, and who
 * wait for what ended tasks hold yet. */
struct demand {
	struct nuc_hold hold; /* the server's while it is not above all tasks */
	uint32_t endings; /* for what ended tasks hold, the highest since there was no such task */
};

static struct demand demands[HAL_MAX_CPUS];

static struct demand *demand_of(const struct nuc_cpu *cpu)
{
	return &demands[cpu->hal.index];
}

/* Above all tasks. */
static void for_handlers(struct nuc_cpu *cpu)
{
	(void)nuc_hold_remove(&cpu->server->holds, &demand_of(cpu)->hold);
	cpu->server->sched_priority = NUC_LEVEL_SERVER;
	nuc_task_update_priority(cpu, cpu->server);
}

static bool has_pieces(const struct nuc_cpu *cpu)
{
	return !base_tree_empty(&cpu->batches) || !base_list_empty(&cpu->endings);
}

/* Are batches what is to be done next? */
static bool batches_first(const struct nuc_cpu *cpu)
{
	return base_list_empty(&cpu->endings) || nuc_batches_level(cpu) >= demand_of(cpu)->endings;
}

/* Where the most urgent of those are whom it tells, as an owner of what they wait for. */
static void for_pieces(struct nuc_cpu *cpu)
{
	struct demand *demand = demand_of(cpu);
	const uint32_t priority =
		batches_first(cpu) ? nuc_batches_level(cpu) : demand_of(cpu)->endings;

	if (!base_list_linked(&demand->hold.link))
		nuc_hold_add(&cpu->server->holds, &demand->hold);
	else if (demand->hold.urgency.priority == priority)
		return;
	nuc_hold_demand(&cpu->server->holds, &demand->hold, (struct nuc_urgency){0, priority});
	cpu->server->sched_priority = NUC_LEVEL_WEAK;
	nuc_task_update_priority(cpu, cpu->server);
}

void nuc_server_queue(struct nuc_cpu *cpu, struct nuc_work *work)
{
	if (base_list_linked(&work->link))
		return;
	work->not_before_ns = cpu->hold_ns;
	base_list_push_back(&work->link, &cpu->alarms_due);
	if (cpu->server) {
		if (__builtin_expect(cpu->server->sched_priority != NUC_LEVEL_SERVER, 0))
			for_handlers(cpu);
		nuc_task_unblock(cpu, cpu->server, TACT_TASK_STATE_WAITING);
	}
}

void nuc_server_look(struct nuc_cpu *cpu)
{
	if (!cpu->server)
		return;
	if (base_list_empty(&cpu->endings))
		demand_of(cpu)->endings = 0;
	/* Under a handler, or with some due: serve() comes to the pieces when they have run. */
	if (cpu->serving || !base_list_empty(&cpu->alarms_due))
		return;
	if (!has_pieces(cpu)) {
		for_handlers(cpu);
		return;
	}
	for_pieces(cpu);
	nuc_task_unblock(cpu, cpu->server, TACT_TASK_STATE_WAITING);
}

void nuc_server_demand(struct nuc_cpu *cpu, uint32_t priority)
{
	/* Level 0 is there for those who may wait for ever. */
	if (!priority)
		priority = 1;
	if (priority > demand_of(cpu)->endings)
		demand_of(cpu)->endings = priority;
	nuc_server_look(cpu);
}

void nuc_server_cancel(struct nuc_work *work)
{
	base_list_unlink(&work->link);
}

int nuc_work_retire(struct nuc_cpu *cpu, struct nuc_work *work, struct nuc_call *deleter)
{
	nuc_server_cancel(work);
	if (cpu->serving != work)
		return 0;
	/* The handle is stale from here on: nobody else can come to delete it. */
	work->deleter = deleter;
	return NUC_WAITING;
}

void nuc_work_release(struct nuc_cpu *cpu, struct nuc_work *work)
{
	if (work->deleter)
		work->released = true;
	else
		nuc_pool_put(cpu, (void *)(uintptr_t)work->owner);
}

static void finish(struct nuc_cpu *cpu)
{
	struct nuc_work *work = cpu->serving;
	bool faulted = cpu->server_faulted;
	struct nuc_call *deleter;

	cpu->serving = NULL;
	cpu->server_faulted = 0;
	if (!work)
		return;
	deleter = work->deleter;
	if (!deleter) {
		work->done(cpu, work, faulted);
		return;
	}
	work->deleter = NULL;
	if (work->released)
		nuc_work_release(cpu, work);
	nuc_call_complete(cpu, deleter, 0);
}

static void do_piece(struct nuc_cpu *cpu)
{
	if (batches_first(cpu))
		nuc_batches_work(cpu);
	else
		nuc_task_endings_work(cpu);
}

/* A piece, at the priority that it is worth. */
static void work_in_pieces(struct nuc_cpu *cpu)
{
	if (cpu->server->sched_priority != NUC_LEVEL_SERVER)
		do_piece(cpu);
	/* Others may be more urgent: then this comes again when it is the first. */
	nuc_server_look(cpu);
}

static void serve(void *unused)
{
	(void)unused;
	for (;;) {
		struct nuc_cpu *cpu = nuc_enter();
		struct base_list *link;

		finish(cpu);
		link = base_list_pop_front(&cpu->alarms_due);
		if (!link && has_pieces(cpu)) {
			work_in_pieces(cpu);
			nuc_leave(cpu);
			continue;
		}
		if (!link) {
			nuc_task_block(cpu, cpu->server, TACT_TASK_STATE_WAITING);
			nuc_leave(cpu);
			continue;
		}
		struct nuc_work *work = base_container_of(link, struct nuc_work, link);

		cpu->serving = work;
		/* Queued by a timer that gravity made early. */
		if (work->not_before_ns)
			hal_spin_until(work->not_before_ns);
		nuc_leave(cpu);
		work->run(work);
	}
}

static void restart_saved(struct nuc_cpu *cpu, struct nuc_task *server)
{
	hal_context_discard(&server->context);
	hal_context_prepare(&server->context, &server->stack, NULL, nuc_task_entry, server);
	nuc_task_unblock(cpu, server, TACT_TASK_STATE_WAITING);
}

void nuc_server_restart(struct nuc_cpu *cpu, struct nuc_task *server)
{
	cpu->server_faulted = 1;
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
	task->sched_priority = NUC_LEVEL_SERVER;
	task->priority = NUC_LEVEL_SERVER;
	task->status->priority = NUC_LEVEL_SERVER;
	(void)base_copy_text(task->status->name, sizeof(task->status->name), "(handlers)");
	base_list_init(&demand_of(cpu)->hold.link);
	demand_of(cpu)->hold.urgency.priority = 0;
	demand_of(cpu)->endings = 0;
	cpu->server = task;
	return 0;
}

static int server_start(uint32_t cpu)
{
	struct tact_task_attr attr = {
		.flags = TACT_TASK_LIGHT | TACT_TASK_DETACHED | TACT_ON_CPU(cpu),
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

/* No handler is due: it waits, or is about to. */
static int end_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task *server = cpu->server;

	(void)object;
	(void)call;
	/* Of a start that failed. */
	if (!server)
		return 0;
	while (has_pieces(cpu))
		do_piece(cpu);
	(void)nuc_hold_remove(&server->holds, &demand_of(cpu)->hold);
	cpu->server = NULL;
	server->server = 0;
	nuc_task_end(cpu, server, false);
	return 0;
}

void nuc_servers_end(void)
{
	for (uint32_t i = 0; i < nuc_cpu_count; i++) {
		NUC_CALL(struct nuc_plain_call, args, end_run, NUC_TYPE_CPU, nuc_handle_of_cpu(i),
			 NUC_CALL_TASKS);

		(void)nuc_call(&args.call);
	}
}
