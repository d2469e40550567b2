/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes for other processes: one Linux thread for each direction between the Linux end of a pipe
 * and a socket. If a client goes away, no message is lost: the one that could not be delivered is
 * kept for the next client, for as long as the pipe exists.
 */
#define _GNU_SOURCE
#include "pipe_server.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The period of checks whether the pipe still exists, while a message waits for a client. */
#define LOOK_MS 100

void pipe_server_free(struct pipe_server *server)
{
	(void)tact_pipe_close(server->end);
	close(server->listener);
	free(server->out);
	free(server->in);
	pthread_mutex_destroy(&server->lock);
	pthread_cond_destroy(&server->changed);
	free(server);
}

void pipe_server_leave(struct pipe_server *server)
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
		pipe_server_free(server);
}

static void wait_a_moment(struct pipe_server *server)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += LOOK_MS * 1000000L;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_nsec -= 1000000000L;
		until.tv_sec++;
	}
	pthread_cond_timedwait(&server->changed, &server->lock, &until);
}

/* Returns the client, which the caller must release; -1: no client will come any more. */
static int take_client(struct pipe_server *server)
{
	int client;

	pthread_mutex_lock(&server->lock);
	while (server->client < 0 && !server->ended && !tact_pipe_end_deleted(server->end))
		wait_a_moment(server);
	client = server->ended ? -1 : server->client;
	server->sending = client >= 0;
	pthread_mutex_unlock(&server->lock);
	return client;
}

static void let_go_of_client(struct pipe_server *server)
{
	pthread_mutex_lock(&server->lock);
	server->sending = 0;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
}

/* Returns 0 when no client will take the message any more. */
static int deliver(struct pipe_server *server, size_t bytes)
{
	for (;;) {
		int client = take_client(server);
		int delivered;
		int stuck;

		if (client < 0)
			return 0;
		delivered = send(client, server->out, bytes, MSG_NOSIGNAL) == (ssize_t)bytes;
		stuck = !delivered && (errno == EAGAIN || errno == EWOULDBLOCK);
		let_go_of_client(server);
		if (delivered)
			return 1;
		if (stuck && tact_pipe_end_deleted(server->end))
			return 0;
		/* The client went away; pipe_pump_in() also sees that, and takes the next one. */
		if (!stuck)
			usleep(1000);
	}
}

void *pipe_pump_out(void *arg)
{
	struct pipe_server *server = arg;
	int bytes;

	do
		bytes = tact_pipe_end_read(server->end, server->out, server->message_bytes,
					   TACT_FOREVER);
	/* An empty packet looks like the end of the connection. */
	while (!bytes || (bytes > 0 && deliver(server, (size_t)bytes)));
	pipe_server_leave(server);
	return NULL;
}

static void set_client(struct pipe_server *server, int client)
{
	static const struct timeval patience = {.tv_usec = LOOK_MS * 1000};

	if (client >= 0)
		(void)setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	pthread_mutex_lock(&server->lock);
	if (server->client >= 0) {
		shutdown(server->client, SHUT_RDWR);
		while (server->sending)
			pthread_cond_wait(&server->changed, &server->lock);
		close(server->client);
	}
	server->client = client;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
}

/* Returns 0, or a negative error of the pipe. */
static int receive_all(struct pipe_server *server, int client)
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

void *pipe_pump_in(void *arg)
{
	struct pipe_server *server = arg;
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
	pipe_server_leave(server);
	return NULL;
}
