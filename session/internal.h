/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the session share. */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <sys/un.h>

#include "ring.h"
#include "session.h"
#include "vectors.h"

#define SESSION_NODE_BYTES 32
#define SESSION_PREFIX     "session-"
#define SESSION_NO_GROUP   ((gid_t)-1)
/* How long a peer may take to answer a call that need not wait. */
#define SESSION_PATIENCE_MS 20000

/* This process in its session. */
struct session_self {
	char base[64]; /* the folder that contains the folders of sessions */
	char folder[80];
	gid_t group; /* the group that shares it; SESSION_NO_GROUP: the session of a user */
	char node[SESSION_NODE_BYTES]; /* its socket's name: a dot, its pid, a random number */
	uint64_t peer;                 /* that random number */
	char label[SESSION_LABEL_BYTES + 64]; /* as given; "": none */
	const struct session_skin *_Atomic skins[SESSION_SKINS];
	int listener;
	pthread_t thread;
	_Atomic bool joined;
};
extern struct session_self session_self;

/* The skin with that number, if it has joined, or NULL. */
static inline const struct session_skin *session_skin_of(uint32_t skin)
{
	return skin < SESSION_SKINS ? atomic_load(&session_self.skins[skin]) : NULL;
}

/*
 * Messages (wire.c). Both sides are on this machine, so numbers are sent as they are.
 */
#define SESSION_REVISION 3u

/* The purpose of a connection, which its greeting states. A link shows that a process is alive. The
 * greeting of a connection for calls brings the ring and the caller's vectors. Both kinds are
 * answered by one byte, enum session_welcome; for calls the owner's vectors come with it. */
enum session_kind {
	SESSION_LINK = 1,
	SESSION_CALLS,
	SESSION_BREAK,
	SESSION_RAISE,    /* to a caller: the priority of the tasks that wait for it; 0: none */
	SESSION_PRIORITY, /* to an owner: a call under way has this priority now */
};

enum session_welcome {
	SESSION_WELCOME,
	SESSION_REFUSED, /* no memory, descriptor or thread; the connection ends */
};

struct session_hello {
	uint32_t revision;
	uint32_t kind;
	uint64_t peer;
	uint64_t thread;   /* the caller's number; 0 for a link */
	uint64_t sequence; /* of the call to break */
	uint32_t pid;      /* of the peer */
	uint32_t priority;
};
/* A greeting by this process. */
struct session_hello session_hello(enum session_kind kind, uint64_t thread);

/* Descriptors that are sent with the first byte of a message. The receiver owns those that it
 * gets. */
#define SESSION_FILES 4u
struct session_files {
	uint32_t count;
	int file[SESSION_FILES];
};
void session_files_close(const struct session_files *files);

/* Send all of the data. files: to be sent with them; NULL: none. Returns 0 or -errno. */
int session_send(int fd, const void *data, size_t bytes, const struct session_files *files);
/* Receive all of the data; -EPIPE: the other side has gone. files: receives those that came with
 * them; NULL: none are wanted. */
int session_receive(int fd, void *data, size_t bytes, struct session_files *files);
/* The same for a greeting, which must be there as a whole; otherwise -EAGAIN. */
int session_receive_hello(int fd, struct session_hello *hello, struct session_files *files);
int session_welcome(int fd, enum session_welcome welcome, const struct session_files *files);
/* Connect to a node and greet it. Returns a descriptor, -ECONNREFUSED (the node is dead),
 * -errno. */
int session_connect(const char *node, const struct session_hello *hello,
		    const struct session_files *files);
/* Only greet it. This waits some milliseconds at most, because the node's thread, too, calls it.
 * Returns 0 or -errno. */
int session_notify(const char *node, const struct session_hello *hello);

/* A lock whose holder is raised to the priority of the threads that wait for it (lock.c). */
void session_lock_make(pthread_mutex_t *lock);

/* The folder that contains the session folder of that name, or that is to contain it (base.c). 0,
 * -EACCES. */
int session_base(const char *name, char *path, size_t capacity);

