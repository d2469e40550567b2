/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes: constant operation tables. A class decides where in its level a ready task is
 * queued and whether it may run; picking is the same for all (sched.c). A class that has nothing to do
 * at some point leaves the operation NULL. Context of all: the task's CPU, stalled.
 */
#ifndef NUC_CLASS_H
#define NUC_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/sched.h>

#include "base/list.h"
#include "base/tree.h"
#include "time/timer.h"

struct nuc_cpu;
struct nuc_task;

struct nuc_class {
	const char *name;
	bool bound; /* its tasks cannot migrate: they share something of their CPU */
	/* Are the parameters good for a task of this base priority? 0 or a negative error. */
	int (*check)(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority);
	/* The task joins or leaves the class; it is not queued. attach() cannot fail after check(). */
	void (*attach)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*detach)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* Queue in the level of task->priority; front: it was preempted or unboosted. */
	void (*insert)(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
	void (*remove)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* The processor is given to the task, or taken from it after ran_ns. */
	void (*begin)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*end)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns);
	/* It became ready by a wake-up or a periodic release at this instant. */
	void (*release)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t instant_ns);
};

extern const struct nuc_class nuc_class_fifo;
extern const struct nuc_class nuc_class_rr;
extern const struct nuc_class nuc_class_edf;
extern const struct nuc_class nuc_class_sporadic;
extern const struct nuc_class nuc_class_partition;
extern const struct nuc_class nuc_class_quota;
extern const struct nuc_class nuc_class_weak;
extern const struct nuc_class *const nuc_class_table[TACT_SCHED_CLASSES];

#define NUC_SPORADIC_MAX 8

/* What a class remembers of a task. */
union nuc_class_data {
	struct {
		struct nuc_timer timer;
		uint64_t left_ns;
	} rr;
	struct {
		struct base_tree_node node;
		uint64_t deadline_ns; /* absolute */
	} edf;
	struct {
		struct nuc_timer exhaust;
		struct nuc_timer replenish;
		uint64_t budget_ns;
		uint64_t active_since_ns;
		struct {
			uint64_t at_ns;
			uint64_t amount_ns;
		} pending[NUC_SPORADIC_MAX];
		uint32_t pending_count;
		uint8_t low;
		uint8_t running;
	} sporadic;
	struct {
		struct base_list link;
	} partition;
	struct {
		struct base_list link;
		void *group;
	} quota;
};

/* For all classes that queue in the level's list. */
void nuc_class_insert_list(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
void nuc_class_remove_list(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
