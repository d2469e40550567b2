/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the two sides of a pipe share. */
#ifndef NUC_PIPE_H
#define NUC_PIPE_H

#include <tactus/pipe.h>

#include "base/ring.h"
#include "call/call.h"
#include "call/wait.h"

struct tact_pipe_end {
	struct nuc_pipe *pipe;
	uint32_t cpu; /* home of the pipe */
};

struct nuc_pipe {
	struct nuc_object object;
	struct nuc_waitq readers; /* tasks */
	struct nuc_waitq writers;
	struct nuc_waitq end_readers; /* the Linux end */
	struct nuc_waitq end_writers;
	struct base_ring to_linux;   /* produced on the home CPU */
	struct base_ring from_linux; /* consumed on the home CPU */
	void *memory;                /* of both */
	struct tact_pipe_end end;
	bool open;
	bool was_open;    /* once at least */
	bool released;    /* the object is deleted; the memory is kept for the open end */
	uint64_t served;  /* how often waiters were looked at */
	uint32_t refused; /* messages that found no room and did not wait for it */
	_Atomic uint32_t gone;
	/* A call on the home CPU waits until the Linux end moves its ring: the end must call
	 * then. */
	_Atomic uint32_t readers_wait;
	_Atomic uint32_t writers_wait;
};

struct nuc_pipe_create_call {
	struct nuc_call call;
	uint32_t bytes;
	uint32_t flags;
};

struct nuc_pipe_call {
	struct nuc_call call;
	union {
		const void *data;
		void *buffer;
	};
	size_t bytes;
	struct nuc_pipe *pipe;
	char none[1];
};

static inline struct nuc_pipe *nuc_pipe_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_pipe, object);
}

/* Linux ends that are open: the program is not stopped under them. */
extern _Atomic uint32_t nuc_pipe_ends;

/* Serve the calls that wait for what the Linux end has done. Context: home CPU, stalled. */
void nuc_pipe_serve_both(struct nuc_cpu *cpu, struct nuc_pipe *pipe);

/* pipe_lost.c. A pipe is deleted: count the messages that it refused, if its Linux end was never
 * opened. The stop reports their number. Context: home CPU; linux, when no CPU runs any more. */
void nuc_pipe_lost(const struct nuc_pipe *pipe);
void nuc_pipe_report_lost(void);

/* Free a pipe that neither side uses any more. Context: home CPU, stalled. */
void nuc_pipe_free(struct nuc_cpu *cpu, struct nuc_pipe *pipe);

#endif
