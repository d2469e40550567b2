/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions: the processes of one user, or of one group, that find each other's objects by name and
 * use them.
 *
 * An object stays in the process that made it, its owner; only the owner's nucleus ever changes it.
 * Each thread of another process has a connection of its own to each owner that it calls. Behind
 * the connection a task of the owner serves the calls, at the priority of the caller. So waiters
 * are served in the order of the owner's nucleus, and no lock is shared. Requests and answers go
 * through a ring in memory that the two processes share (ring.h). Each side wakes the other by its
 * doorbell (vectors.h), so tasks stay in primary mode.
 *
 * Linux reports the end of either side to the other, by sockets. If an owner ends, its callers get
 * -EIDRM. If a caller ends, the task that served it ends, and the mutexes of this task pass on as
 * owner-dead. When the process of the caller has gone, `left` tells the skins, because the process
 * may have held memory of theirs.
 *
 * A session is a folder of its user, or of its group. The folder exists as long as the session has
 * a member. A name in it is a symbolic link whose text states owner and object, so a name is made
 * in one atomic step. A process that comes across the name of a killed owner removes it. The layer
 * knows nothing of what is called: the numbers of services and of objects are the skin's.
 *
 * Context of all calls, unless stated otherwise: linux, or a full task, which goes to secondary
 * mode.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tactus/tact.h>

#define SESSION_LABEL_BYTES  32 /* with the terminating zero */
#define SESSION_REASON_BYTES 256
#define SESSION_VALUES       4
/* The longest message of a call or an answer. */
#define SESSION_BYTES_MAX (64u << 20)

struct session_owner;

/* The skin whose services are called: a program may use several skins, which share its session. */
enum session_skin_id {
	SESSION_ALCHEMY,
	SESSION_COBALT,
	SESSION_OTHER, /* an instrument's or a test's */
	SESSION_SKINS,
};

/* A call: the caller fills it in, and the owner's skin reads and answers it. */
struct session_call {
	uint32_t skin; /* enum session_skin_id */
	uint32_t service;
	uint64_t object;
	/* TACT_FOREVER if not set. A relative one reaches the owner as an absolute one. It is the
	 * owner's skin that heeds the timeout, and TACT_NOWAIT. */
	tact_timeout_t timeout;
	uint64_t value[SESSION_VALUES]; /* of the request, then of the answer */
	const void *data;               /* of the request */
	size_t bytes;
	void *room;        /* for the data of the answer */
	size_t room_bytes; /* before: of room; after: of the data that came */
	/* A descriptor that comes back, which the caller then owns; 0: none. The owner's skin sets
	 * it, and keeps its own descriptor open. */
	int file;
	uint64_t peer; /* for the owner's skin: the process that calls */
	/* Return -EINTR even if the caller was not broken: the call may have had an effect. Without
	 * this, such a call is repeated silently, because a stop of the owner's process may break a
	 * wait in it. */
	bool once;
};

/* What a skin does for callers. */
struct session_skin {
	enum session_skin_id id;
	/* Called in a task of the owner, at the caller's priority. Returns what the caller gets: 0
	 * or more, or a negative error. */
	int64_t (*serve)(struct session_call *call);
	/* No call of the process `peer` will come any more, and none is under way. NULL: callers
	 * hold nothing. Context: linux. */
	void (*left)(uint64_t peer);
	/* Names have changed. Only after session_hear(). May be NULL. Context: linux. */
	void (*changed)(void);
	/* The priority of calls by a thread that is not a task. NULL: TACT_PRIORITY_MIN. */
	uint32_t (*priority)(void);
};

/**
 * Join a session. If the program has joined it by another skin, add this skin.
 * label: of the session. A slash and the name of a group behind it share the session among the
 * users of that group. NULL: the session that all programs of the user without a label share.
 * skin: stays the caller's, and is not changed.
 * reason: SESSION_REASON_BYTES; receives a sentence on failure.
 * Returns 0 (also if the skin has joined already), -EINVAL (a label that is empty, is longer than
 * 31 bytes or begins with a dot; a group that does not exist), -EBUSY (the program has joined a
 * session of another label), -ENOTSUP (in virtual time, where a process has no session), or an
 * error of Linux.
 */
int session_join(const char *label, const struct session_skin *skin, char *reason);
/* Has the program joined by this skin? False in the child of a fork. Context: any. */
bool session_joined(enum session_skin_id skin);

/**
 * Make a name known, and withdraw it. type: short, no slash or colon. name: any bytes, at most 31.
 * Returns 0, -EEXIST (a live process of the session has that name), or an error of Linux.
 */
int session_announce(const char *type, const char *name, uint64_t object);
void session_withdraw(const char *type, const char *name);

