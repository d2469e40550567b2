/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions: the processes of one user that find each other's objects by name and use them.
 *
 * An object stays in the process that made it, its owner; only the owner's nucleus ever changes it.
 * Another process calls: each of its threads has a connection of its own to each owner, behind
 * which a task of the owner, at the caller's priority, does what is asked. So waiters are served in
 * the nucleus's order, and no lock is shared. Requests and answers go through a ring in memory that
 * the two share (ring.h), and either side tells the other by its doorbell (vectors.h), so that
 * tasks stay in primary mode. Linux tells each side of the other's end, by sockets: a caller
 * whose owner ends is told -EIDRM; what a caller leaves behind by ending is a task that ends, whose
 * mutexes pass on as owner-dead, and a word to the skin about the memory that it held (`left`).
 *
 * A session is a folder of its user, or of its group, as long as it has a member; a name in it is a
 * symbolic link whose text tells owner and object, so that making one is atomic. Names of owners
 * that were killed are cleared away by whoever comes across them. The layer knows nothing of what
 * is called: numbers of services and of objects are the skin's.
 *
 * Context of all, unless it says otherwise: linux, or a full task, which goes to secondary mode.
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

/* Whose services are called: a program may use several skins, which share its session. */
enum session_skin_id {
	SESSION_ALCHEMY,
	SESSION_COBALT,
	SESSION_OTHER, /* an instrument's or a test's */
	SESSION_SKINS,
};

/* A call: what the caller fills in, and what the owner's skin gets to see and answers. */
struct session_call {
	uint32_t skin; /* enum session_skin_id */
	uint32_t service;
	uint64_t object;
	/* TACT_FOREVER by itself. The owner never sees a relative one, and whether it must wait or
	 * may not is for it to heed. */
	tact_timeout_t timeout;
	uint64_t value[SESSION_VALUES]; /* there, and back */
	const void *data;               /* goes there */
	size_t bytes;
	void *room; /* comes back: at most so many bytes; then as many as came */
	size_t room_bytes;
	/* Comes back: a descriptor, the caller's from then on. 0: none, for the owner's skin; it
	 * keeps its own open. */
	int file;
	uint64_t peer; /* for the owner's skin: which process calls */
	/* Ended by -EINTR it has perhaps done something, and is not made again in silence where the
	 * caller was not broken: a process that was stopped may break a wait. */
	bool once;
};

/* What a skin does for callers. */
struct session_skin {
	enum session_skin_id id;
	/* In a task of the owner, at the caller's priority. What the caller gets: 0 or more, or a
	 * negative error. */
	int64_t (*serve)(struct session_call *call);
	/* No call of this process will come any more, and none is under way. NULL: callers hold
	 * nothing. Context: linux. */
	void (*left)(uint64_t peer);
	/* Names have changed, once session_hear() was called. May be NULL. Context: linux. */
	void (*changed)(void);
	/* What a caller that is no task calls at. NULL: TACT_PRIO_MIN. */
	uint32_t (*priority)(void);
};

/**
 * Join, or, where the program has joined by another skin, take this one in. label: of the session,
 * with a slash and a group's name behind it where the users of that group are to share it; NULL for
 * the one that all programs of the user without a label share. skin: stays the caller's, and is not
 * changed. reason: SESSION_REASON_BYTES; a sentence on failure.
 * Returns 0 (also where the skin is in it already), -EINVAL (a label that is empty, longer than 31
 * bytes or begins with a dot, a group that does not exist), -EBUSY (the program has joined a
 * session of another label), -ENOTSUP (virtual time, where a process is alone), or what Linux said.
 */
int session_join(const char *label, const struct session_skin *skin, char *reason);
/* Has the program joined, by this skin, and is it not a fork's child? Context: any. */
bool session_joined(enum session_skin_id skin);

/**
 * Make a name known, and take it back. type: short, no slash or colon. name: any bytes, at most 31.
 * Returns 0, -EEXIST (a live process of the session has that name), or what Linux said.
 */
int session_announce(const char *type, const char *name, uint64_t object);
void session_withdraw(const char *type, const char *name);

