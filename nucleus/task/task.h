/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The task control block. The CPU on which the task runs (cpu) owns it, except the fields of the
 * home CPU of its handle. The memory of a control block is never used for anything else: a message
 * for a task that has ended compares the handle and finds out.
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

/* The releases of a periodic task: period.c. */
struct nuc_period {
	uint64_t ns;         /* between two of them; 0: not periodic */
	uint64_t release_ns; /* the next one; with awaits_release, the one after that */
};

/* What a task does in its own context before its code continues: wants.c. */
enum nuc_task_wants {
	NUC_WANTS_ROUTINE = 1u << 0, /* a request that is not masked */
	NUC_WANTS_SWITCH = 1u << 1,  /* each switch to it requests at_switch */
	NUC_WANTS_HANDLER = 1u << 2, /* it is the server: each switch begins handler context */
	NUC_WANTS_END = 1u << 3,     /* it ends as soon as it is not safe */
	NUC_WANTS_RESTART = 1u << 4, /* it restarts then; never together with NUC_WANTS_END */
};

/* nuc_task.not_before_ns of a task that only wants something. */
#define NUC_WANTS_NOW 1u

struct nuc_task {
	struct nuc_object object;

	/* of the home CPU of the handle */
	struct nuc_waitq joiners;
	uint8_t ended : 1; /* only its handle is left */
	uint8_t detached : 1;
	uint8_t hook_due : 1; /* ended, and on_end has not returned */
	uint8_t awaited : 1;  /* callers wait for its end in deleters.c */
	uint8_t faulted;      /* 1, or the cause of a fault of its shadow that is not counted yet */

	/* of the CPU it runs on */
	uint8_t doomed : 1; /* it ends as soon as possible */
	uint8_t attached : 1;
	uint8_t leaves : 1; /* it is being detached: its shadow belongs to its thread alone */
	uint8_t gone : 1;   /* it was detached: no task joins it */
	uint8_t suspend_broken : 1; /* a signal ended its last suspension */
	uint8_t started : 1;
	uint8_t server : 1;
	uint8_t throttled : 1;       /* its class does not let it run */
	uint8_t boosted : 1;         /* its place in the run queue is a boost */
	uint8_t goes_back : 1;       /* its class sends it to secondary mode after each call */
	uint8_t relax_wanted : 1;    /* a signal waits for the shadow */
	uint8_t awaits_release : 1;  /* it has not got the release before release_ns */
	uint8_t restarts : 1;        /* it begins anew where it would end */
	uint8_t is_demoted : 1;      /* it goes to its shadow because others wait for its CPU */
	_Atomic uint8_t signal_sent; /* signal_message is under way */
	_Atomic uint8_t pass_sent;   /* pass_message is */
	uint8_t cut_short;           /* how many turns in a row anticipation left no time of */
	uint8_t move_to;             /* the CPU that it moves to */
	/* The switch to the task reads all of it at once: see nuc_task_is_locker(). */
	union {
		struct {
			uint16_t lock_count;   /* tact_task_lock_scheduler() */
			uint8_t handler_locks; /* tact_task_lock_handlers() */
			uint8_t wants;         /* enum nuc_task_wants */
		};
		uint32_t on_switch; /* 0: the usual case */
	};
	uint16_t safe_count;     /* tact_task_safe() */
	uint32_t safe_mutexes;   /* with TACT_MUTEX_SAFE, that it owns */
	uint32_t life;           /* nuc_life when it was made; constant */
	uint32_t rebalance_seen; /* watchdog.c: how long it had run; or NUC_REBALANCE_WAITED */
	/* The condition whose signal ended its wait, until the task has used the signal; 0: none.
	 * The CPU owns it while the task waits or is ready; otherwise the task does, in either
	 * mode. */
	_Atomic uint32_t signal;
	_Atomic(struct nuc_cpu *) cpu;
	struct hal_context context;
	struct hal_stack stack;
	struct hal_shadow *shadow; /* NULL: light */
	uint32_t state;            /* enum tact_task_state; mirrored in the slot */
	uint32_t flags;            /* TACT_TASK_* */
	uint16_t base_priority;
	uint16_t sched_priority; /* the level that its class gives it: base, or lower without budget
				  */
	uint16_t priority;       /* effective: the level it is queued in */
	uint16_t suspend_count;
	/* In nuc_cpu.tasks; once released, in nuc_cpu.free_tasks of the handle's home. */
	struct base_list cpu_link;
	/* In its level while ready; in nuc_cpu.endings after its end, while it still owns
	 * something. The node's key is always the place of the task within its level, also if the
	 * task is in the list, whose links do not reach the key, or in neither:
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

	/* for the program: data.h */
	_Atomic uint64_t data; /* of the home CPU of the handle, and of the task itself */
	void (*on_end)(tact_task_t task, uint64_t data, uint32_t faulted); /* of the home CPU */
	_Atomic(struct nuc_routine *) routine; /* made by the home CPU; NULL: it never had one */

