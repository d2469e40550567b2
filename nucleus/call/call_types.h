/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The records of calls and of the queues that they wait in: see call.h and wait.h.
 */
#ifndef NUC_CALL_TYPES_H
#define NUC_CALL_TYPES_H

#include <stdbool.h>

#include <tactus/time.h>

#include "base/tree.h"
#include "kernel/cpu.h"
#include "kernel/message.h"
#include "kernel/object.h"
#include "kernel/timer.h"
#include "kernel/urgency.h"

#define NUC_WAITING (1 << 30) /* result of run(): the call is queued and will be completed */

struct nuc_waitq;

enum nuc_call_flags {
	NUC_CALL_WAITS = 1u << 0, /* may wait: refused in a handler unless the timeout is NOWAIT */
	NUC_CALL_TASKS = 1u << 1, /* refused in a handler */
	NUC_CALL_CAST = 1u << 2,  /* carries its arguments by value: a handler sends a copy to
				     another CPU, and does not wait for the result */
	NUC_CALL_PAYLOAD = 1u << 4, /* it is a struct nuc_payload_call */
	NUC_CALL_OWNS = 1u << 3,    /* needs an owner: refused to a plain Linux thread */
};

/* What can break a wait, from the weakest up. */
enum nuc_break {
	NUC_BREAK_NONE = 0,
	NUC_BREAK_UNBLOCK = 1, /* tact_task_unblock(): not a wait that would only be repeated */
	NUC_BREAK_MUST = 2,    /* the handler of a signal */
	NUC_BREAK_END = 3,     /* the end of its task, which will not see the result */
};

#define NUC_ENDED (-(1 << 30)) /* result of a wait that NUC_BREAK_END broke */

/*
 * What a call does on the side of its caller, for objects that store something in their owner.
 * Context of both: the CPU of the caller's task, stalled.
 */
struct nuc_call_hooks {
	/* The call is about to be sent to another CPU. Returns NUC_WAITING to send it, or its
	 * result. */
	int (*depart)(struct nuc_cpu *cpu, struct nuc_call *call);
	/* The result of a call that waited or was sent has come back; the task has neither
	 * continued nor ended yet. May change the result. */
	void (*done)(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call);
};

/*
 * Calls whose waits have ended together, and each of which must still be completed: call/batch.h.
 * The record is in the last of these calls.
 */
struct nuc_batch {
	struct base_tree_node place;   /* in nuc_cpu.batches */
	struct base_tree_node known;   /* in nuc_cpu.batch_rounds, unless it was split off */
	struct base_list calls;        /* in the order in which they are completed */
	struct base_list cross_cpu;    /* those of them that are completed first */
	const struct nuc_waitq *queue; /* the queue of all, which exists until all are completed */
	void (*notify)(struct nuc_cpu *cpu, struct nuc_call *call, int result);
	uint64_t round;   /* of all of them */
	uint64_t number;  /* grows with each batch of the CPU */
	uint64_t over_ns; /* when their waits ended */
	int result;
	uint16_t bound;         /* none is more urgent; in a queue by arrival */
	uint16_t most;          /* highest priority found so far, for bound */
	uint16_t level;         /* at which the next is completed */
	struct base_list *scan; /* the next call to read for bound; NULL: none is left */
};

struct nuc_call {
	struct nuc_message message; /* first: travels in inboxes */
	/* NULL: an alternative, call/alternative.h */
	int (*run)(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);
	uint32_t handle;
	uint8_t type;   /* enum nuc_type wanted */
	uint8_t flags;  /* enum nuc_call_flags */
	uint16_t bytes; /* size of the structure around this call, for casts */
	tact_timeout_t timeout;
	int result;

	/* how the call is completed */
	union {
		struct {
			uint8_t is_cast;       /* no caller waits: call/cast.h */
			uint8_t update_flying; /* the update message is on its way there or back */
			uint8_t pinned;    /* a message needs its memory: see nuc_call_unpin() */
			uint8_t completed; /* nuc_call_unpin() has to complete it */
		};
		uint32_t special; /* not 0: one of these, and the completion is not the usual one */
	};
	uint8_t sent; /* it was sent: its fields belong to the receiver */
	uint8_t timer_reserved;
	uint8_t replied;       /* the result is back; an update may still be under way */
	uint8_t update_again;  /* the update message has to be sent again */
	uint8_t update_cancel; /* enum nuc_break in the update; written before it is sent */
	uint8_t cancelled;     /* enum nuc_break for the next update */
	uint8_t stays;        /* the wait ignores enum nuc_break up to this; the holder writes it */
	uint8_t is_cross_cpu; /* in queue: of a Linux thread or of a task on another CPU */
	const struct nuc_call_hooks *hooks; /* NULL: none */
	struct nuc_task *task;              /* NULL: a Linux thread, or a cast */
	struct nuc_cpu *origin;             /* CPU to which the result goes; NULL: Linux */
	struct hal_word word;               /* a Linux thread waits here */
	uint64_t due_ns; /* a timer ended it early: the wait is over at this instant; 0: at once */

