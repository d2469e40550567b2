/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls: one operation on one object, wherever it comes from. The function run() executes on the
 * object's home CPU, stalled, whether the caller is a task there (the usual case, no message), a
 * task or handler of another real-time CPU, or a Linux thread. An operation is therefore written
 * once, and never thinks about where its caller is. One that has to wait queues the call itself and
 * returns NUC_WAITING; whoever ends the wait completes the call, and the result travels back.
 *
 * A call lives on its caller's stack: the caller does not return before the call was completed
 * (and, when it was cancelled across CPUs, before the cancellation was answered).
 */
#ifndef NUC_CALL_H
#define NUC_CALL_H

#include <stdbool.h>

#include <tactus/time.h>

#include "base/tree.h"
#include "core/cpu.h"
#include "core/message.h"
#include "core/object.h"
#include "core/urgency.h"
#include "time/timer.h"

#define NUC_WAITING (1 << 30) /* result of run(): the call is queued and will be completed */

struct nuc_waitq;

/* Plain Linux threads that are inside nuc_call(): the CPUs do not stop before their answers. */
extern _Atomic uint32_t nuc_linux_callers;

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
 * Waits that have ended together, and of which each is still to be told: core/batch.h. The record
 * is that of the last of them.
 */
struct nuc_batch {
	struct base_tree_node place;   /* in nuc_cpu.batches */
	struct base_tree_node known;   /* in nuc_cpu.batch_rounds, unless it was split off */
	struct base_list calls;        /* in the order in which they are told */
	struct base_list far;          /* those of them that are told before all others */
	const struct nuc_waitq *queue; /* of all of them, and there until all have been told */
	void (*tell)(struct nuc_cpu *cpu, struct nuc_call *call, int result);
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
	uint8_t is_cast; /* nobody */
	uint8_t sent;    /* it travels: its fields are the receiver's */
	uint8_t timer_reserved;
	uint8_t replied;       /* the result is back, an update is still out */
	uint8_t update_flying; /* the update message is on its way there or back */
	uint8_t update_again;  /* and is to be sent once more */
	uint8_t update_cancel; /* enum nuc_break that it brings; written before it is sent */
	uint8_t cancelled;     /* the one that the next shall bring */
	uint8_t stays;         /* up to which one the wait goes on; the holder's */
	uint8_t pinned;        /* a message about it is out: nuc_call_unpin() completes it */
	uint8_t completed;     /* and is to do so */
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
	struct base_list lead;      /* see core/wait.c: of those that lead their priority */
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
	call->is_cast = 0;
	call->sent = 0;
	call->timer_reserved = 0;
	call->replied = 0;
	call->update_flying = 0;
	call->update_again = 0;
	call->cancelled = NUC_BREAK_NONE;
	call->stays = NUC_BREAK_NONE;
	call->pinned = 0;
	call->completed = 0;
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

/*
 * Make the call from wherever the caller is, and return its result. A full task in secondary mode
 * comes to primary mode first. Context: any, not stalled.
 */
int nuc_call(struct nuc_call *call);

/* The same for a caller that has begun a section by nuc_enter(): cpu is its result, maybe NULL.
 * Ends the section. */
int nuc_call_entered(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * The waiting half of nuc_call_entered(), for a caller that found the object by nuc_short_way() and
 * has to wait in this queue of it. Returns the result; ends the section.
 */
int nuc_call_wait_here(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);

/* As nuc_call() for creating calls: grows the home CPU's pool when the caller is Linux and it is
 * full. */
int nuc_call_create(struct nuc_call *call);

/*
 * A call of the nucleus's own that does not wait (NUC_CALL_CAST): run here, or sent to its object's
 * home. Its result, 0 if it was sent, or -TACT_EAGAIN: too many are under way. Context: stalled.
 */
int nuc_call_cast(struct nuc_cpu *cpu, struct nuc_call *call);

/* nuc_call() with a timeout; refuses unknown kinds with -TACT_EINVAL. */
int nuc_call_timeout(struct nuc_call *call, tact_timeout_t timeout);

/* Delivers a call to its object's home, where it is run. Context: stalled. */
void nuc_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

/* The result is known: hand it back. The call was not queued, or has been taken out. Context:
 * stalled. */
void nuc_call_complete(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/*
 * A call whose memory a message still needs is pinned by whoever sends that; its completion is put
 * off until it is unpinned. Context: the holder's CPU.
 */
void nuc_call_unpin(struct nuc_cpu *cpu, struct nuc_call *call);

/* The result is back where the call's task is: its wait ends, at due_ns if that is not past. */
void nuc_call_end(struct nuc_cpu *cpu, struct nuc_call *call);

/* The waiting call of a task is to end with -TACT_EINTR wherever it is held, unless it stays.
 * Context: task's CPU. */
void nuc_call_cancel(struct nuc_cpu *cpu, struct nuc_call *call, enum nuc_break how);

/* The urgency of its task changed while it waits. Context: task's CPU. */
void nuc_call_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * Inside run(): send the call on to another CPU, where deliver() goes on with it. Only for calls
 * that do not wait there. Returns NUC_WAITING, which run() returns, or -TACT_EAGAIN.
 */
int nuc_call_forward(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to,
		     void (*deliver)(struct nuc_cpu *cpu, struct nuc_message *message));

/* Look the object of a handle up; NULL with *error set. Context: home CPU, stalled. */
static inline struct nuc_object *nuc_lookup(struct nuc_cpu *cpu, uint32_t handle, uint8_t type,
					    int *error)
{
	uint32_t index = nuc_handle_index(handle);

	if (__builtin_expect(index < cpu->handles.known, 1)) {
		struct nuc_object *object = nuc_handle_entry(&cpu->handles, index)->object;

		if (__builtin_expect(object && object->handle == handle, 1)) {
			if (type == NUC_TYPE_ANY || object->type == type)
				return object;
			*error = -TACT_EBADF;
			return NULL;
		}
	}
	*error = nuc_handle_error(cpu, handle);
	return NULL;
}

#endif