/**
 * Look a name up. owner: receives NULL if it is this process.
 * Returns 0, -ENOENT (no live process has it), -ENOMEM (no memory or descriptor, here or at the
 * owner), -ETIMEDOUT (that process, stopped for instance, did not answer within 20 s), or an error
 * of Linux.
 */
int session_find(const char *type, const char *name, struct session_owner **owner,
		 uint64_t *object);

/*
 * A process of the session, as programs write it into memory that they share, for objects that have
 * no name. It may be looked up whatever another process has written there.
 */
struct session_process {
	uint64_t peer;
	uint32_t pid;
};
/* The calling process, which has joined. Context: any. */
struct session_process session_process(void);
/* owner: receives NULL if it is this process. Returns 0, -ENOENT (it has ended, or is not of the
 * session), otherwise as session_find(); -ENOMEM also from a signal's handler that has interrupted
 * another call of the session. */
int session_find_process(const struct session_process *process, struct session_owner **owner);

/* Report changes of names to the skins from here on. Returns 0, also if no session was joined and
 * there is nothing to report, or an error of Linux. */
int session_hear(void);

/*
 * Waiting for a name (watchers.c; also in a process without a session): first watch, then look the
 * name up, and wait for a change if it is not there. So no change is missed.
 */
struct session_watch {
	struct session_watchers *group;
	uint64_t bit;
};
/* Returns 0 or -TACT_ENOMEM. */
int session_watch(struct session_watch *watch);
/* Wait until names have changed since the last session_await(), or since session_watch(). Returns
 * as tact_event_wait(). */
int session_await(const struct session_watch *watch, tact_timeout_t timeout);
void session_unwatch(const struct session_watch *watch);
/* An object of this process has got a name. For names of other processes, the session calls this.
 * Context: task, linux. Cost: one tact_event_set() if there are watchers. */
void session_notify_watchers(void);

/**
 * Call. A cancellation point while it waits, and only then. Returns what the owner's skin returns,
 * or
 *   -EIDRM      the owner has ended, before or meanwhile
 *   -EINTR      session_break(), or a signal's handler has run; only if the call may wait
 *   -ETIMEDOUT  the owner, stopped for instance, did not answer within 20 s after the timeout
 *   -ENOMEM     no memory, descriptor or thread for it, here or at the owner; more than
 *               SESSION_BYTES_MAX; or from a signal's handler that has interrupted the beginning or
 *               the end of a call
 *   -EPERM      from a handler
 * Cost: two hand-overs between the processes; for a task, which stays in primary mode, two between
 * real-time CPUs. The first call of a thread to an owner makes their connection, in Linux.
 */
int64_t session_call(struct session_owner *owner, struct session_call *call);

/**
 * Request a service by its numbers alone (service, object, value), without waiting: what the
 * owner's skin returns is lost. Posts and calls of a thread are served in their order. If there is
 * no connection yet, or 63 posts are on the way, the post is made as a call.
 * Returns 0, or -EIDRM, -ETIMEDOUT, -ENOMEM, -EPERM as session_call(); made as a call, a service
 * that returns one of these is told, too.
 * Cost: O(1); and a ring of the owner's doorbell if its task waits.
 */
int session_post(struct session_owner *owner, struct session_call *call);

/*
 * For serve(): the caller has got (1) or given back (-1) a thing that raises the task that has it
 * to the priority of the tasks that wait for it. As long as the caller has such a thing, its own
 * thread is raised, too, if it is a task. This takes some milliseconds. If the thread waits in
 * another call, that call is raised in turn.
 */
void session_holds(int change);

/* A task of this process has this priority from now on. If it waits in a call, the call gets the
 * priority, too. Cost and context as of session_break(). */
void session_follow(tact_task_t task, uint32_t priority);

/* Break the call of a task of this process, if it is in one. Context: task, linux; a task then goes
 * to secondary mode. Cost: O(1) if the task is in no call. */
void session_break(tact_task_t task);

/*
 * Memory that the owner and its callers see, each at an address of its own.
 */
struct session_memory {
	unsigned char *base;
	size_t bytes;
	int file;
};

/* For the owner: the memory is cleared and locked. Returns 0, -ENOMEM. */
int session_memory_make(size_t bytes, struct session_memory *memory);
void session_memory_free(struct session_memory *memory);

/* For a caller: an object is mapped once, however often this is called for it. file is taken over.
 * Returns NULL if there is no memory. */
struct session_memory *session_memory_map(const struct session_owner *owner, uint64_t object,
					  int file, size_t bytes);
void session_memory_unmap(struct session_memory *memory);

#endif
