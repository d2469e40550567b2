/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread takes the log out of a pipe, so that a task that writes a line waits for it only while
 * the pipe is full. A byte 0 in the pipe is a mark of log_send_to(): all before it has arrived.
 */
#define _GNU_SOURCE
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEPT_BYTES  (1u << 20)
#define PIECE_BYTES 4096

static char kept[KEPT_BYTES];
static size_t written; /* ever */
static int receiver = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t marked;
static int from;

static void keep(const char *text, size_t bytes)
{
	char message[PIECE_BYTES + 1];

	if (!bytes)
		return;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < bytes; i++)
		kept[written++ % KEPT_BYTES] = text[i];
	if (receiver >= 0) {
		message[0] = 'L';
		memcpy(message + 1, text, bytes);
		/* A receiver that does not read keeps nobody from printing: dmesg has all. */
		if (send(receiver, message, bytes + 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
			receiver = -1;
	}
	pthread_mutex_unlock(&lock);
}

static void *take(void *unused)
{
	char text[PIECE_BYTES];
	ssize_t bytes;

	while ((bytes = read(from, text, sizeof(text))) > 0) {
		const char *start = text;
		const char *end = text + bytes;

		for (const char *mark; (mark = memchr(start, 0, (size_t)(end - start)));
		     start = mark + 1) {
			keep(start, (size_t)(mark - start));
			sem_post(&marked);
		}
		keep(start, (size_t)(end - start));
	}
	return unused;
}

int log_begin(void)
{
	pthread_t thread;
	sigset_t all;
	sigset_t before;
	int ends[2];
	int error;

	if (pipe2(ends, O_CLOEXEC))
		return errno;
	from = ends[0];
	sem_init(&marked, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&thread, NULL, take, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error)
		return error;
	pthread_detach(thread);
	if (dup2(ends[1], STDERR_FILENO) < 0 || dup2(ends[1], STDOUT_FILENO) < 0)
		return errno;
	close(ends[1]);
	return 0;
}

void log_send_to(int connection)
{
	(void)!write(STDERR_FILENO, "", 1);
	while (sem_wait(&marked) && errno == EINTR)
		;
	pthread_mutex_lock(&lock);
	receiver = connection;
	pthread_mutex_unlock(&lock);
}

void log_read(void (*part)(const char *text, size_t bytes, void *arg), void *arg)
{
	size_t start;

	pthread_mutex_lock(&lock);
	start = written > KEPT_BYTES ? written % KEPT_BYTES : 0;
	if (start)
		part(kept + start, KEPT_BYTES - start, arg);
	part(kept, written > KEPT_BYTES ? start : written, arg);
	pthread_mutex_unlock(&lock);
}
