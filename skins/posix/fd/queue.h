/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of a message queue of Linux's. */
#ifndef POSIX_QUEUE_H
#define POSIX_QUEUE_H

#include <mqueue.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * However often it is open, one record: its address is where tasks wait. Descriptors and whoever
 * uses it count as users, so that its place is no other queue's while anybody waits there.
 */
struct posix_queue {
	dev_t device;
	ino_t inode;
	size_t bytes;           /* of a message, at most */
	_Atomic uint64_t maybe; /* bit 0: Linux may have messages; the rest: queue_handoff.c */
	_Atomic int notifies;   /* the program was to be told of messages that nobody waits for */
	_Atomic int users;      /* 0: the place is free */
	_Atomic int receivers;  /* users that receive */
	_Atomic mqd_t kept;     /* what receivers go on with whose descriptor was closed, or -1 */
};

#endif
