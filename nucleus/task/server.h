/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The server of each CPU: a light task above all priorities that runs the users' handlers, so that
 * a handler's fault is a task's fault and its stack is known. What of the nucleus's own work takes
 * long, telling those whose waits have ended, giving back what ended tasks held, it does at the
 * priority of those who wait for it.
 */
#ifndef NUC_SERVER_H
#define NUC_SERVER_H

#include "call/call_types.h"

/* A piece of work for the server: embedded in an alarm or whatever has a handler. */
struct nuc_work {
	struct base_list link; /* in nuc_cpu.alarms_due while queued */
	uint64_t not_before_ns;
	const struct nuc_object *owner; /* whose handler it is: named when that faults */
	/* Context: handler (not stalled). */
	void (*run)(struct nuc_work *work);
	/* run() has returned, or was ended by a fault; not once the owner is being deleted.
	 * Context: stalled. */
	void (*done)(struct nuc_cpu *cpu, struct nuc_work *work, bool faulted);
	struct nuc_call *deleter; /* waits for run(), which runs */
	bool released;            /* the owner's memory goes when run() has ended */
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
	work->deleter = NULL;
	work->released = false;
}

/* Queue work; one that is queued already stays where it is. Context: stalled. */
void nuc_server_queue(struct nuc_cpu *cpu, struct nuc_work *work);

/* Forget queued work (its object goes). Context: stalled. */
void nuc_server_cancel(struct nuc_work *work);

/*
 * The owner is deleted by this call, which ends when run() does. Returns NUC_WAITING, or 0 when it
 * does not run. Its memory is freed by nuc_work_release(), the type's release(). Context: stalled.
 */
int nuc_work_retire(struct nuc_cpu *cpu, struct nuc_work *work, struct nuc_call *deleter);
void nuc_work_release(struct nuc_cpu *cpu, struct nuc_work *work);

/* The work whose run() has begun and not ended, or NULL. Context: stalled. */
static inline struct nuc_work *nuc_server_work(const struct nuc_cpu *cpu)
{
	return cpu->serving;
}

/* One server for each CPU, or none. 0 or -TACT_ENOMEM. Context: linux, after hal_start(). */
int nuc_servers_start(void);

/* They end, their stacks are put back. Context: linux, when no handler can become due any more. */
void nuc_servers_end(void);

#endif
