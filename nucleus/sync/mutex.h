/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mutex, for the parts that build on it. All calls in its wait queue begin with struct
 * nuc_lock_call, whatever the object on which they were made.
 */
#ifndef NUC_MUTEX_H
#define NUC_MUTEX_H

#include <tactus/mutex.h>
#include <tactus/safe.h>

#include "sync/ownership.h"

#define NUC_MUTEX_PROTOCOLS (TACT_MUTEX_PLAIN | TACT_MUTEX_CEILING)
#define NUC_MUTEX_FLAGS     (TACT_PRIO | TACT_MUTEX_RECURSIVE | NUC_MUTEX_PROTOCOLS | TACT_MUTEX_SAFE)

/* A probe, which follows the chain of owners and of the locks that they wait for: see
 * deadlock.c. */
struct nuc_probe {
	struct nuc_message message;
	uint32_t self;  /* the task that waits */
	uint32_t owner; /* the task reached */
	struct nuc_task *task;
	uint32_t object;     /* what that task waits for; 0: its CPU must be asked */
	uint32_t steps;      /* number of tasks passed */
	uint32_t turn;       /* number of steps at which the landmark is renewed */
	uint32_t landmark;   /* a task passed, to find circles without self */
	uint64_t edges;      /* digest of the edges passed */
	uint64_t last_edges; /* of the circle found before; 0: none */
	bool closed;         /* the last owner is self */
};

/* A call that has to end with an owned lock. */
struct nuc_lock_call {
	struct nuc_call call;
	struct nuc_ownership *ownership; /* granted (or, for a release, unlinked); NULL: none */
	uint32_t self;                   /* the calling task, written on its CPU */
	uint32_t base_priority;          /* its base priority */
	uint32_t depth;                  /* depth with which it will own */
	bool again;                      /* it owned the mutex before it waited on a condition */
	uint32_t ticket;                 /* names this wait; set before nuc_lock_wait() */
	struct nuc_probe probe;
};

struct nuc_mutex {
	struct nuc_object object;
	struct nuc_ownership ownership;
	struct nuc_waitq waiters;
	uint32_t flags;
	uint32_t ceiling;
	uint32_t slow;    /* 0: neither a ceiling nor TACT_MUTEX_SAFE; constant */
	uint32_t state;   /* enum tact_mutex_state */
	uint32_t tickets; /* number of the last wait */
	bool retired;     /* no CPU reaches it any more */
};

extern const struct nuc_ownership_ops nuc_mutex_ownership_ops;

/* A call of the owner about the lock: run() gets the handle of the caller by nuc_lock_self(). */
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

/* On the caller's CPU: store in the call which task makes it. */
static inline void nuc_lock_note(struct nuc_lock_call *args, const struct nuc_task *task)
{
	args->self = task->object.handle;
	args->base_priority = task->base_priority;
}

/* Home: the calling task, whether the call was sent from another CPU or is made here. */
static inline uint32_t nuc_lock_self(const struct nuc_cpu *cpu, struct nuc_lock_call *args)
{
	if (args->call.origin == cpu)
		nuc_lock_note(args, args->call.task);
	return args->self;
}

/* Home: the urgency demanded of the owner. but: a waiter that is about to leave the queue and does
 * not count, or NULL. */
struct nuc_urgency nuc_mutex_demand(const struct nuc_mutex *mutex, const struct nuc_call *but);

/*
 * Home: give the free mutex to the caller. Returns the result of the call: 0 or -TACT_EOWNERDEAD,
 * which both own (args->ownership must be linked on the caller's CPU), or -TACT_ENOTRECOVERABLE.
 */
int nuc_mutex_grant(struct nuc_mutex *mutex, struct nuc_lock_call *args);

/* Home: the owner has unlinked the mutex; the first waiter gets it. */
void nuc_mutex_release(struct nuc_cpu *cpu, struct nuc_mutex *mutex);

/* Home: a call that waits in another queue of this CPU gets the mutex now, or waits for it from now
 * on. */
void nuc_mutex_join(struct nuc_cpu *cpu, struct nuc_mutex *mutex, struct nuc_lock_call *args);

/* Lock again after a wait on a condition, whatever breaks the wait. */
int nuc_mutex_relock(uint32_t mutex, uint32_t depth);

/*
 * Home: queue the call for a lock that may be owned. Returns as nuc_wait(), or -TACT_EDEADLK: the
 * wait would close a circle. If other CPUs have to be asked, the wait may also end with
 * -TACT_EDEADLK later.
 */
int nuc_lock_wait(struct nuc_cpu *cpu, struct nuc_lock_call *args,
		  const struct nuc_ownership *ownership, struct nuc_waitq *queue);

#endif
