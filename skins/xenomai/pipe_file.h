/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A served file: what its two threads share. The lock protects all of it, except what never
 * changes. */
#ifndef SKINS_XENOMAI_PIPE_FILE_H
#define SKINS_XENOMAI_PIPE_FILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pipe_ends.h"

#define PIPE_WRITE_BYTES   (64u << 10) /* longest write */
#define PIPE_REQUEST_BYTES (PIPE_WRITE_BYTES + 4096u)
#define PIPE_READERS       16u /* how many may wait in read() */

struct pipe_blocked {
	struct pipe_blocked *next;
	uint64_t unique;
	size_t bytes;
	char data[];
};

struct pipe_file {
	struct pipe_ends ends;
	int fuse;    /* connection to the kernel */
	int wake;    /* eventfd: the end has come */
	pid_t maker; /* a thread whose first open() does not count */
	pthread_t server;
	pthread_t taker;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool ending; /* messages are not taken or given any more, as their memory will be freed */
	bool opened;
	bool wanted; /* the taker waits for a message, or is to wait */
	/* The message that is being read. */
	void *message; /* to be freed after the read; NULL: the data are in `chunk` */
	const char *data;
	size_t bytes; /* not read yet; 0: no message */
	struct {
		uint64_t unique;
		size_t size;
	} reader[PIPE_READERS]; /* in their order */
	unsigned int readers;
	struct pipe_blocked *blocked; /* writes that wait for room, in their order */
	uint64_t poll;                /* the poll() that is to be woken; 0: none */
	char chunk[PIPE_STREAM_BYTES];
	char *request;
};

/* The threads; arg: the file. */
void *pipe_file_serve(void *arg);
void *pipe_file_take(void *arg);

/* Requests and answers; called with the lock, by the serving thread. */

/* Answer the request that was read, now or later. */
void pipe_file_answer_request(struct pipe_file *file);
/* Writes that wait for room are tried again. */
void pipe_file_retry_writes(struct pipe_file *file);

/* Answer a request. The kernel takes the whole answer, or has dropped the request. */
void pipe_file_answer(const struct pipe_file *file, uint64_t unique, int error, const void *data,
		      size_t bytes);
/* Are there data to be read now? If the taker waits for a message, it is the taker that gets it. */
bool pipe_message_look(struct pipe_file *file);
/* Answer a read() with bytes of the message, which has some. */
void pipe_message_give(struct pipe_file *file, uint64_t unique, size_t size);
void pipe_message_drop(struct pipe_file *file);
/* Let the taker wait for a message. */
void pipe_file_want(struct pipe_file *file);
void pipe_file_reader_leaves(struct pipe_file *file, unsigned int i);

#endif
