/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tact_pipe_serve(): the Linux end, a socket in the abstract name space, and two threads between
 * them, which run by themselves from then on. */
#define _GNU_SOURCE
#include "pipe_server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <tactus/start.h>
#include <tactus/task.h>

#define THREAD_STACK_BYTES (128u << 10)

static int start_thread(struct pipe_server *server, void *(*pump)(void *))
{
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
	error = pthread_create(&thread, &attributes, pump, server);
	pthread_attr_destroy(&attributes);
	return error;
}

static int listen_at(const char *name, char *address)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int length = snprintf(at.sun_path + 1, sizeof(at.sun_path) - 1, "tactus/%s/%s",
			      tact_program(), name);
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address, TACT_PIPE_ADDRESS_BYTES, "@%s", at.sun_path + 1);
	if (listener < 0)
		return -TACT_ENOMEM;
	if (bind(listener, (struct sockaddr *)&at,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) ||
	    listen(listener, 1)) {
		int error = errno == EADDRINUSE ? -TACT_EEXIST : -TACT_ENOMEM;

		close(listener);
		return error;
	}
	return listener;
}

static struct pipe_server *server_new(struct tact_pipe_end *end, size_t bytes, int listener)
{
	struct pipe_server *server = calloc(1, sizeof(*server));
	pthread_condattr_t monotonic;

	if (!server)
		return NULL;
	server->end = end;
	server->message_bytes = bytes;
	server->listener = listener;
	server->client = -1;
	server->threads = 2;
	server->out = malloc(bytes);
	server->in = malloc(bytes);
	pthread_mutex_init(&server->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&server->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (server->out && server->in)
		return server;
	free(server->out);
	free(server->in);
	free(server);
	return NULL;
}

int tact_pipe_serve(tact_pipe_t pipe, char *address, size_t size)
{
	char at[TACT_PIPE_ADDRESS_BYTES];
	struct tact_pipe_info info = {0};
	struct tact_pipe_end *end;
	struct pipe_server *server;
	int listener;
	int result = tact_mode() == TACT_MODE_NONE ? tact_pipe_inquire(pipe, &info) : -TACT_EPERM;

	if (result)
		return result;
	if (!info.name[0])
		return -TACT_EINVAL;
	result = tact_pipe_open(pipe, &end);
	if (result)
		return result;
	listener = listen_at(info.name, at);
	result = listener;
	if (listener < 0)
		goto close_end;
	result = -TACT_EINVAL;
	if (address && size <= strlen(at))
		goto close_listener;
	result = -TACT_ENOMEM;
	server = server_new(end, info.bytes, listener);
	if (!server)
		goto close_listener;
	if (start_thread(server, pipe_pump_out)) {
		pipe_server_free(server);
		return -TACT_ENOMEM;
	}
	if (start_thread(server, pipe_pump_in)) {
		/* The first thread already runs: clean up as if the second one had ended at
		 * once. */
		pipe_server_leave(server);
		return -TACT_ENOMEM;
	}
	if (address)
		strcpy(address, at);
	return 0;

close_listener:
	close(listener);
close_end:
	(void)tact_pipe_close(end);
	return result;
}