	/* while it waits; written by the holder */
	struct nuc_cpu *holder;     /* CPU on which it is queued; NULL: it is not */
	struct nuc_waitq *queue;    /* NULL: it waits for time only */
	struct base_list link;      /* in queue */
	struct base_list lead;      /* among the leaders of their priorities: call/wait.c */
	struct base_list cross_cpu; /* in queue->cross_cpu; valid if is_cross_cpu */
	struct nuc_urgency urgency; /* of the caller, in this queue */
	uint64_t round;             /* of the queue when the call was queued: see nuc_waitq */
	struct nuc_timer timer;
	struct nuc_batch batch; /* valid in the last call of one */

	/* the message by which the task's CPU tells the holder a new urgency or a cancellation */
	struct nuc_message update;
	struct nuc_cpu *update_from;
	int update_result; /* of the wait that update_cancel breaks */
	int cancel_result; /* of the wait that cancelled breaks */
	struct nuc_urgency update_urgency;
};

static inline void nuc_call_init(struct nuc_call *call,
				 int (*run)(struct nuc_cpu *, struct nuc_object *,
					    struct nuc_call *),
				 enum nuc_type type, uint32_t handle, unsigned flags, size_t bytes)
{
	call->run = run;
	call->handle = handle;
	call->type = (uint8_t)type;
	call->flags = (uint8_t)flags;
	call->bytes = (uint16_t)bytes;
	call->timeout = TACT_NOWAIT;
	call->special = 0;
	call->sent = 0;
	call->timer_reserved = 0;
	call->replied = 0;
	call->update_again = 0;
	call->cancelled = NUC_BREAK_NONE;
	call->stays = NUC_BREAK_NONE;
	call->hooks = NULL;
	call->task = NULL;
	call->holder = NULL;
}

/* Declare `name`, of a type whose first member `call` is a struct nuc_call, ready for nuc_call().
 */
#define NUC_CALL(type_, name, run_, object_type, handle_, flags_) \
	type_ name;                                               \
	nuc_call_init(&name.call, run_, object_type, handle_, flags_, sizeof(name))

/* A call without arguments of its own. */
struct nuc_plain_call {
	struct nuc_call call;
};

/*
 * A call with contents. They are read in place while the caller waits. A cast copies them, up to
 * TACT_HANDLER_BYTES; with more it is refused by -TACT_EMSGSIZE.
 */
struct nuc_payload_call {
	struct nuc_call call;
	const void *data;
	uint32_t bytes;
};

/* What an object does about its waiters: one constant table for each kind of queue. */
struct nuc_waitq_ops {
	/* A call left without being served (timeout, unblock; NUC_ENDED: its task ends). Frees what
	 * the object stores for this call alone; other calls are not concerned. May be NULL. */
	void (*left)(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call,
		     int result);
	/*
	 * Other tasks depend on the waiters: an owner inherits their urgency, or a waiter holds up
	 * those behind it. Called when a call left without being served, after left(), and when the
	 * urgency of a waiter changed. With changed(), each timeout is served at its instant,
	 * whatever runs on the CPU of the waiter. Without it (NULL), a timeout is not served before
	 * the waiter could preempt: see nuc_timer_next_above().
	 */
	void (*changed)(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call);
	/* The urgency of a waiter changed, which concerns only what the waiter itself has
	 * elsewhere. May be NULL; not called if there is a changed(). */
	void (*reprioritized)(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call);
	/* A call leaves its batch with this result: called in place of notify() of the batch. NULL:
	 * notify(). */
	void (*leaves_batch)(struct nuc_cpu *cpu, struct nuc_call *call, int result);
};

/*
 * If all waits of a queue end at once, and they are many, the calls leave the list together and a
 * new round of the queue begins. The calls of an earlier round are completed later, in a batch.
 * Another event that would end such a wait comes too late.
 */
struct nuc_waitq {
	struct base_list calls;
	struct base_list cross_cpu;      /* those of Linux threads and tasks of other CPUs */
	struct nuc_object *object;       /* what the calls wait for, shown to tools */
	const struct nuc_waitq_ops *ops; /* NULL: none */
	/* The round of the calls that wait: an even number, which is never used again. The calls of
	 * a struct nuc_over have an odd number of their own. */
	uint64_t round;
	uint32_t count;
	/* In a queue by arrival: no waiting task of this CPU has a higher priority. It is the
	 * highest priority of such a task since the queue was empty; the task may have left since.
	 * In a queue by priority it has no meaning, because the first call is the most urgent. */
	uint16_t level;
	bool by_priority; /* TACT_PRIO */
};

/* As the result of calls that are woken together: each call has its own result. */
#define NUC_OWN_RESULT NUC_WAITING

#endif
