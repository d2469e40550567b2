/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mutex, for those that build on it: its wait queue holds calls that begin with struct
 * nuc_lock_call, whatever object they were made on.
 */
#ifndef NUC_MUTEX_H
#define NUC_MUTEX_H

#include <tactus/mutex.h>

#include "sync/ownership.h"

#define NUC_MUTEX_PROTOCOLS (TACT_MUTEX_PLAIN | TACT_MUTEX_CEILING)

/* Looks along the chain of owners and what they wait for: see deadlock.c. */
struct nuc_probe {
	struct nuc_message message;
	uint32_t self;  /* who waits */
	uint32_t owner; /* task reached */
	struct nuc_task *task;
	uint32_t object;     /* what it waits for; 0: its CPU is to be asked */
	uint32_t steps;      /* tasks passed */
	uint32_t turn;       /* and when to renew the landmark */
	uint32_t landmark;   /* a task passed, to notice circles without self */
	uint64_t edges;      /* digest of the edges passed */
	uint64_t last_edges; /* of the circle found before; 0: none */
	bool closed;         /* the last owner is self */
};

/* A call that is to end with a mutex owned. */
struct nuc_lock_call {
	struct nuc_call call;
	struct nuc_ownership *ownership; /* granted (or, when releasing, unlinked); NULL: not */
	uint32_t self;                   /* the caller, filled in on its CPU */
	uint32_t base_priority;          /* its base priority */
	uint32_t depth;                  /* to own with */
	bool again;                      /* it had it before it waited on a condition */
	uint32_t ticket;                 /* names this wait; set before nuc_lock_wait() */
	struct nuc_probe probe;
};

struct nuc_mutex {
	struct nuc_object object;
	struct nuc_ownership ownership;
	struct nuc_waitq waiters;
	uint32_t flags;
	uint32_t ceiling;
	uint32_t state;   /* enum tact_mutex_state */
	uint32_t tickets; /* names waits */
	bool retired;     /* nobody reaches it any more */
};

extern const struct nuc_ownership_ops nuc_mutex_ownership_ops;

/* A call by which the owner says something about the lock: run() finds out who it is by
 * nuc_lock_self(). */
int nuc_owner_call(uint32_t handle, enum nuc_type type,
		   int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *));

/* Done hooks of calls that lock and unlock. */
void nuc_lock_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call);
void nuc_unlock_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call);

static inline struct nuc_mutex *nuc_mutex_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_mutex, object);
}

static inline struct nuc_lock_call *nuc_lock_call_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_lock_call, call);
}

/* On the caller's CPU: note who calls. */
static inline void nuc_lock_note(struct nuc_lock_call *args, const struct nuc_task *task)
{
	args->self = task->object.handle;
	args->base_priority = task->base_priority;
}

/* Home: who calls, whether the call was noted where it departed or is made here. */
static inline uint32_t nuc_lock_self(const struct nuc_cpu *cpu, struct nuc_lock_call *args)
{
	if (args->call.origin == cpu)
		nuc_lock_note(args, args->call.task);
	return args->self;
}

/* Home: urgency demanded of the owner; but for a waiter that is about to leave the queue, or NULL.
 */
struct nuc_urgency nuc_mutex_demand(const struct nuc_mutex *mutex, const struct nuc_call *but);

/*
 * Home: the mutex is free and becomes the caller's. Returns what the call is to end with: 0,
 * -TACT_EOWNERDEAD (both owned: args->ownership is to be linked on the caller's CPU), or
 * -TACT_ENOTRECOVERABLE.
 */
int nuc_mutex_grant(struct nuc_mutex *mutex, struct nuc_lock_call *args);

/* Home: its owner has unlinked it; the first waiter gets it. */
void nuc_mutex_release(struct nuc_cpu *cpu, struct nuc_mutex *mutex);

/* Home: a call that waits elsewhere on this CPU is to have the mutex next, or to wait for it. */
void nuc_mutex_join(struct nuc_cpu *cpu, struct nuc_mutex *mutex, struct nuc_lock_call *args);

/* Lock again after a condition, whatever breaks in. */
int nuc_mutex_relock(uint32_t mutex, uint32_t depth);

/*
 * Home: queue the call for a lock whose ownership somebody may own. As nuc_wait(), or
 * -TACT_EDEADLK: the wait would close a circle. When other CPUs have to be asked that may also end
 * it later.
 */
int nuc_lock_wait(struct nuc_cpu *cpu, struct nuc_lock_call *args,
		  const struct nuc_ownership *ownership, struct nuc_waitq *queue);

#endif
