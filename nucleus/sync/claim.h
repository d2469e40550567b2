/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Claims: what binds a lock to the task that owns it, wherever the two are. A claim has two sides,
 * and each field is of one of them:
 *
 *   the lock's home    decides who owns and how urgent the owner is to be;
 *   the owner's CPU    keeps the hold in the task's list, from nuc_claim_link() to
 * nuc_claim_unlink().
 *
 * A grant is linked on the owner's CPU before the owner goes on or ends, and unlinked there before
 * the lock's home hears of its release: so a task that ends orphans exactly what it owns, and home
 * may grant the claim anew at once. The urgency wanted of the owner is announced in two words that
 * the owner's CPU reads when it links, and when the claim's one message, sent after the words were
 * written, comes by. If it reads one of them before and one after they changed, the message is
 * still to come. It follows an owner that migrates, and comes home before it is sent again.
 */
#ifndef NUC_CLAIM_H
#define NUC_CLAIM_H

#include <stdatomic.h>

#include "task/task.h"

#define NUC_CLAIM_DROP UINT32_MAX /* wanted: the lock is deleted, let go of it */

struct nuc_claim;

/* What the lock's home is told; one constant table a type of lock. */
struct nuc_claim_ops {
	/* The owner ended; the claim may be granted anew. */
	void (*orphaned)(struct nuc_cpu *cpu, struct nuc_claim *claim);
	/* After nuc_claim_drop(): nobody will touch the claim any more. */
	void (*dropped)(struct nuc_cpu *cpu, struct nuc_claim *claim);
};

struct nuc_claim {
	/* constant */
	const struct nuc_claim_ops *ops;
	struct nuc_cpu *home;
	uint32_t handle; /* of the lock */

	/* the owner's CPU; depth is written by home as well before it grants */
	struct nuc_hold hold;
	_Atomic uint32_t depth;
	_Atomic(struct nuc_task *)
		linked_to; /* in whose holds it is: only its CPU may go by that */
	bool let_go;       /* the message found the hold and dropped it */

	/* home; wanted is read by the owner's CPU */
	_Atomic uint32_t wanted;             /* priority, or NUC_CLAIM_DROP */
	_Atomic uint64_t wanted_deadline_ns; /* of wanted; with 0, anything */
	uint32_t owner;                      /* its handle; 0: free */
	uint32_t grants;                     /* names this ownership */
	struct nuc_task *task; /* its control block, whose handle tells whether it is still it */
	bool dropping;
	bool look_out; /* look is under way there or back */
	bool look_again;
	bool queued; /* in this CPU's list of owners to be told */
	struct nuc_claim *next;

	struct nuc_message look; /* home → owner → home: see to what is wanted */
	struct nuc_task *look_task;
	uint32_t look_owner;
	struct nuc_message back; /* owner → home: given back without a call */
};

/* Home: prepare; claims are zeroed memory before. */
void nuc_claim_init(struct nuc_cpu *cpu, struct nuc_claim *claim, uint32_t handle,
		    const struct nuc_claim_ops *ops);

/* Home: this task owns from now on, at this depth. */
static inline void nuc_claim_grant(struct nuc_claim *claim, uint32_t owner, struct nuc_task *task,
				   uint32_t depth, struct nuc_urgency wanted)
{
	claim->owner = owner;
	claim->grants++;
	claim->task = task;
	atomic_store_explicit(&claim->depth, depth, memory_order_relaxed);
	atomic_store_explicit(&claim->wanted, wanted.priority, memory_order_relaxed);
	if (wanted.priority)
		atomic_store_explicit(&claim->wanted_deadline_ns, wanted.deadline_ns,
				      memory_order_relaxed);
}

/* Home: the owner has unlinked the claim and says so. */
static inline void nuc_claim_release(struct nuc_claim *claim)
{
	claim->owner = 0;
}

/* Home: the owner is to be at least as urgent. */
void nuc_claim_want(struct nuc_cpu *cpu, struct nuc_claim *claim, struct nuc_urgency urgency);

/* Home: the lock is deleted. Ends in dropped(), maybe at once. */
void nuc_claim_drop(struct nuc_cpu *cpu, struct nuc_claim *claim);

/*
 * Owner's CPU: the grant has arrived. False when the lock was deleted meanwhile: it is not owned,
 * and the claim was given back.
 */
bool nuc_claim_link(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_claim *claim);

/* Owner's CPU: first step of a release; home is to be told. */
void nuc_claim_unlink(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_claim *claim);

/* Both where home is the owner's CPU: in the section of a grant with nothing wanted, and while
 * nothing is wanted of the owner. */
static inline void nuc_claim_link_plain(struct nuc_task *task, struct nuc_claim *claim)
{
	nuc_hold_add(&task->holds, &claim->hold);
	atomic_store_explicit(&claim->linked_to, task, memory_order_relaxed);
}

static inline void nuc_claim_unlink_plain(struct nuc_claim *claim)
{
	base_list_unlink(&claim->hold.link);
	atomic_store_explicit(&claim->linked_to, NULL, memory_order_relaxed);
}

void nuc_claim_take_from_ended(struct nuc_cpu *cpu, struct nuc_claim *claim);

/* Owner's CPU: home could not be told by the call, because the lock was deleted meanwhile. */
void nuc_claim_give_back(struct nuc_cpu *cpu, struct nuc_claim *claim);

/*
 * Home: an owner that has ended here, and has much to give back, gives this back now. To be called
 * before a call decides by who owns.
 */
static inline void nuc_claim_settle(struct nuc_cpu *cpu, struct nuc_claim *claim)
{
	if (claim->owner)
		nuc_claim_take_from_ended(cpu, claim);
}

/* Owner's CPU: the task's claim on this lock, NULL when it owns it not. Cost: O(locks owned). */
struct nuc_claim *nuc_claim_find(const struct nuc_task *task, uint32_t handle,
				 const struct nuc_claim_ops *ops);

#endif
