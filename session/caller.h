/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that call, and who is called. */
#ifndef SESSION_CALLER_H
#define SESSION_CALLER_H

#include "internal.h"

struct session_owner {
	char node[SESSION_NODE_BYTES];
	uint64_t peer;
	int link;           /* negative: it has ended, or there is none yet */
	_Atomic bool ended; /* set when the link's end was seen */
	struct session_owner *next;
};

struct channel {
	const struct session_owner *owner;
	int fd;
	struct ring *ring;
	struct session_peer_vectors vectors; /* the owner's, after it has welcomed this */
	bool welcomed;
	uint32_t life; /* the life of this process's vectors in which it was made */
	uint64_t sequence;
	bool holds; /* the caller has something there that raises it: session_holds() */
	struct channel *next;
};

/* Where a caller waits. The caller writes it without a lock: when it begins to wait, `owner` last;
 * when it ends waiting, `owner` first. Other threads read it under the callers' lock, and no ring
 * is unmapped without this lock. */
struct caller_wait {
	const struct session_owner *_Atomic owner; /* NULL: nowhere */
	struct ring *_Atomic ring;
	_Atomic uint64_t sequence;
	_Atomic uint32_t priority; /* that the owner was told */
};

#define RAISERS 4u

struct caller {
	uint64_t number;
	tact_task_t task;
	tact_sem_t sem;  /* where it waits as a task; 0: nowhere yet */
	uint32_t vector; /* which gives units to sem */
	uint32_t life;   /* of the process's vectors, in which sem and vector were made */
	_Atomic bool calling;
	bool exchanges;       /* in the part of a call in which a signal's handler may call, too: */
	struct caller *inner; /* the handler's caller, which is in no list */
	_Atomic bool broken;
	int cancel, cancel_type; /* its cancelability outside of calls */
	struct channel *channels;
	/* raise.c; the callers' lock protects all except the first two */
	uint32_t holding; /* the number of owners at which it has something */
	bool stands;      /* it has locked the stand-in */
	tact_mutex_t stand_in;
	tact_task_t raiser;
	_Atomic uint32_t raised; /* the highest of: */
	struct {
		uint64_t peer;
		uint32_t priority;
	} by[RAISERS];
	struct caller_wait wait;
	struct caller *next;
};

/* The calling thread's caller. NULL: no memory, or the calling thread is in a signal's handler that
 * interrupted a part of a call where no other call may be made. */
struct caller *caller_self(void);
/* If the thread is a task: a semaphore for it, in this life of the nucleus. Without one it waits in
 * Linux. */
void caller_make_semaphore(struct caller *caller);
/* Its connection to an owner, which may not have welcomed it yet: 0, -EIDRM (that has ended),
 * -ENOMEM. */
int caller_channel(struct caller *caller, const struct session_owner *owner,
		   struct channel **result);
void caller_end_channel(struct caller *caller, struct channel *channel);
/* Of callers and owners. */
void callers_lock(void);
void callers_unlock(void);
/* Between these two calls other threads may take the lock. A signal's handler of the lender is
 * still refused, as if the lender had the lock. */
void callers_lend(void);
void callers_take_back(void);
void callers_wait(pthread_cond_t *changed);
/* For a signal's handler: has the thread that it interrupted locked them? */
bool callers_locked(void);
/* The caller with this number, or NULL; locked. */
struct caller *caller_of(uint64_t number);
/* The caller that is this task and waits, or NULL; locked. */
struct caller *caller_that_waits(tact_task_t task);
/* Locked. */
void callers_each(void (*visit)(struct caller *caller));
/* End the connections whose owners have ended. */
void caller_end_useless_channels(struct caller *caller);
/* Has the other side of the connection gone? */
bool session_has_ended(int fd);
/* After a fork, in the child. */
void session_owners_forget(void);
/* False: this task is in no call. True: this task is in one, or another task that shares its place
 * in the table. */
bool callers_may_have(tact_task_t task);
/* Mark the beginning and the end of a call. */
void caller_begin(struct caller *caller);
void caller_finish(struct caller *caller);

/*
 * raise.c: a thread that has something at an owner is raised by the tasks that wait for it there.
 */
/* What the owner's answer says: whether the caller has something there. */
void caller_holds(struct caller *caller, struct channel *channel, bool holds);
/* It begins to wait for this call, and ends waiting. Context: any; a task stays in its mode. */
void caller_waits(struct caller *caller, const struct channel *channel, uint32_t priority);
void caller_waits_no_more(struct caller *caller);
/* Wake it, so that it looks whether its wait is over. Locked; not by a task. */
void caller_wake(struct caller *caller);
/* The priority at which a task calls that owner. */
uint32_t caller_priority(struct caller *caller, const struct session_owner *owner, uint32_t base,
			 uint32_t effective);
/* Its connection to that owner ends, so the owner will not report the end of a raise any more: end
 * it here. */
void caller_left_by(struct caller *caller, uint64_t peer);
/* When the thread ends. */
void caller_stand_down(struct caller *caller);

#endif
