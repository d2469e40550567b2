/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes for other processes: a Linux thread a direction between the Linux end of a pipe and a
 * socket. A client that goes away takes nothing with it: the message that could not be delivered is
 * kept for the next one.
 */
#define _GNU_SOURCE
#include <tactus/pipe.h>

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <tactus/start.h>
#include <tactus/task.h>

#define THREAD_STACK_BYTES (128u << 10)

struct server {
	struct tact_pipe_end *end;
	size_t message_bytes; /* longest */
	int listener;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int client; /* -1: none */
	int ended;  /* the pipe is gone */
	int threads;
	char *out; /* message_bytes each */
	char *in;
};

static void give_up(struct server *server)
{
	(void)tact_pipe_close(server->end);
	close(server->listener);
	free(server->out);
	free(server->in);
	pthread_mutex_destroy(&server->lock);
	pthread_cond_destroy(&server->changed);
	free(server);
}

/* The last of the two threads cleans up. */
static void thread_ends(struct server *server)
{
	int left;

	pthread_mutex_lock(&server->lock);
	server->ended = 1;
	left = --server->threads;
	/* Wakes the other thread from accept(), recv() and its wait for a client. */
	shutdown(server->listener, SHUT_RDWR);
	if (server->client >= 0)
		shutdown(server->client, SHUT_RDWR);
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	if (!left)
		give_up(server);
}

/* Returns 0 when the pipe has ended. */
static int await_client(struct server *server)
{
	int client;

	pthread_mutex_lock(&server->lock);
	while (server->client < 0 && !server->ended)
		pthread_cond_wait(&server->changed, &server->lock);
	client = server->ended ? 0 : server->client + 1;
	pthread_mutex_unlock(&server->lock);
	return client;
}

static void *pump_out(void *arg)
{
	struct server *server = arg;

	for (;;) {
		int bytes = tact_pipe_end_read(server->end, server->out, server->message_bytes,
					       TACT_FOREVER);
		int client;

		if (bytes < 0)
			break;
		/* A packet without contents reads like the end of the connection. */
		while (bytes && (client = await_client(server))) {
			if (send(client - 1, server->out, (size_t)bytes, MSG_NOSIGNAL) == bytes)
				break;
			/* It went away; pump_in() sees that too, and takes the next one. */
			usleep(1000);
		}
	}
	thread_ends(server);
	return NULL;
}

static void set_client(struct server *server, int client)
{
	pthread_mutex_lock(&server->lock);
	if (server->client >= 0)
		close(server->client);
	server->client = client;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
}

/* Returns 0, or a negative error of the pipe. */
static int receive_all(struct server *server, int client)
{
	for (;;) {
		ssize_t bytes = recv(client, server->in, server->message_bytes, 0);
		int result;

		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes <= 0)
			return 0;
		result = tact_pipe_end_write(server->end, server->in, (size_t)bytes, TACT_FOREVER);
		if (result)
			return result;
	}
}

static void *pump_in(void *arg)
{
	struct server *server = arg;
	int result = 0;

	while (!result) {
		int client = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);

		if (client < 0) {
			if (errno == EINTR || errno == ECONNABORTED)
				continue;
			break;
		}
		set_client(server, client);
		result = receive_all(server, client);
		set_client(server, -1);
	}
	thread_ends(server);
	return NULL;
}

static int start_thread(struct server *server, void *(*pump)(void *))
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

static struct server *server_new(struct tact_pipe_end *end, size_t bytes, int listener)
{
	struct server *server = calloc(1, sizeof(*server));

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
	pthread_cond_init(&server->changed, NULL);
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
	struct tact_pipe_info info;
	struct tact_pipe_end *end;
	struct server *server;
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
	if (start_thread(server, pump_out)) {
		give_up(server);
		return -TACT_ENOMEM;
	}
	if (start_thread(server, pump_in)) {
		/* The other one is there already: as if the second had ended at once. */
		thread_ends(server);
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
