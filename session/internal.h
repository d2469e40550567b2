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
/* How long a peer may take to answer what needs no waiting. */
#define SESSION_PATIENCE_MS 20000

/* This process in its session. */
struct session_self {
	char base[64]; /* where all sessions have their folders */
	char folder[80];
	gid_t group;                   /* whose session it is; SESSION_NO_GROUP: a user's */
	char node[SESSION_NODE_BYTES]; /* its socket's name: a dot, its pid, a random number */
	uint64_t peer;                 /* that random number */
	char label[SESSION_LABEL_BYTES + 64]; /* as given; "": none */
	const struct session_skin *_Atomic skins[SESSION_SKINS];
	int listener;
	pthread_t thread;
	_Atomic bool joined;
};
extern struct session_self session_self;

/* The skin of that number that has joined, or NULL. */
static inline const struct session_skin *session_skin_of(uint32_t skin)
{
	return skin < SESSION_SKINS ? atomic_load(&session_self.skins[skin]) : NULL;
}

/*
 * Messages (wire.c). Both sides are of this machine: numbers go as they are.
 */
#define SESSION_REVISION 3u

/* What a connection begins with. A link is what tells that a process is there. It and a connection
 * for calls, whose greeting brings the ring and the caller's vectors, are answered by one byte,
 * enum session_welcome; to calls the owner's vectors come along. */
enum session_kind {
	SESSION_LINK = 1,
	SESSION_CALLS,
	SESSION_BREAK,
	SESSION_RAISE, /* to a caller's process: its thread is waited for at this priority, or 0 */
	SESSION_PRIORITY, /* to an owner: a call under way is one of this priority now */
};

enum session_welcome {
	SESSION_WELCOME,
	SESSION_REFUSED, /* no memory, descriptor or thread; nothing comes by the connection then */
};

struct session_hello {
	uint32_t revision;
	uint32_t kind;
	uint64_t peer;
	uint64_t thread;   /* of who calls; 0 for a link */
	uint64_t sequence; /* of the call to break */
	uint32_t pid;      /* of the peer */
	uint32_t priority;
};
/* One of this process's. */
struct session_hello session_hello(enum session_kind kind, uint64_t thread);

/* Descriptors that go or come along with the first byte of a message; those that came are the
 * receiver's. */
#define SESSION_FILES 4u
struct session_files {
	uint32_t count;
	int file[SESSION_FILES];
};
void session_files_close(const struct session_files *files);

/* All of the data. files: that go along; NULL: none. 0 or -errno. */
int session_send(int fd, const void *data, size_t bytes, const struct session_files *files);
/* All of it; -EPIPE: the other side is gone. files: that came along; NULL: none are wanted. */
int session_receive(int fd, void *data, size_t bytes, struct session_files *files);
/* The same, of a greeting that must be there as a whole: -EAGAIN: it is not. */
int session_receive_hello(int fd, struct session_hello *hello, struct session_files *files);
int session_welcome(int fd, enum session_welcome welcome, const struct session_files *files);
/* A connection to a node that has been greeted: a descriptor, -ECONNREFUSED (it is dead), -errno.
 */
int session_connect(const char *node, const struct session_hello *hello,
		    const struct session_files *files);
/* Only greet it, from the node's own thread, which waits for nobody: 0 or -errno. */
int session_notify(const char *node, const struct session_hello *hello);

/* The folder of folders (base.c), for a session's of that name. 0, -EACCES. */
int session_base(const char *name, char *path, size_t capacity);

/* Places (place.c). */
int session_dir(const char *label, char *reason);
void session_node_name(char node[SESSION_NODE_BYTES], const struct session_process *process);
/* Listen under this process's name in the folder, which is there from then on. 0 or -errno. */
int session_dir_listen(int fd, int backlog);
int session_node_address(const char *folder, const char *node, struct sockaddr_un *address);
/* What a live process has called so. 0, -ENOENT, -errno. */
int session_name_read(const char *type, const char *name, char node[SESSION_NODE_BYTES],
		      uint64_t *object);

