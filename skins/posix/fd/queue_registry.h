/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of Linux's message queues that the program has open. */
#ifndef POSIX_QUEUE_REGISTRY_H
#define POSIX_QUEUE_REGISTRY_H

#include <mqueue.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <tactus/watch.h>

#include "posix/fd/queue.h"

#define MQ_PRIO_MAX 32768 /* as sysconf() tells it on Linux */

enum posix_queue_use { POSIX_QUEUE_RECEIVES = 1, POSIX_QUEUE_SENDS = 2 };

/* No descriptor of a queue is known, and so nobody waits. */
bool posix_queues_unknown(void);

/*
 * Begin to use the queue behind a descriptor, if it allows this and its calls may wait; NULL:
 * Linux's alone. The first time it takes calls of Linux to look.
 */
struct posix_queue *posix_queue_enter(mqd_t fd, enum posix_queue_use use);
void posix_queue_leave(struct posix_queue *queue, enum posix_queue_use use);

/*
 * The calling task's watch of the queue behind it, or NULL. turn: of the number, for
 * posix_queue_fd(). What is in Linux already when the task begins to watch is noted.
 */
struct tact_watch *posix_queue_watch(struct posix_queue *queue, mqd_t fd, uint32_t *generation);
/* What a receiver has for the descriptor that it began with: another one when it was closed, -1:
 * none. */
mqd_t posix_queue_fd(const struct posix_queue *queue, mqd_t fd, uint32_t generation);

/* A message that was received goes to Linux again. False: there is no room, or no descriptor. */
bool posix_queue_return(const struct posix_queue *queue, const char *text, size_t bytes,
			unsigned priority);

/* Closed, or another file's from now on. */
void posix_queue_forget(int fd);
/* Linux was told other flags of it; or may have been. */
void posix_queue_flags_changed(int fd);
void posix_queues_forked(void); /* in a fork's child */

#endif
