/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The server of each CPU: a light task above all priorities that runs the handlers of the program,
 * so that the fault of a handler is the fault of a task, and its stack is known. The server also
 * does the long parts of the nucleus's work, at the priority of the tasks that wait for them: it
 * completes the calls of batches, and passes on the locks that ended tasks owned.
 */
#ifndef NUC_SERVER_H
#define NUC_SERVER_H

#include "call/call_types.h"

/* A piece of work for the server: part of a timer, or of another object that has a handler. */
struct nuc_work {
	struct base_list link; /* in nuc_cpu.server.work_due while queued */
	uint64_t not_before_ns;
	const struct nuc_object *owner; /* whose handler it is: a report of a fault names it */
	/* Context: handler (not stalled). */
	void (*run)(struct nuc_work *work);
	/* run() has returned, or was ended by a fault. Not called if the owner was deleted
	 * meanwhile. Context: stalled. */
	void (*done)(struct nuc_cpu *cpu, struct nuc_work *work, bool faulted);
	bool retired;             /* the owner was deleted while run() runs */
	struct nuc_call *deleter; /* the deleting call, which waits for run(); NULL: none does */
	bool released;            /* the owner's memory is freed when run() has ended */
};

static inline void nuc_work_init(struct nuc_work *work, const struct nuc_object *owner,
				 void (*run)(struct nuc_work *work),
				 void (*done)(struct nuc_cpu *cpu, struct nuc_work *work,
					      bool faulted))
{
	base_list_init(&work->link);
	work->owner = owner;
	work->run = run;
	work->done = done;
	work->retired = false;
	work->deleter = NULL;
	work->released = false;
}

/* Queue work; work that is queued already keeps its place. Context: stalled. */
void nuc_server_queue(struct nuc_cpu *cpu, struct nuc_work *work);

/* Remove queued work, because its object is deleted. Context: stalled. */
void nuc_server_cancel(struct nuc_work *work);

/*
 * The owner is deleted by this call, which ends when run() does: returns NUC_WAITING, or 0 if run()
 * does not run. deleter is NULL if the call does not wait for run(): then returns 0. The type's
 * release() frees the owner's memory by nuc_work_release(). Context: stalled.
 */
int nuc_work_retire(struct nuc_cpu *cpu, struct nuc_work *work, struct nuc_call *deleter);
void nuc_work_release(struct nuc_cpu *cpu, struct nuc_work *work);

/* The work whose run() has begun and not ended, or NULL. Context: stalled. */
static inline struct nuc_work *nuc_server_work(const struct nuc_cpu *cpu)
{
	return cpu->server.serving;
}

/* One server for each CPU, or none. 0 or -TACT_ENOMEM. Context: linux, after hal_start(). */
int nuc_servers_start(void);

/* End the servers, and give their stacks back. Context: linux, when no handler can become due any
 * more. */
void nuc_servers_end(void);

#endif
