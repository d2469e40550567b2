/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A served file: what its two threads share. The lock protects all of it, except what never
 * changes. */
#ifndef RUNTIME_SERVED_H
#define RUNTIME_SERVED_H

#include <pthread.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/served_file.h"

#define SERVED_WRITE_BYTES   (64u << 10) /* longest write */
#define SERVED_REQUEST_BYTES (SERVED_WRITE_BYTES + 4096u)
#define SERVED_READERS       16u /* how many may wait in read() */

struct served_blocked {
	struct served_blocked *next;
	uint64_t unique;
	size_t bytes;
	size_t put; /* so many of them */
	char data[];
};

struct served {
	const struct runtime_served_ops *ops;
	void *owner;
	bool single;
	int fuse;    /* connection to the kernel */
	int wake;    /* eventfd: the end has come */
	pid_t maker; /* a thread whose first open() does not count */
	pthread_t server;
	pthread_t taker;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool ending; /* data are not taken or given any more, as their objects will be deleted */
	unsigned int opened;
	bool wanted;  /* the taker waits for data, or is to wait */
	size_t bytes; /* of the data, not read yet; 0: there are none */
	struct runtime_served_data data;
	struct {
		uint64_t unique;
		size_t size;
	} reader[SERVED_READERS]; /* in their order */
	unsigned int readers;
	struct served_blocked *blocked; /* writes that wait for room, in their order */
	uint64_t poll;                  /* the poll() that is to be woken; 0: none */
	char *request;
};

/* The threads; arg: the file. */
void *served_serve(void *arg);
void *served_take(void *arg);

/* Requests and answers; called with the lock, by the serving thread. */

/* Answer the request that was read, now or later. */
void served_answer_request(struct served *file);
/* Writes that wait for room are tried again. */
void served_retry_writes(struct served *file);

/* Answer a request. The kernel takes the whole answer, or has dropped the request. */
void served_answer(const struct served *file, uint64_t unique, int error, const void *data,
		   size_t bytes);
/* Are there data to be read now? What must be taken for that is taken, at most so many bytes of a
 * stream. If the taker waits for data and takes them, it is the taker that gets them. */
bool served_look(struct served *file, size_t most);
/* Is there anything to be read? */
bool served_readable(struct served *file);
/* Answer a read() with bytes of the data, which are some. */
void served_give(struct served *file, uint64_t unique, size_t size);
void served_drop(struct served *file);
/* Let the taker wait for data. */
void served_want(struct served *file);
void served_reader_leaves(struct served *file, unsigned int i);

#endif
