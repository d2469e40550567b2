/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pipe that is served to other processes: what its two threads share. */
#ifndef LIB_PIPE_SERVER_H
#define LIB_PIPE_SERVER_H

#include <pthread.h>
#include <stddef.h>

#include <tactus/pipe.h>

struct pipe_server {
	struct tact_pipe_end *end;
	size_t message_bytes; /* of the longest message */
	int listener;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int client;  /* -1: no client */
	int sending; /* the client is in use and must not be closed */
	int ended;   /* the pipe does not exist any more */
	int threads;
	char *out; /* buffers of message_bytes */
	char *in;
};

/* Called when both threads have ended, or were never started. */
void pipe_server_free(struct pipe_server *server);

/* A thread ends, or could not be started: make the other one end, too. The last of them cleans
 * up. */
void pipe_server_leave(struct pipe_server *server);

/* The threads; arg: the server. */
void *pipe_pump_out(void *arg);
void *pipe_pump_in(void *arg);

#endif