/* What a name says: whose it is, and which object it is there. */
struct session_target {
	char text[64];
	char node[SESSION_NODE_BYTES];
	uint64_t object;
};
/* file: below the open folder. 0, -ENOENT. */
int session_name_target(int folder, const char *file, struct session_target *target);

/* Clearing away (sweep.c). */
bool session_node_is_dead(const char *folder, const char *node);
/* Remove the name from the session's folder if it still says what was seen. */
void session_remove_dead(const char *file, const struct session_target *seen);
/* Remove what dead processes left, in all sessions of the user, and folders of none. */
void session_sweep(void);
/* Remove what is this process's, and the folder if it was the last. */
void session_dir_leave(void);

/* The thread that hears of connections, ends and names (node.c). 0 or -errno. */
int session_node_start(void);
void session_node_end(void);
/* Let it look at what it serves. */
void session_node_wake(void);
/* Let it make the vectors of the present start of the nucleus. */
void session_node_wants_vectors(void);
/* Watch the link to an owner. 0 or -errno. */
int session_node_watch(struct session_owner *owner, int link);
void session_node_unwatch(int link);
/* Its other side has gone: those who wait for the owner are told (owners.c). Is it an owner at all?
 * Context: the node's thread. */
bool session_owner_ended(const void *owner);
/* Hear of changes in the folder. 0 or -errno. */
int session_node_hear(void);
/* Read what the descriptor has to tell of the folder, and tell the skin and the watchers
 * (watch.c). */
void session_names_read(int changes);

/* One connection that calls come in by (serve.c). The node's thread makes and frees them; its task
 * serves them. */
struct session_end {
	int fd;
	uint64_t peer;
	uint64_t thread;
	uint32_t pid; /* of the peer */
	struct ring *ring;
	struct session_peer_vectors caller; /* its process's; none where it waits in Linux alone */
	tact_sem_t sem;                     /* the task waits at it for requests, */
	uint32_t vector;                    /* which gives units to it */
	tact_task_t task;
	uint32_t raised; /* what its caller was told that it is raised to; 0: it is not */
	/* Who changes what it serves, and who finds out which call that is: the node's thread only
	 * tries, for a task that Tactus ends may have it for good. */
	pthread_mutex_t lock;
	uint64_t serving;      /* the sequence of a call; 0: none */
	_Atomic int holds;     /* see session_holds() */
	uint32_t priority;     /* that it serves at */
	_Atomic uint64_t done; /* the sequence of the last call that was served; 0: none */
	_Atomic bool gone;     /* its caller is: the task is to end */
	_Atomic bool over;     /* its task touches this no more */
};
/* Make its ring, of the files that came with the greeting, and its task, and welcome the caller.
 * 0, -ENOMEM, -EAGAIN (Linux has no thread), or another error: this process serves nobody. */
int session_serve(struct session_end *end, const struct session_files *files);
/* Once it is over, or if its task was not made. */
void session_end_free(struct session_end *end);
/* By the node's thread: break this call, or give it this priority, and no other one. False: it is
 * not under way, or that cannot be told now. */
bool session_break_served(struct session_end *end, uint64_t sequence);
bool session_change_served(struct session_end *end, uint64_t sequence, uint32_t priority);
/* Let the thread that it stands for be as urgent as it is itself by those who wait for what it has.
 * True: it has something, and has to be looked at again soon. */
bool session_raise_caller(struct session_end *end);

/* A thread of this process is waited for at this priority, 0: no more, in that process (raise.c).
 */
void session_raise(uint64_t thread, uint64_t peer, uint32_t priority);
/* What threads of this process have found to be over. */
void session_raise_settle(void);

/* After a fork, in the child. */
void session_node_forget(void);
void session_callers_forget(void);

#endif
