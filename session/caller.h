/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that call, and who is called. */
#ifndef SESSION_CALLER_H
#define SESSION_CALLER_H

#include "internal.h"

struct session_owner {
	char node[SESSION_NODE_BYTES];
	uint64_t peer;
	int link;           /* negative: it has ended, or there is none yet */
	_Atomic bool ended; /* the node's thread has seen that */
	struct session_owner *next;
};

struct channel {
	const struct session_owner *owner;
	int fd;
	struct ring *ring;
	struct session_peer_vectors vectors; /* the owner's, once it has welcomed this */
	bool welcomed;
	uint32_t life; /* of this process's vectors */
	uint64_t sequence;
	bool holds; /* the caller has something there that raises it */
	struct channel *next;
};

/* Where a caller waits. The caller writes it without a lock, the owner last, and first when it
 * waits no more; others look at it with the callers' lock, without which no ring is unmapped. */
struct caller_wait {
	const struct session_owner *_Atomic owner; /* NULL: nowhere */
	struct ring *_Atomic ring;
	_Atomic uint64_t sequence;
	_Atomic uint32_t priority; /* it was told */
};

#define RAISERS 4u

struct caller {
	uint64_t number;
	tact_task_t task;
	tact_sem_t sem;  /* where it waits as a task; 0: nowhere yet */
	uint32_t vector; /* gives units to it */
	uint32_t life;   /* of the process's vectors: when those two were made */
	_Atomic bool calling;
	bool exchanges;       /* in a call, where a signal's handler may make one of its own: */
	struct caller *inner; /* as this caller, which is in no list */
	_Atomic bool broken;
	int cancel, cancel_type; /* its cancelability outside of calls */
	struct channel *channels;
	/* raise.c; the callers' lock protects all but the first two */
	uint32_t holding; /* at so many owners */
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

/* The calling thread's own; NULL: no memory, or from the handler of a signal that
 * came where another call may not be made. */
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
/* Others may have the lock meanwhile; handlers of the caller's are refused as if it had it. */
void callers_lend(void);
void callers_take_back(void);
void callers_wait(pthread_cond_t *changed);
/* Has the calling thread, interrupted by a signal, locked them? */
bool callers_locked(void);
/* The caller with this number, or NULL; locked. */
struct caller *caller_of(uint64_t number);
/* The caller that is this task and waits, or NULL; locked. */
struct caller *caller_that_waits(tact_task_t task);
/* Locked. */
void callers_each(void (*visit)(struct caller *caller));
/* Those whose owners have ended. */
void caller_end_useless_channels(struct caller *caller);
/* Has the other side of the connection gone? */
bool session_has_ended(int fd);
/* After a fork, in the child. */
void session_owners_forget(void);
/* Is this task in a call, or another one that is told of in the same place? Else it is in none. */
bool callers_may_have(tact_task_t task);
/* A call begins, and is over. */
void caller_begin(struct caller *caller);
void caller_finish(struct caller *caller);

/*
 * raise.c: a thread that has something at an owner is raised by those who wait for it there.
 */
/* As the owner's answers tell. */
void caller_holds(struct caller *caller, struct channel *channel, bool holds);
/* It waits for this call from here on, and no more. Context: any; a task stays in its mode. */
void caller_waits(struct caller *caller, const struct channel *channel, uint32_t priority);
void caller_waits_no_more(struct caller *caller);
/* It is to look for what it waits for. Locked; not by a task. */
void caller_wake(struct caller *caller);
/* The priority of a task's call of that owner. */
uint32_t caller_priority(struct caller *caller, const struct session_owner *owner, uint32_t base,
			 uint32_t effective);
/* Its connection to that owner ends, who says no more that it is not raised. */
void caller_left_by(struct caller *caller, uint64_t peer);
/* At its end. */
void caller_stand_down(struct caller *caller);

#endif
