/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader-writer lock, in two halves: rwlock.c decides which call is served, rwlock_lock.c has the
 * calls that lock and unlock. Each reader takes one of a fixed number of ownerships, and the writer
 * has one of its own, so that the end of any owner releases what it owned.
 */
#ifndef NUC_RWLOCK_H
#define NUC_RWLOCK_H

#include <tactus/rwlock.h>

#include "sync/mutex.h"

#define NUC_RWLOCK_PREFERENCES (TACT_RWLOCK_READERS | TACT_RWLOCK_FAIR)

struct nuc_rwlock;

struct nuc_rw_ownership {
	struct nuc_ownership ownership;
	struct nuc_rwlock *lock;
	struct base_list link; /* in rwlock.idle */
};

struct nuc_rwlock {
	struct nuc_object object;
	struct nuc_rw_ownership writer;
	struct nuc_waitq waiting_readers;
	struct nuc_waitq waiting_writers;
	struct base_list idle; /* ownerships for readers */
	uint64_t served;       /* how often waiters were served */
	uint32_t flags;
	uint32_t readers;
	uint32_t readers_max;
	uint32_t tickets;
	uint32_t ownerships_left; /* deleted: ownerships that a CPU may still use */
	bool inconsistent;
	bool retired;
	struct nuc_rw_ownership ownerships[];
};

struct nuc_rw_call {
	struct nuc_lock_call lock;
	bool write;
};

static inline struct nuc_rwlock *nuc_rwlock_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_rwlock, object);
}

static inline struct nuc_rw_call *nuc_rw_call_of(struct nuc_call *call)
{
	return base_container_of(nuc_lock_call_of(call), struct nuc_rw_call, lock);
}

static inline struct nuc_rw_ownership *nuc_rw_ownership_of(struct nuc_ownership *ownership)
{
	return base_container_of(ownership, struct nuc_rw_ownership, ownership);
}

extern const struct nuc_ownership_ops nuc_rwlock_ownership_ops;

/* Home: the urgency that the writer inherits. but: a waiter that is about to leave the queue and
 * does not count, or NULL. */
struct nuc_urgency nuc_rwlock_demand(const struct nuc_rwlock *lock, const struct nuc_call *but);

/* Home: may this call, which is not queued, own the lock now? */
bool nuc_rwlock_may_enter(const struct nuc_rwlock *lock, struct nuc_rw_call *args);

/* Home: give the lock to the call. Returns the result of the call: 0 or -TACT_EOWNERDEAD. */
int nuc_rwlock_grant(struct nuc_rwlock *lock, struct nuc_rw_call *args);

/* Home: the owner has unlinked this ownership; serve the waiters that can own the lock now. */
void nuc_rwlock_release(struct nuc_cpu *cpu, struct nuc_rwlock *lock,
			struct nuc_ownership *ownership);

#endif