	/* scheduling class */
	const struct nuc_class *sched;
	struct tact_sched_param param;
	union nuc_class_data class_data;

	/* time */
	union {
		/* Made ready early because of gravity: the switch waits for this instant. Or
		 * NUC_WANTS_NOW. */
		uint64_t not_before_ns;
		/* While it moves to this CPU: when its wait ended; 0: it did not. */
		uint64_t woken_ns;
	};
	struct nuc_period period;

	/* messages about this task, at most one of each kind under way; the task does not end while
	 * it moves */
	union {
		struct nuc_message move_message;
		struct nuc_message end_message;
	};
	union {
		struct nuc_message park_message;
		struct nuc_message pass_message; /* after its end */
	};
	struct nuc_message signal_message;

	struct nuc_slot *slot;
	struct tact_status_task *status; /* never NULL */
	struct tact_status_task own_status;
};

_Static_assert(offsetof(struct base_tree_node, key) >= sizeof(struct base_list),
	       "a task in a list keeps its key");

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the counts of locks are the low bytes");

/* Has the task locked the scheduler or the handlers of its CPU? */
static inline bool nuc_task_is_locker(const struct nuc_task *task)
{
	return (task->on_switch & 0xffffffu) != 0;
}

/* Does the task give back what it owns, before it begins anew? */
static inline bool nuc_task_restarting(const struct nuc_task *task)
{
	return task->restarts && task->state & TACT_TASK_STATE_DORMANT;
}

/* The deadline by which the task is ordered in its level now, its own or an inherited one;
 * NUC_NO_DEADLINE: none. */
static inline uint64_t nuc_task_deadline(const struct nuc_task *task)
{
	return NUC_DEADLINE(task->run_node.key);
}

/* Does the task have its place by the deadline of another task, or of a ceiling? */
static inline bool nuc_task_lent_deadline(const struct nuc_task *task)
{
	return task->boosted && nuc_task_deadline(task) != NUC_NO_DEADLINE;
}

static inline struct nuc_task *nuc_task_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_task, object);
}

/* Every change of state comes here, so that tools see it. */
static inline void nuc_task_set_state(struct nuc_task *task, uint32_t state)
{
	task->state = state;
	task->status->state = state;
}

/* The urgency with which the caller of a call waits: that of its task; none for a Linux thread. */
static inline struct nuc_urgency nuc_call_urgency(const struct nuc_call *call)
{
	const struct nuc_task *task = call->task;

	if (!task)
		return (struct nuc_urgency){NUC_NO_DEADLINE, 0};
	return (struct nuc_urgency){nuc_task_deadline(task), task->priority};
}

/*
 * Has the task of a call moved while it waited? Only the CPU on which the task is now decides about
 * the call and its updates. True: the message, which belongs to the call, was sent there.
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

/* Has the nucleus to which the task belonged stopped? Context: any. */
static inline bool nuc_task_stray(const struct nuc_task *task)
{
	return task->life != atomic_load_explicit(&nuc_life, memory_order_seq_cst);
}

/* Has the task moved on, or not arrived yet? True: the message, which belongs to the task, was sent
 * after it and will be delivered again. Context: the CPU where the message is, stalled. */
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
