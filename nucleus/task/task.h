/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The task control block. Owned by the CPU the task runs on (cpu), but for the fields of its
 * handle's home CPU. Control blocks are never given back to the pool for another use: a message
 * that arrives for a task that has ended or moved compares the handle and finds out.
 */
#ifndef NUC_TASK_H
#define NUC_TASK_H

#include <tactus/task.h>

#include "call/call_types.h"
#include "kernel/delivery.h"
#include "kernel/lifecycle.h"
#include "kernel/slot.h"
#include "task/class.h"
#include "task/owned_lock.h"

#define NUC_REBALANCE_WAITED 0x80000000u

struct nuc_task {
	struct nuc_object object;

	/* of the home CPU of the handle */
	struct nuc_waitq joiners;
	uint8_t ended : 1; /* no more than the handle is left */
	uint8_t detached : 1;
	uint8_t faulted; /* 1; until one of its shadow is counted, the cause */

	/* of the CPU it runs on */
	uint8_t doomed : 1; /* to be ended as soon as it can be */
	uint8_t adopted : 1;
	uint8_t leaves : 1;         /* it is being let go: its shadow is its thread's alone */
	uint8_t gone : 1;           /* it was let go: nobody joins it */
	uint8_t suspend_broken : 1; /* its last suspension, by a signal */
	uint8_t started : 1;
	uint8_t server : 1;
	uint8_t throttled : 1;       /* its class does not let it run */
	uint8_t boosted : 1;         /* it has its place for others' sake */
	uint8_t goes_back : 1;       /* its class sends it to secondary mode after each call */
	uint8_t relax_wanted : 1;    /* a signal waits for the shadow */
	uint8_t is_demoted : 1;      /* it goes there because others wait for its CPU */
	_Atomic uint8_t signal_sent; /* signal_message is under way */
	_Atomic uint8_t pass_sent;   /* pass_message is */
	uint8_t cut_short;           /* turns in a row that anticipation left it nothing of */
	uint16_t lock_count;         /* tact_task_lock_scheduler() */
	uint32_t life;               /* nuc_life when it was made; constant */
	uint32_t rebalance_seen; /* watchdog.c: how long it had run; NUC_REBALANCE_WAITED: it waited
				  */
	/* The condition whose signal ended its wait, until it has gone on with that; 0: none. Of
	 * its CPU while it waits or is to run, and else the task's own, in whatever mode. */
	_Atomic uint32_t signal;
	_Atomic(struct nuc_cpu *) cpu;
	struct hal_context context;
	struct hal_stack stack;
	struct hal_shadow *shadow; /* NULL: light */
	uint32_t state;            /* enum tact_task_state; mirrored in the slot */
	uint32_t flags;            /* TACT_TASK_* */
	uint16_t base_priority;
	uint16_t sched_priority; /* what its class makes of it: base, or lower without budget */
	uint16_t priority;       /* effective: the level it is queued in */
	uint16_t suspend_count;
	/* In nuc_cpu.tasks; once released, in nuc_cpu.free_tasks of the handle's home. */
	struct base_list cpu_link;
	/* In its level while ready; in nuc_cpu.endings once it has ended, while it holds something
	 * yet. The node's key is the task's place among those of its level
	 * also while it is in the list, whose links end before it, or in neither:
	 * nuc_task_deadline(). */
	union {
		struct base_list run_link;
		struct base_tree_node run_node;
	};
	struct nuc_owned_locks owned_locks;
	struct nuc_call *wait; /* the call it waits in */
	/* Called once the task is switched away from and its context is complete. */
	void (*saved)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*entry)(void *arg);
	void *arg;

	/* scheduling class */
	const struct nuc_class *sched;
	struct tact_sched_param param;
	union nuc_class_data class_data;

	/* time */
	uint64_t not_before_ns; /* made ready early by gravity: the switch waits for this instant */
	uint64_t woken_ns;      /* its wait ended on its way to this CPU, at this instant; 0: not */
	uint64_t period_ns;     /* 0: not periodic */
	uint64_t release_ns;    /* the next release */
	uint64_t taken_ns;      /* the release that is waited for; 0: it was given */

	/* messages about this task, one of a kind under way at most; it ends nowhere while it moves
	 */
	union {
		struct nuc_message move_message;
		struct nuc_message end_message;
	};
	struct nuc_cpu *move_to;
	union {
		struct nuc_message park_message;
		struct nuc_message pass_message; /* of one that has ended */
	};
	struct nuc_message signal_message;

	struct nuc_slot *slot;
	struct tact_status_task *status; /* never NULL */
	struct tact_status_task own_status;
};

_Static_assert(offsetof(struct base_tree_node, key) >= sizeof(struct base_list),
	       "a task in a list keeps its key");

/* The deadline by which the task is ordered in its level now, inherited or its own;
 * NUC_NO_DEADLINE: none. */
static inline uint64_t nuc_task_deadline(const struct nuc_task *task)
{
	return NUC_DEADLINE(task->run_node.key);
}

/* Is that deadline another task's, or a ceiling's, to which the task owes its place? */
static inline bool nuc_task_lent_deadline(const struct nuc_task *task)
{
	return task->boosted && nuc_task_deadline(task) != NUC_NO_DEADLINE;
}

static inline struct nuc_task *nuc_task_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_task, object);
}

/* State changes go through here, so that tools see them. */
static inline void nuc_task_set_state(struct nuc_task *task, uint32_t state)
{
	task->state = state;
	task->status->state = state;
}

/* Urgency with which the caller of a call waits: its task's, none for Linux threads. */
static inline struct nuc_urgency nuc_call_urgency(const struct nuc_call *call)
{
	const struct nuc_task *task = call->task;

	if (!task)
		return (struct nuc_urgency){NUC_NO_DEADLINE, 0};
	return (struct nuc_urgency){nuc_task_deadline(task), task->priority};
}

/*
 * Its task has moved while it waited: only the CPU that it is on now settles what the call and the
 * news about it are up to. True: the message, which is the call's, was sent there.
 */
static inline bool nuc_call_follow(struct nuc_cpu *cpu, struct nuc_call *call,
				   struct nuc_message *message)
{
	struct nuc_cpu *at = atomic_load_explicit(&call->task->cpu, memory_order_acquire);

	if (__builtin_expect(at == cpu, 1))
		return false;
	nuc_message_send(at, message);
	return true;
}

/* Is the nucleus gone that it belonged to? Context: any. */
static inline bool nuc_task_stray(const struct nuc_task *task)
{
	return task->life != atomic_load_explicit(&nuc_life, memory_order_seq_cst);
}

/* The task has moved on, or has not arrived yet: the message goes after it, to come once more. It
 * is one of the task's own. Context: the CPU where the message is, stalled. */
static inline bool nuc_task_message_follows(struct nuc_cpu *cpu, const struct nuc_task *task,
					    struct nuc_message *message)
{
	struct nuc_cpu *at = atomic_load_explicit(&task->cpu, memory_order_acquire);

	if (at == cpu && !(task->state & TACT_TASK_STATE_MOVING))
		return false;
	nuc_message_send(at, message);
	return true;
}

#endif
