/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The message queues of Linux that the program has open, as far as they are known. */
#ifndef POSIX_QUEUE_REGISTRY_H
#define POSIX_QUEUE_REGISTRY_H

#include <mqueue.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <tactus/watch.h>

#include "posix/fd/queue.h"

#define MQ_PRIO_MAX 32768 /* as sysconf() returns it on Linux */

enum posix_queue_use { POSIX_QUEUE_RECEIVES = 1, POSIX_QUEUE_SENDS = 2 };

/* No descriptor of a queue is known, and so no task waits. */
bool posix_queues_unknown(void);

/*
 * Begin to use the queue behind a descriptor, if it allows this use and its calls may wait; NULL:
 * Linux has to serve the call. The first time this needs calls of Linux.
 */
struct posix_queue *posix_queue_enter(mqd_t fd, enum posix_queue_use use);
void posix_queue_leave(struct posix_queue *queue, enum posix_queue_use use);

/*
 * The calling task's watch of the queue behind a descriptor, or NULL. generation: of the number,
 * for posix_queue_fd(). Messages that are already in Linux when the watch begins are noted.
 */
struct tact_watch *posix_queue_watch(struct posix_queue *queue, mqd_t fd, uint32_t *generation);
/* The descriptor by which a receiver continues: another one if its own was closed; -1: none. */
mqd_t posix_queue_fd(const struct posix_queue *queue, mqd_t fd, uint32_t generation);

/* A received message goes back to Linux. False: there is no room, or no descriptor. */
bool posix_queue_return(const struct posix_queue *queue, const char *text, size_t bytes,
			unsigned priority);

/* It was closed, or its number is now another file's. */
void posix_queue_forget(int fd);
/* Its flags in Linux were changed, or may have been. */
void posix_queue_flags_changed(int fd);
void posix_queues_forked(void); /* in a fork's child */

#endif
