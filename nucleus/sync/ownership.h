/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ownerships: what binds a lock to the task that owns it, wherever the two are. An ownership has
 * two sides, and each field is of one of them:
 *
 *   the lock's home    decides who owns and how urgent the owner is to be;
 *   the owner's CPU    keeps the owned lock in the task's list, from nuc_ownership_link() to
 * nuc_ownership_unlink().
 *
 * A grant is linked on the owner's CPU before the owner goes on or ends, and unlinked there before
 * the lock's home hears of its release: so a task that ends orphans exactly what it owns, and home
 * may grant the ownership anew at once. The urgency wanted of the owner is announced in two words
 * that the owner's CPU reads when it links, and when the ownership's one message, sent after the
 * words were written, comes by. If it reads one of them before and one after they changed, the
 * message is still to come. It follows an owner that migrates, and comes home before it is sent
 * again.
 */
#ifndef NUC_OWNERSHIP_H
#define NUC_OWNERSHIP_H

#include <stdatomic.h>

#include "task/task.h"

#define NUC_OWNERSHIP_DROP UINT32_MAX /* wanted: the lock is deleted, let go of it */

struct nuc_ownership;

/* What the lock's home is told; one constant table a type of lock. */
struct nuc_ownership_ops {
	/* The owner ended; the ownership may be granted anew. */
	void (*orphaned)(struct nuc_cpu *cpu, struct nuc_ownership *ownership);
	/* After nuc_ownership_drop(): nobody will touch the ownership any more. */
	void (*dropped)(struct nuc_cpu *cpu, struct nuc_ownership *ownership);
};

struct nuc_ownership {
	/* constant */
	const struct nuc_ownership_ops *ops;
	struct nuc_cpu *home;
	uint32_t handle; /* of the lock */

	/* the owner's CPU; depth is written by home as well before it grants */
	struct nuc_owned_lock owned_lock;
	_Atomic uint32_t depth;
	_Atomic(struct nuc_task *)
		linked_to; /* in whose owned locks it is: only its CPU may go by that */
	bool lock_dropped; /* the message found the owned lock and dropped it */

	/* home; wanted is read by the owner's CPU */
	_Atomic uint32_t wanted;             /* priority, or NUC_OWNERSHIP_DROP */
	_Atomic uint64_t wanted_deadline_ns; /* of wanted; with 0, anything */
	uint32_t owner;                      /* its handle; 0: free */
	uint32_t grants;                     /* names this ownership */
	struct nuc_task *task; /* its control block, whose handle tells whether it is still it */
	bool dropping;
	bool look_out; /* look is under way there or back */
	bool look_again;
	bool queued; /* in this CPU's list of owners to be told */
	struct nuc_ownership *next;

	struct nuc_message look; /* home → owner → home: see to what is wanted */
	struct nuc_task *look_task;
	uint32_t look_owner;
	struct nuc_message back; /* owner → home: given back without a call */
};

/* Home: prepare; ownerships are zeroed memory before. */
void nuc_ownership_init(struct nuc_cpu *cpu, struct nuc_ownership *ownership, uint32_t handle,
			const struct nuc_ownership_ops *ops);

/* Home: this task owns from now on, at this depth. */
static inline void nuc_ownership_grant(struct nuc_ownership *ownership, uint32_t owner,
				       struct nuc_task *task, uint32_t depth,
				       struct nuc_urgency wanted)
{
	ownership->owner = owner;
	ownership->grants++;
	ownership->task = task;
	atomic_store_explicit(&ownership->depth, depth, memory_order_relaxed);
	atomic_store_explicit(&ownership->wanted, wanted.priority, memory_order_relaxed);
	if (wanted.priority)
		atomic_store_explicit(&ownership->wanted_deadline_ns, wanted.deadline_ns,
				      memory_order_relaxed);
}

/* Home: the owner has unlinked the ownership and says so. */
static inline void nuc_ownership_release(struct nuc_ownership *ownership)
{
	ownership->owner = 0;
}

/* Home: the owner is to be at least as urgent. */
void nuc_ownership_want(struct nuc_cpu *cpu, struct nuc_ownership *ownership,
			struct nuc_urgency urgency);

/* Home: the lock is deleted. Ends in dropped(), maybe at once. */
void nuc_ownership_drop(struct nuc_cpu *cpu, struct nuc_ownership *ownership);

/*
 * Owner's CPU: the grant has arrived. False when the lock was deleted meanwhile: it is not owned,
 * and the ownership was given back.
 */
bool nuc_ownership_link(struct nuc_cpu *cpu, struct nuc_task *task,
			struct nuc_ownership *ownership);

/* Owner's CPU: first step of a release; home is to be told. */
void nuc_ownership_unlink(struct nuc_cpu *cpu, struct nuc_task *task,
			  struct nuc_ownership *ownership);

/* Both where home is the owner's CPU: in the section of a grant with nothing wanted, and while
 * nothing is wanted of the owner. */
static inline void nuc_ownership_link_plain(struct nuc_task *task, struct nuc_ownership *ownership)
{
	nuc_owned_lock_add(&task->owned_locks, &ownership->owned_lock);
	atomic_store_explicit(&ownership->linked_to, task, memory_order_relaxed);
}

static inline void nuc_ownership_unlink_plain(struct nuc_ownership *ownership)
{
	base_list_unlink(&ownership->owned_lock.link);
	atomic_store_explicit(&ownership->linked_to, NULL, memory_order_relaxed);
}

void nuc_ownership_take_from_ended(struct nuc_cpu *cpu, struct nuc_ownership *ownership);

/* Owner's CPU: home could not be told by the call, because the lock was deleted meanwhile. */
void nuc_ownership_return(struct nuc_cpu *cpu, struct nuc_ownership *ownership);

/*
 * Home: an owner that has ended here, and has much to give back, gives this back now. To be called
 * before a call decides by who owns.
 */
static inline void nuc_ownership_settle(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	if (ownership->owner)
		nuc_ownership_take_from_ended(cpu, ownership);
}

/* Owner's CPU: the task's ownership of this lock, NULL when it owns it not. Cost: O(locks owned).
 */
struct nuc_ownership *nuc_ownership_find(const struct nuc_task *task, uint32_t handle,
					 const struct nuc_ownership_ops *ops);

#endif
