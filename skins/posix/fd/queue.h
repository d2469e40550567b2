/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of a message queue of Linux. */
#ifndef POSIX_QUEUE_H
#define POSIX_QUEUE_H

#include <mqueue.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * One record for each queue, however often it is open: tasks wait at its address. Descriptors and
 * running calls count as users, so that the place cannot become another queue's while a task waits.
 */
struct posix_queue {
	dev_t device;
	ino_t inode;
	size_t bytes;           /* maximum size of a message */
	_Atomic uint64_t maybe; /* bit 0: Linux may have messages; the rest: queue_handoff.c */
	_Atomic int notifies;   /* the program has called mq_notify() */
	_Atomic int users;      /* 0: the place is free */
	_Atomic int receivers;  /* users that receive */
	/* by which receivers continue when their descriptor was closed, or -1 */
	_Atomic mqd_t kept;
};

#endif
