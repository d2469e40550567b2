/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The handler server of each CPU: a light task above all priorities that runs the users' handlers, so
 * that a handler's fault is a task's fault and its stack is known.
 */
#ifndef NUC_SERVER_H
#define NUC_SERVER_H

#include "core/task.h"

/* A piece of work for the server: embedded in an alarm or whatever has a handler. */
struct nuc_work {
	struct base_list link; /* in nuc_cpu.alarms_due while queued */
	/* Context: handler (not stalled). */
	void (*run)(struct nuc_work *work);
};

/* Queue work; one that is queued already stays where it is. Context: stalled. */
void nuc_server_queue(struct nuc_cpu *cpu, struct nuc_work *work);

/* Forget queued work (its object goes). Context: stalled. */
void nuc_server_cancel(struct nuc_work *work);

/* One server for each CPU. 0 or -TACT_ENOMEM. Context: linux, after hal_start(). */
int nuc_servers_start(void);

/* End all tasks but the servers and wait until they are gone; then the servers. Context: linux. */
void nuc_tasks_end_all(void);

#endif
