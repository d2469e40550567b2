/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The task control block. Owned by the CPU the task runs on (cpu), but for the fields of its
 * handle's home CPU. Control blocks are never given back to the pool for another use: a message
 * that arrives for a task that has ended or moved compares the handle and finds out.
 */
#ifndef NUC_TASK_H
#define NUC_TASK_H

#include <tactus/task.h>

#include "core/call.h"
#include "core/hold.h"
#include "core/wait.h"
#include "sched/class.h"

/* The task's place in the status segment, or in the control block when the segment is full. */
struct nuc_slot {
	struct base_list link; /* in nuc_cpu.slots while free */
	struct tact_status_task *status;
	uint32_t index;
};

#define NUC_ROOM_WAITED 0x80000000u

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
	uint8_t makes_room : 1;      /* it goes there because others wait for its CPU */
	_Atomic uint8_t signal_sent; /* signal_message is under way */
	_Atomic uint8_t pass_sent;   /* pass_message is */
	uint8_t cut_short;           /* turns in a row that anticipation left it nothing of */
	uint16_t lock_count;         /* tact_task_lock_scheduler() */
	uint32_t life;               /* nuc_life when it was made; constant */
	uint32_t room_seen; /* watchdog.c: how long it had run; NUC_ROOM_WAITED: it waited */
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
	struct nuc_holds holds;
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

/* A reason not to run is gone or there: queue or unqueue the task. Context: its CPU. */
void nuc_task_block(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason);
void nuc_task_unblock(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reason);

/* When what ends a wait now was due: not when it is looked at, which another task may put off. */
uint64_t nuc_wake_up_ns(const struct nuc_cpu *cpu);

/* The current task waits in call, which is queued; returns its result, stalled no more. */
int nuc_task_wait(struct nuc_cpu *cpu, struct nuc_call *call);
/* The result of the call a task waits in has arrived. Context: its CPU. */
void nuc_task_wait_done(struct nuc_cpu *cpu, struct nuc_task *task);

/* Linux priority of a shadow for the task's effective priority; for this one, in that class. */
uint32_t nuc_task_linux_priority(const struct nuc_task *task);
uint32_t nuc_linux_priority(uint32_t priority, const struct tact_sched_param *sched);

/* Linux priority that the CPU is to have while its current task runs. */
uint32_t nuc_cpu_linux_priority(const struct nuc_cpu *cpu);

/*
 * Make the effective priority what base, class and holds demand. A throttled task that others wait
 * for runs, at the priority that they demand. Context: its CPU.
 */
void nuc_task_update_priority(struct nuc_cpu *cpu, struct nuc_task *task);

/* The task's class lets it run no more, or again. Context: its CPU. */
void nuc_task_throttle(struct nuc_cpu *cpu, struct nuc_task *task, bool on);

/* The same for one that is about to be queued: its class's ready(). */
void nuc_task_hold_back(struct nuc_task *task);

/* Tell those who go by its priority where it is now: what it waits for, the timers, its shadow. Its
 * wait may end in that, so it is either queued already or waits. Context: its CPU. */
void nuc_task_spread_priority(struct nuc_cpu *cpu, struct nuc_task *task);

/* Give the task, which is in no queue, to a class; the parameters have been checked. It is told to
 * nobody yet. Context: its CPU. */
void nuc_task_join_class(struct nuc_cpu *cpu, struct nuc_task *task,
			 const struct tact_sched_param *param);

/* First code of each task. */
void nuc_task_entry(void *task);

/*
 * End a task on its CPU: everything is taken from it; returns unless it is the current one. What it
 * holds is given back in the order in which it came; where that is much, the CPU's server does it
 * in pieces, as urgent as the most urgent of those who wait for any of it, and the task has ended
 * for those who join it when all is given back.
 */
void nuc_task_end(struct nuc_cpu *cpu, struct nuc_task *task, bool faulted);

/* Some such task, if there is one: a piece. Context: the server's. */
void nuc_task_endings_work(struct nuc_cpu *cpu);

