/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A served file: what its two threads share, all of it under its lock but for what never changes.
 */
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
#define PIPE_READERS       16u /* that wait in read() */

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
	bool ending; /* no message is taken or given any more: its memory goes */
	bool opened;
	bool wanted; /* the taker waits for a message, or shall */
	/* The message that is being read. */
	void *message; /* to be freed; NULL: the chunk */
	const char *data;
	size_t bytes; /* not read yet; 0: there is none */
	struct {
		uint64_t unique;
		size_t size;
	} reader[PIPE_READERS]; /* in their order */
	unsigned int readers;
	struct pipe_blocked *blocked; /* writes that wait for room, in their order */
	uint64_t poll;                /* who polls and is to be told; 0: nobody */
	char chunk[PIPE_STREAM_BYTES];
	char *request;
};

/* The threads; arg: the file. */
void *pipe_file_serve(void *arg);
void *pipe_file_take(void *arg);

/* What is asked and answered under the lock, by the thread that serves. */

/* Answer the request that was read, now or later. */
void pipe_file_answer_request(struct pipe_file *file);
/* Those that wait for room may go on. */
void pipe_file_retry_writes(struct pipe_file *file);

/* An answer to one; the kernel takes it whole, or has given the request up. */
void pipe_file_answer(const struct pipe_file *file, uint64_t unique, int error, const void *data,
		      size_t bytes);
/* Is there something to be read now? What the taker waits for comes from there. */
bool pipe_message_look(struct pipe_file *file);
/* Give of it; there is something. */
void pipe_message_give(struct pipe_file *file, uint64_t unique, size_t size);
void pipe_message_drop(struct pipe_file *file);
/* The taker shall wait for a message. */
void pipe_file_want(struct pipe_file *file);
void pipe_file_reader_leaves(struct pipe_file *file, unsigned int i);

#endif