/**
 * Look a name up. owner: receives NULL for this process.
 * Returns 0, -ENOENT (no live process has it), -ENOMEM (no memory or descriptor, here or at the
 * owner), or what Linux said.
 */
int session_find(const char *type, const char *name, struct session_owner **owner,
		 uint64_t *object);

/*
 * A process of the session, for where objects are known without a name: in memory that programs
 * share. Whatever another one has written there, looking it up does no harm.
 */
struct session_process {
	uint64_t peer;
	uint32_t pid;
};
/* This one, which has joined. Context: any. */
struct session_process session_process(void);
/* owner: receives NULL for this process. Returns 0, -ENOENT (it has ended, or is none of the
 * session), or what Linux said. */
int session_find_process(const struct session_process *process, struct session_owner **owner);

/* Tell the skins of changes of names from here on. Returns 0, also where no session was joined and
 * there is nothing to tell, or what Linux said. */
int session_hear(void);

/*
 * Waiting for a name (watchers.c; also where a process is alone): look for it only while it is
 * watched, and await what is told then.
 */
struct session_watch {
	struct session_watchers *group;
	uint64_t bit;
};
/* Returns 0 or -TACT_ENOMEM. */
int session_watch(struct session_watch *watch);
/* Until names have changed since the last time, or since session_watch(). Returns as
 * tact_event_wait(). */
int session_await(const struct session_watch *watch, tact_timeout_t timeout);
void session_unwatch(const struct session_watch *watch);
/* What may be looked for is there. Of other processes it is the session that tells. Context: task,
 * linux. Cost: one tact_event_set() if there are watchers. */
void session_notify_watchers(void);

/**
 * Call. A cancellation point where it waits, and nowhere else. What the owner's skin returns, or
 *   -EIDRM      the owner has ended, before or meanwhile
 *   -EINTR      session_break(), or a signal's handler has run; of a call that waits only
 *   -ETIMEDOUT  the owner, stopped for instance, did not answer within seconds after the timeout
 *   -ENOMEM     no memory, descriptor or thread for it, here or at the owner, or more than
 *               SESSION_BYTES_MAX; or from a signal's handler that has interrupted the beginning or
 *               the end of a call
 *   -EPERM      from a handler
 * Cost: two hand-overs between the processes; of a task, which stays in primary mode, two of real-
 * time CPUs. The first call of a thread to an owner makes its connection, in Linux.
 */
int64_t session_call(struct session_owner *owner, struct session_call *call);

/**
 * Ask for a service by its numbers alone (service, object, value) and wait for nothing: what the
 * owner's skin returns is lost. Posts and calls of a thread are served in their order. Where the
 * connection is not there yet, or 63 posts are on the way, it is a call.
 * Returns 0, -EIDRM (the owner has ended), -ENOMEM, -EPERM as session_call().
 * Cost: O(1); a ring of the owner's doorbell where its task waits.
 */
int session_post(struct session_owner *owner, struct session_call *call);

/*
 * For serve(): the caller has got (1) or given back (-1) what raises its owner to the priority of
 * those who wait for it. As long as it has something, its own thread is raised, too, if it is a
 * task: within some milliseconds, and also through further calls that it waits in.
 */
void session_holds(int change);

/* A task of this process has this priority from now on: so has the call that it waits in, if there
 * is one. Cost and context as of session_break(). */
void session_follow(tact_task_t task, uint32_t priority);

/* Break the call of a task of this process, if it is in one. Context: task, which goes to secondary
 * mode then, linux. Cost: O(1) if it is in none. */
void session_break(tact_task_t task);

/*
 * Memory that owner and callers see, each at an address of its own.
 */
struct session_memory {
	unsigned char *base;
	size_t bytes;
	int file;
};

/* Of the owner: cleared, locked. Return 0, -ENOMEM. */
int session_memory_make(size_t bytes, struct session_memory *memory);
void session_memory_free(struct session_memory *memory);

/* Of a caller: one mapping of an object, however often it is asked for. file is taken over. NULL:
 * no memory. */
struct session_memory *session_memory_map(const struct session_owner *owner, uint64_t object,
					  int file, size_t bytes);
void session_memory_unmap(struct session_memory *memory);

#endif