/* The task has moved on, or has not arrived yet: the message goes after it, to come once more. It
 * is one of the task's own. Context: the CPU where the message is, stalled. */
bool nuc_task_message_follows(struct nuc_cpu *cpu, const struct nuc_task *task,
			      struct nuc_message *message);

/* It has ended, and nothing is under way to its control block any more. Context: any. */
bool nuc_task_at_rest(const struct nuc_task *task);

/* Is the nucleus gone that it belonged to? Context: any. */
bool nuc_task_stray(const struct nuc_task *task);

/* Called unstalled on the shadow; returns in primary mode. */
int nuc_task_harden(struct nuc_task *task);
/* To its shadow, by this Linux call, or -1. Called stalled, on its CPU; returns on the shadow. */
void nuc_task_relax(struct nuc_cpu *cpu, struct nuc_task *task, long number, uintptr_t ip);

/* Its context is saved: its shadow goes on with it. Context: its CPU, stalled. */
void nuc_task_run_on_shadow(struct nuc_cpu *cpu, struct nuc_task *task);
/* The calling task leaves a call, and its class is weak. Context: the task, not stalled. */
void nuc_task_go_back(struct nuc_task *task);

/* Bring a full task to secondary mode, where it may ask Linux for things; 0 for plain Linux
 * threads, -TACT_EPERM for those that may not. Context: any, not stalled. */
int nuc_go_linux(void);

/*
 * Room for the timers that a task brings along to the CPU it is on: one for its waits, and those of
 * its class. 0 or -TACT_ENOMEM. Context: that CPU, stalled.
 */
int nuc_task_timers_reserve(struct nuc_cpu *cpu, unsigned of_class);
void nuc_task_timers_unreserve(struct nuc_cpu *cpu, unsigned of_class);

/* Home CPU asked for by creation flags, or the caller's own. 0, -TACT_ENXIO, -TACT_EPERM. */
int nuc_home_of_flags(uint32_t flags, uint32_t *cpu);
/* The caller's real-time CPU, 0 for Linux threads. */
uint32_t nuc_cpu_here(void);

/* Status slots. */
void nuc_slot_take(struct nuc_cpu *cpu, struct nuc_task *task);
void nuc_slot_give(struct nuc_cpu *cpu, struct nuc_task *task);

/* Push the task out to its shadow, which has a signal to handle. Context: its CPU, stalled. */
void nuc_task_serve_signal(struct nuc_cpu *cpu, struct nuc_task *task);
/* For a signal: it is suspended no more, however often it was. Context: the task's CPU. */
void nuc_task_break_suspension(struct nuc_cpu *cpu, struct nuc_task *task);
/* May it, in the middle of whatever it does? */
bool nuc_task_may_leave(const struct nuc_task *task);
/* Push it out with word why (enum tact_switch_cause), 0: none. Context: its CPU, stalled. */
void nuc_task_send_away(struct nuc_cpu *cpu, struct nuc_task *task, int cause);

/* Call a task's control function on the CPU that it runs on: see task_call.c. */
struct nuc_task_call {
	struct nuc_call call;
	/* Context: the CPU of the task, stalled. */
	int (*act)(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call);
	/* Answers the call instead, from nuc_task_call_arrive(), for one that carries something.
	 * NULL: nuc_call_complete(). Context: any CPU, stalled. */
	void (*end)(struct nuc_cpu *cpu, struct nuc_task_call *call, int result);
	struct nuc_task *task;
	uint64_t a;
	uint64_t b;
	void *pointer; /* results: the caller waits, so it may point to its stack */
	struct tact_sched_param param;
};
int nuc_task_call(tact_task_t task, struct nuc_task_call *call, unsigned flags,
		  int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *));

/* Delivers the call's message: act there where its task is, if it lives. */
void nuc_task_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

/* The act of inquiring; of an ended task on its handle's home. */
int nuc_task_inquire_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call);

/* The act of deleting. */
int nuc_task_end_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call);

/* The same from inside a run() on the handle's home CPU. */
int nuc_task_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *args,
		 int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *));

#endif
