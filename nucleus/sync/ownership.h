/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ownerships: what binds a lock to the task that owns it, wherever the two are. An ownership has
 * two sides, and each field is of one of them:
 *
 *   the lock's home    decides which task owns the lock, and how urgent the owner has to be;
 *   the owner's CPU    keeps the owned lock in the task's list, from nuc_ownership_link() to
 *                      nuc_ownership_unlink().
 *
 * A grant is linked on the owner's CPU before the owner continues or ends. It is unlinked there
 * before the lock's home gets the release. So a task that ends orphans exactly the locks that it
 * owns, and home may grant the ownership anew at once. The urgency wanted of the owner is stored in
 * two words. The owner's CPU reads them when it links, and when the single message of the ownership
 * arrives, which is sent after the words were written. If the CPU reads one word before and one
 * after a change, the message is still to come. The message follows an owner that migrates, and
 * comes home before it is sent again.
 */
#ifndef NUC_OWNERSHIP_H
#define NUC_OWNERSHIP_H

#include <stdatomic.h>

#include "task/task.h"

#define NUC_OWNERSHIP_DROP UINT32_MAX /* wanted: the lock is deleted, so unlink it */

struct nuc_ownership;

/* What the lock's home does: one constant table for each type of lock. */
struct nuc_ownership_ops {
	/* The owner ended; the ownership may be granted anew. */
	void (*orphaned)(struct nuc_cpu *cpu, struct nuc_ownership *ownership);
	/* After nuc_ownership_drop(): no CPU reads or writes the ownership any more. */
	void (*dropped)(struct nuc_cpu *cpu, struct nuc_ownership *ownership);
};

struct nuc_ownership {
	/* constant */
	const struct nuc_ownership_ops *ops;
	struct nuc_cpu *home;
	uint32_t handle; /* of the lock */
	bool safe;       /* its owner is safe: task/safe.h */

	/* the owner's CPU; home writes depth, too, before it grants */
	struct nuc_owned_lock owned_lock;
	_Atomic uint32_t depth;
	_Atomic(struct nuc_task *)
		linked_to; /* in whose owned locks it is; only its CPU may rely on this */
	bool lock_dropped; /* apply found the owned lock and unlinked it */

	/* home; wanted is read by the owner's CPU */
	_Atomic uint32_t wanted;             /* priority, or NUC_OWNERSHIP_DROP */
	_Atomic uint64_t wanted_deadline_ns; /* of wanted; undefined if wanted is 0 */
	uint32_t owner;                      /* handle of the owner; 0: free */
	uint32_t grants;                     /* number of this grant */
	struct nuc_task *task; /* control block of the owner, if its handle still is owner */
	bool dropping;
	bool apply_out; /* apply is under way, there or back */
	bool apply_again;
	bool queued; /* in this CPU's list, see struct walk */
	struct nuc_ownership *next;

	struct nuc_message apply; /* home → owner → home: apply what is wanted */
	struct nuc_task *apply_task;
	uint32_t apply_owner;
	struct nuc_message back; /* owner → home: returned without a call */
};

/* Home: initialise an ownership, in zeroed memory. */
void nuc_ownership_init(struct nuc_cpu *cpu, struct nuc_ownership *ownership, uint32_t handle,
			const struct nuc_ownership_ops *ops);

/* Home: this task owns the lock from now on, at this depth. */
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

/* Home: the owner has unlinked the ownership, and its call has arrived. */
static inline void nuc_ownership_release(struct nuc_ownership *ownership)
{
	ownership->owner = 0;
}

/* Home: the owner has to be at least as urgent. */
void nuc_ownership_want(struct nuc_cpu *cpu, struct nuc_ownership *ownership,
			struct nuc_urgency urgency);

/* Home: the lock is deleted. dropped() is called when that is complete, maybe at once. */
void nuc_ownership_drop(struct nuc_cpu *cpu, struct nuc_ownership *ownership);

/*
 * Owner's CPU: the grant has arrived. False: the lock was deleted meanwhile; the task does not own
 * it, and the ownership was returned.
 */
bool nuc_ownership_link(struct nuc_cpu *cpu, struct nuc_task *task,
			struct nuc_ownership *ownership);

/* Owner's CPU: the first step of a release; the call to home must follow. */
void nuc_ownership_unlink(struct nuc_cpu *cpu, struct nuc_task *task,
			  struct nuc_ownership *ownership);

/* The same if home is the owner's CPU and nothing is wanted: link in the section of the grant,
 * unlink while nothing is wanted of the owner. */
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

/* Owner's CPU: return the ownership by message, because the lock was deleted and the call found no
 * object. */
void nuc_ownership_return(struct nuc_cpu *cpu, struct nuc_ownership *ownership);

/*
 * Home: take the ownership from an owner that has ended on this CPU and is still giving locks back.
 * Call it before a decision that depends on the owner.
 */
static inline void nuc_ownership_settle(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	if (ownership->owner)
		nuc_ownership_take_from_ended(cpu, ownership);
}

/* Owner's CPU: the task's ownership of this lock; NULL: the task does not own it. Cost: O(locks
 * owned). */
struct nuc_ownership *nuc_ownership_find(const struct nuc_task *task, uint32_t handle,
					 const struct nuc_ownership_ops *ops);

#endif
