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
	NUC_CALL_TASKS = 1u << 1, /* never from a handler */
	NUC_CALL_CAST = 1u << 2, /* carries its arguments by value: from a handler to another CPU it
				    is copied and nobody waits for the result */
	NUC_CALL_PAYLOAD = 1u << 4, /* it is a struct nuc_payload_call */
	NUC_CALL_OWNS = 1u << 3,    /* needs an owner: refused to plain Linux threads */
};

/* What breaks in on a wait, from the weakest up. */
enum nuc_break {
	NUC_BREAK_NONE = 0,
	NUC_BREAK_UNBLOCK = 1, /* tact_task_unblock(): not where the caller could only come back */
	NUC_BREAK_MUST = 2,    /* a signal's handler */
	NUC_BREAK_END = 3,     /* the end of its task, which will not see the result */
};

#define NUC_ENDED (-(1 << 30)) /* result of a wait that NUC_BREAK_END broke */

/*
 * What a call does on its caller's side, for objects that leave something with their owner. Context
 * of both: the CPU of the caller's task, stalled.
 */
struct nuc_call_hooks {
	/* The call is about to be sent to another CPU. NUC_WAITING: send it; else its result. */
	int (*depart)(struct nuc_cpu *cpu, struct nuc_call *call);
	/* The result of a call that waited or was sent has come back, and the task has not gone on
	 * nor ended yet. May change the result. */
	void (*done)(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call);
};

/*
 * Waits that have ended together, and of which each is still to be told: call/batch.h. The record
 * is that of the last of them.
 */
struct nuc_batch {
	struct base_tree_node place;   /* in nuc_cpu.batches */
	struct base_tree_node known;   /* in nuc_cpu.batch_rounds, unless it was split off */
	struct base_list calls;        /* in the order in which they are told */
	struct base_list far;          /* those of them that are told before all others */
	const struct nuc_waitq *queue; /* of all of them, and there until all have been told */
	void (*notify)(struct nuc_cpu *cpu, struct nuc_call *call, int result);
	uint64_t round;   /* of all of them */
	uint64_t number;  /* grows with each that is made on the CPU */
	uint64_t over_ns; /* when their waits ended */
	int result;
	uint16_t bound; /* none of them is more urgent, where they are in order of arrival */
	uint16_t most;  /* the highest of those that have been looked at to find that */
	uint16_t level; /* at which the next is told */
	struct base_list *look; /* the next that is to be looked at; NULL: all have been */
};

struct nuc_call {
	struct nuc_message message; /* first: travels in inboxes */
	int (*run)(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);
	uint32_t handle;
	uint8_t type;   /* enum nuc_type wanted */
	uint8_t flags;  /* enum nuc_call_flags */
	uint16_t bytes; /* size of the structure around this call, for casts */
	tact_timeout_t timeout;
	int result;

	/* who waits for the result */
	union {
		struct {
			uint8_t is_cast;       /* nobody */
			uint8_t update_flying; /* the update message is on its way there or back */
			uint8_t pinned; /* a message about it is out: nuc_call_unpin() completes it
					 */
			uint8_t completed; /* and is to do so */
		};
		uint32_t special; /* any of these: its completion is not the usual one */
	};
	uint8_t sent; /* it travels: its fields are the receiver's */
	uint8_t timer_reserved;
	uint8_t replied;       /* the result is back, an update is still out */
	uint8_t update_again;  /* the update message is to be sent once more */
	uint8_t update_cancel; /* enum nuc_break that it brings; written before it is sent */
	uint8_t cancelled;     /* the one that the next shall bring */
	uint8_t stays;         /* up to which one the wait goes on; the holder's */
	uint8_t is_far;        /* in queue: a Linux thread's, or of a task that is on another CPU */
	const struct nuc_call_hooks *hooks; /* NULL: none */
	struct nuc_task *task;              /* NULL: a Linux thread, or nobody */
	struct nuc_cpu *origin;             /* CPU to which the result goes; NULL: Linux */
	struct hal_word word;               /* a Linux thread waits here */
	uint64_t due_ns; /* a timer ended it that was early: it is not over before; 0: it is */

	/* while it waits; written by the holder */
	struct nuc_cpu *holder;     /* CPU on which it is queued; NULL: it is not */
	struct nuc_waitq *queue;    /* NULL: it waits for time only */
	struct base_list link;      /* in queue */
	struct base_list lead;      /* see call/wait.c: of those that lead their priority */
	struct base_list far;       /* in queue->far; valid if is_far */
	struct nuc_urgency urgency; /* of the caller, in queue */
	uint64_t round;             /* of the queue, when it came: see nuc_waitq */
	struct nuc_timer timer;
	struct nuc_batch batch; /* valid in the last call of one */

	/* a task's CPU tells the holder of a new priority or a cancellation */
	struct nuc_message update;
	struct nuc_cpu *update_from;
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
 * A call with contents. While the caller waits they are read where they lie; a cast takes them
 * along, up to TACT_HANDLER_BYTES, and is refused with -TACT_EMSGSIZE beyond.
 */
struct nuc_payload_call {
	struct nuc_call call;
	const void *data;
	uint32_t bytes;
};

/* What an object does about its waiters; one constant table a kind of queue. */
struct nuc_waitq_ops {
	/* A call left without being served (timeout, unblock; NUC_ENDED: its task ends): what the
	 * object keeps for this call alone goes. Nobody else is concerned. May be NULL. */
	void (*left)(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call,
		     int result);
	/*
	 * Others depend on who waits: an owner has the urgency of those who wait for it, or one
	 * that waits keeps those behind it from going on. Called when a call left without being
	 * served, after left(), and when the urgency of one that waits changed. In such a queue
	 * each timeout is served at its instant, whatever runs on the waiter's CPU; in a queue
	 * without (NULL) not before it can preempt, see nuc_timer_next_above().
	 */
	void (*changed)(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call);
	/* One that is to be told leaves its batch, with this result: instead of the batch's
	 * notify(). NULL: that. */
	void (*leaves_batch)(struct nuc_cpu *cpu, struct nuc_call *call, int result);
};

/*
 * When all waits of a queue end at once, and there are many, they leave the list together and a
 * new round of the queue begins; the calls of an earlier one are told later, in a batch. Whatever
 * else would end such a call's wait comes too late.
 */
struct nuc_waitq {
	struct base_list calls;
	struct base_list far;            /* those of them that are not of tasks of this CPU */
	struct nuc_object *object;       /* what is waited for, shown to tools */
	const struct nuc_waitq_ops *ops; /* NULL: nobody depends on who waits */
	/* Of those who wait: an even number, that never comes again. The calls of a struct nuc_over
	 * have an odd one of their own. */
	uint64_t round;
	uint32_t count;
	/* In order of arrival: no task of this CPU that waits has a higher priority. It is the
	 * highest that one had since nobody waited, so maybe that of one that has left. By priority
	 * the first is the most urgent, and this means nothing. */
	uint16_t level;
	bool by_priority; /* TACT_PRIO */
};

/* As the result of those who are woken together: each has its own, in its call. */
#define NUC_OWN_RESULT NUC_WAITING

#endif
