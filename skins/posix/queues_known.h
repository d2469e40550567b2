/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is known of Linux's message queues that the program has open. */
#ifndef POSIX_QUEUES_KNOWN_H
#define POSIX_QUEUES_KNOWN_H

#include <mqueue.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

#include <tactus/watch.h>

#define MQ_PRIO_MAX 32768 /* as sysconf() tells it on Linux */

/* However often it is open, one record: its address is where tasks wait. */
struct posix_queue {
	dev_t device;
	ino_t inode;
	size_t bytes;           /* of a message, at most */
	_Atomic uint32_t maybe; /* Linux may have messages that this program put there */
	_Atomic int notifies;   /* the program was to be told of messages that nobody waits for */
	_Atomic int users;      /* descriptors; 0: the place is free */
};

enum posix_queue_use { POSIX_QUEUE_RECEIVES = 1, POSIX_QUEUE_SENDS = 2 };

/*
 * The queue behind a descriptor, if it allows this and its calls may wait; NULL: Linux's alone. The
 * first time it takes calls of Linux to look.
 */
struct posix_queue *posix_queue_find(mqd_t fd, enum posix_queue_use use);
/* The calling task's watch of the queue behind it, or NULL. */
struct tact_watch *posix_queue_watch(mqd_t fd);
/* A descriptor of it to send by, or -1. */
mqd_t posix_queue_any(const struct posix_queue *queue);

/* Another file's from now on, or with other flags. */
void posix_queue_forget(int fd);

#endif