/* Places (place.c). */
int session_dir(const char *label, char *reason);
void session_node_name(char node[SESSION_NODE_BYTES], const struct session_process *process);
/* Listen under this process's name in the folder, which exists from then on. 0 or -errno. */
int session_dir_listen(int fd, int backlog);
int session_node_address(const char *folder, const char *node, struct sockaddr_un *address);
/* The object to which a live process has given that name. 0, -ENOENT, -errno. */
int session_name_read(const char *type, const char *name, char node[SESSION_NODE_BYTES],
		      uint64_t *object);

/* What a name says: its owner, and the number of the object there. */
struct session_target {
	char text[64];
	char node[SESSION_NODE_BYTES];
	uint64_t object;
};
/* file: in the open folder. 0, -ENOENT, -errno. */
int session_name_target(int folder, const char *file, struct session_target *target);

/* Clearing away (sweep.c). */
bool session_node_is_dead(const char *folder, const char *node);
/* Remove the name from the session's folder if it still says what was seen. */
void session_remove_dead(const char *file, const struct session_target *seen);
/* Remove what dead processes left, and folders without a member, in all sessions of the user and of
 * the group that shares this one. */
void session_sweep(void);
/* Remove what this process has there, and the folder if it was the last member. */
void session_dir_leave(void);

/* The thread that takes connections, and learns of ends and of names (node.c). 0 or -errno. */
int session_node_start(void);
void session_node_end(void);
/* Let it look at the connections that came in. */
void session_node_wake(void);
/* Let it make the vectors for the present start of the nucleus. */
void session_node_wants_vectors(void);
/* Watch the link to an owner. 0 or -errno. */
int session_node_watch(struct session_owner *owner, int link);
void session_node_unwatch(int link);
/* The other side of the link to this owner has gone: the callers that wait for the owner are woken
 * (owners.c). Returns whether it is an owner. Context: the node's thread. */
bool session_owner_ended(const void *owner);
/* Hear of changes in the folder. 0 or -errno. */
int session_node_hear(void);
/* Read the changes of the folder from the descriptor, and tell the skins and the watchers
 * (watch.c). */
void session_names_read(int changes);

/* A connection by which calls come in (serve.c). The node's thread makes and frees them; its task
 * serves them. */
struct session_end {
	int fd;
	uint64_t peer;
	uint64_t thread;
	uint32_t pid; /* of the peer */
	struct ring *ring;
	struct session_peer_vectors caller; /* of its process; none if it only waits in Linux */
	tact_sem_t sem;                     /* the task waits at it for requests, */
	uint32_t vector;                    /* which gives units to it */
	tact_task_t task;
	uint32_t raised; /* the priority to which the caller was told to raise itself; 0: none */
	/* Protects `serving`, and the priority of the call. The node's thread only tries to lock
	 * it: a task that Tactus has ended may own it for good. */
	pthread_mutex_t lock;
	uint64_t serving;      /* the sequence of a call; 0: none */
	_Atomic int holds;     /* see session_holds() */
	uint32_t priority;     /* at which it serves */
	_Atomic uint64_t done; /* the sequence of the last call that was served; 0: none */
	_Atomic bool gone;     /* its caller has gone: the task is to end */
	_Atomic bool over;     /* its task does not use this any more */
};
/* Map its ring, from the files that came with the greeting, make its task, and welcome the caller.
 * 0,
 * -ENOMEM, -EAGAIN (Linux has no thread), or another error: this process serves no calls. */
int session_serve(struct session_end *end, const struct session_files *files);
/* After it is over, or if its task was not made. */
void session_end_free(struct session_end *end);
/* Break this call only, or give only this call the priority. False: it is not under way, or this
 * cannot be known now. Context: the node's thread. */
bool session_break_served(struct session_end *end, uint64_t sequence);
bool session_change_served(struct session_end *end, uint64_t sequence, uint32_t priority);
/* Raise the thread that it serves to the priority that its own task has from the tasks that wait
 * for what it has. True: it has something, or the thread is still raised: look at it again soon. */
bool session_raise_caller(struct session_end *end);

/* Tasks of the process `peer` wait for a thread of this process, at this priority; 0: no more
 * (raise.c). */
void session_raise(uint64_t thread, uint64_t peer, uint32_t priority);
/* Update the raisers of threads whose raises have ended (raise.c). */
void session_raise_settle(void);

/* After a fork, in the child. */
void session_node_forget(void);
void session_callers_forget(void);

#endif
