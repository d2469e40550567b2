/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of message queues, known from their first use by a task on, or while tasks wait, to
 * their end: whoever closes one or changes its flags makes it unknown again.
 */
#define _GNU_SOURCE
#include "queues_known.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "real.h"
#include "thread.h"
#include "watches.h"

#define QUEUES      128u
#define DESCRIPTORS 1024

/* Of a descriptor, in one word: its queue's number + 1 (0: unknown), what it allows, and how often
 * the number was another file's before. */
#define QUEUE_MASK 0xffu
#define USE_SHIFT  8
#define TURN       (1u << 12)

static struct posix_queue queues[QUEUES];
static _Atomic uint32_t known[DESCRIPTORS];
static _Atomic uint32_t known_any; /* that there ever was one */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct posix_queue *take_place(const struct stat *file, size_t bytes)
{
	struct posix_queue *free_place = NULL;

	for (uint32_t i = 0; i < QUEUES; i++) {
		if (!queues[i].users)
			free_place = free_place ? free_place : &queues[i];
		else if (queues[i].device == file->st_dev && queues[i].inode == file->st_ino)
			return &queues[i];
	}
	if (free_place) {
		free_place->device = file->st_dev;
		free_place->inode = file->st_ino;
		free_place->bytes = bytes;
		/* What is there from before is seen by the watch. */
		atomic_store(&free_place->maybe, 0);
		atomic_store(&free_place->notifies, 0);
	}
	return free_place;
}

/* Who never waits for a message asks Linux. */
static void look(mqd_t fd)
{
	struct posix_queue *queue;
	struct mq_attr attributes;
	struct stat file;
	uint32_t use;
	int flags;

	if (mq_getattr(fd, &attributes) || fstat(fd, &file))
		return;
	flags = fcntl(fd, F_GETFL);
	if (flags < 0)
		return;
	use = (flags & O_ACCMODE) == O_RDONLY   ? POSIX_QUEUE_RECEIVES
	      : (flags & O_ACCMODE) == O_WRONLY ? POSIX_QUEUE_SENDS
						: POSIX_QUEUE_RECEIVES | POSIX_QUEUE_SENDS;
	if (flags & O_NONBLOCK)
		use &= ~(uint32_t)POSIX_QUEUE_RECEIVES;
	posix_real.pthread_mutex_lock(&mutex);
	queue = known[fd] & QUEUE_MASK ? NULL : take_place(&file, (size_t)attributes.mq_msgsize);
	if (queue) {
		atomic_fetch_add(&queue->users, 1);
		atomic_fetch_or(&known[fd], (uint32_t)(queue - queues + 1) | use << USE_SHIFT);
		atomic_store(&known_any, 1);
	}
	posix_real.pthread_mutex_unlock(&mutex);
}

struct posix_queue *posix_queue_find(mqd_t fd, enum posix_queue_use use)
{
	uint32_t word;

	if (fd < 0 || fd >= DESCRIPTORS)
		return NULL;
	word = atomic_load(&known[fd]);
	if (!(word & QUEUE_MASK)) {
		const int former = errno;
		bool denied = posix_linux_begin();

		look(fd);
		posix_linux_end(denied);
		errno = former;
		word = atomic_load(&known[fd]);
	}
	if (!(word & QUEUE_MASK) || !(word >> USE_SHIFT & use))
		return NULL;
	return &queues[(word & QUEUE_MASK) - 1];
}

mqd_t posix_queue_any(const struct posix_queue *queue)
{
	for (mqd_t fd = 0; fd < DESCRIPTORS; fd++)
		if ((known[fd] & QUEUE_MASK) == (uint32_t)(queue - queues + 1) &&
		    known[fd] >> USE_SHIFT & POSIX_QUEUE_SENDS)
			return fd;
	return -1;
}

/* One of a number that was another file's ended with that file. */
struct tact_watch *posix_queue_watch(mqd_t fd)
{
	return posix_watch(fd, atomic_load(&known[fd]) & -TURN, NULL);
}

void posix_queue_forget(int fd)
{
	uint32_t word;

	if (fd < 0 || fd >= DESCRIPTORS || !atomic_load_explicit(&known_any, memory_order_relaxed))
		return;
	word = atomic_load(&known[fd]);
	if (!(word & QUEUE_MASK))
		return;
	posix_real.pthread_mutex_lock(&mutex);
	word = atomic_load(&known[fd]);
	if (word & QUEUE_MASK) {
		atomic_store(&known[fd], (word & -TURN) + TURN);
		atomic_fetch_sub(&queues[(word & QUEUE_MASK) - 1].users, 1);
	}
	posix_real.pthread_mutex_unlock(&mutex);
}

int mq_close(mqd_t fd)
{
	posix_queue_forget(fd);
	return posix_real.mq_close(fd);
}

int mq_setattr(mqd_t fd, const struct mq_attr *restrict now, struct mq_attr *restrict former)
{
	posix_queue_forget(fd);
	return posix_real.mq_setattr(fd, now, former);
}
