/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring of a connection: memory that a calling thread and the task that serves it share. Only
 * the caller puts requests, and only the owner takes them. Of the requests that are answered, one
 * is under way at a time. Each side copies what it reads and checks the copy, because the other
 * side could change the original after a check.
 */
#ifndef SESSION_RING_H
#define SESSION_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session.h"
#include "vectors.h"

#define RING_REQUESTS 64u
#define RING_BYTES    16384u

struct ring_request {
	uint64_t sequence; /* from 1 on in each connection; 0: not answered */
	uint64_t object;
	uint64_t timeout_ns;
	uint32_t timeout_kind;
	uint32_t priority;
	uint32_t skin; /* enum session_skin_id */
	uint32_t service;
	uint64_t bytes;    /* in data; if they do not fit there, by the socket */
	uint64_t capacity; /* for the data of the answer */
	uint64_t value[SESSION_VALUES];
};

struct ring_answer {
	int64_t result;
	uint64_t bytes; /* as in the request */
	uint64_t value[SESSION_VALUES];
	uint32_t holds; /* the caller has something there that raises it: session_holds() */
	uint32_t file;  /* not 0: a descriptor comes by the socket, with one byte */
};

enum ring_wait {
	RING_AWAKE,
	RING_IN_LINUX,   /* at the futex news */
	RING_IN_NUCLEUS, /* at a semaphore of its process; its vector gives units to it */
};

enum ring_owner {
	RING_OWNER_AWAKE, /* it will look for requests */
	RING_OWNER_WAITS, /* it is to be told of the next request, */
	RING_OWNER_TOLD,  /* which the caller, and only the caller, has done or is about to do */
};

struct ring {
	/* Of the caller. */
	_Atomic uint32_t put;           /* requests, so far */
	_Atomic uint32_t caller_waits;  /* enum ring_wait; Dekker's pattern with answered */
	_Atomic uint32_t caller_vector; /* of the thread as a task; SESSION_NO_VECTOR: it is none */
	/* Of the owner. */
	_Alignas(64) _Atomic uint32_t taken; /* requests, so far */
	_Atomic uint32_t owner_waits;        /* enum ring_owner; Dekker's pattern with put */
	_Atomic uint32_t owner_vector;       /* constant once the owner has waited */
	/* Of both: what the caller waits for. */
	_Alignas(64) _Atomic uint32_t news; /* grows when there is something to look for */
	_Atomic uint32_t over;              /* the owner's task has ended */
	_Atomic uint64_t answered;          /* the sequence of the last answer */
	struct ring_answer answer;
	_Alignas(64) struct ring_request requests[RING_REQUESTS];
	unsigned char data[];
};
#define RING_DATA (RING_BYTES - offsetof(struct ring, data))

/* Of a caller: with the file for the owner. NULL: no memory or descriptor. */
struct ring *ring_make(int *file);
/* Of an owner; the file stays the caller's. NULL: no memory, or not a ring's file. */
struct ring *ring_map(int file);
void ring_unmap(struct ring *ring);

/* Is there a place for a request that is not answered? One place is always left for a call, of
 * which there is one at a time. Called by the caller. */
bool ring_may_post(const struct ring *ring);
/* Put a request. Its data must be in the ring already. Returns true if the owner waits and the
 * caller has to wake it. Context: any. */
bool ring_put(struct ring *ring, const struct ring_request *request);
/* Take the next request; false: there is none. Called by the owner. */
bool ring_take(struct ring *ring, struct ring_request *request);

/* There is something for which the caller is to look: wake it if it waits in Linux. The calling
 * thread keeps the ring mapped meanwhile. Context: any. */
void ring_tell(struct ring *ring);

#endif
