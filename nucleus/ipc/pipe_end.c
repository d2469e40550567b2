/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes, the Linux end. It reads and writes the rings itself, and calls the home CPU only to wait,
 * or if a call there waits for what the end has just done. The flags and the rings form Dekker's
 * pattern: a side sets its flag (or moves its ring), and then reads that of the other side, with a
 * sequentially consistent fence between the two.
 */
#include <tactus/task.h>

#include "ipc/pipe.h"

static int open_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe *pipe = nuc_pipe_of(object);

	(void)cpu;
	if (pipe->open)
		return -TACT_EBUSY;
	pipe->open = true;
	pipe->was_open = true;
	atomic_fetch_add_explicit(&nuc_pipe_ends, 1, memory_order_relaxed);
	base_container_of(call, struct nuc_pipe_call, call)->pipe = pipe;
	return 0;
}

static bool is_linux(void)
{
	return tact_mode() == TACT_MODE_NONE;
}

int tact_pipe_open(tact_pipe_t pipe, struct tact_pipe_end **end)
{
	NUC_CALL(struct nuc_pipe_call, args, open_run, NUC_TYPE_PIPE, pipe.id, NUC_CALL_TASKS);
	int result;

	if (!is_linux())
		return -TACT_EPERM;
	if (!end)
		return -TACT_EINVAL;
	result = nuc_call(&args.call);
	if (!result)
		*end = &args.pipe->end;
	return result;
}

static int close_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe *pipe = base_container_of(call, struct nuc_pipe_call, call)->pipe;

	(void)object;
	pipe->open = false;
	if (pipe->released)
		nuc_pipe_free(cpu, pipe);
	atomic_fetch_sub_explicit(&nuc_pipe_ends, 1, memory_order_release);
	return 0;
}

/* Calls of an open end use the address of the pipe: its handle may be stale, but its memory still
 * exists. */
static int call_home(struct tact_pipe_end *end,
		     int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *),
		     size_t bytes, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_pipe_call, args, run, NUC_TYPE_CPU, nuc_handle_of_cpu(end->cpu),
		 NUC_CALL_WAITS);

	args.pipe = end->pipe;
	args.bytes = bytes;
	return nuc_call_timeout(&args.call, timeout);
}

int tact_pipe_close(struct tact_pipe_end *end)
{
	if (!is_linux())
		return -TACT_EPERM;
	if (!end)
		return -TACT_EINVAL;
	return call_home(end, close_run, 0, TACT_NOWAIT);
}

static int serve_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	nuc_pipe_serve_both(cpu, base_container_of(call, struct nuc_pipe_call, call)->pipe);
	return 0;
}

/* The end has moved a ring: serve the calls on the home CPU that wait for it. */
static void notify(struct tact_pipe_end *end, _Atomic uint32_t *waits)
{
	/* Seq_cst: the move before, the flag after. Pairs with the fence of announce() in pipe.c.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(waits, memory_order_relaxed))
		(void)call_home(end, serve_run, 0, TACT_NOWAIT);
}

static int readable_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe *pipe = base_container_of(call, struct nuc_pipe_call, call)->pipe;

	(void)object;
	if (atomic_load_explicit(&pipe->gone, memory_order_relaxed) ||
	    base_ring_readable(&pipe->to_linux))
		return 0;
	return nuc_wait(cpu, call, &pipe->end_readers);
}

static int writable_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe_call *args = base_container_of(call, struct nuc_pipe_call, call);
	struct nuc_pipe *pipe = args->pipe;

	(void)object;
	if (atomic_load_explicit(&pipe->gone, memory_order_relaxed) ||
	    base_ring_writable(&pipe->from_linux) >=
		    (int64_t)(args->bytes + BASE_RING_RECORD_HEADER))
		return 0;
	return nuc_wait(cpu, call, &pipe->end_writers);
}

/* A relative timeout counts from the first attempt, however often the end has to wait. */
static tact_timeout_t fixed(tact_timeout_t timeout)
{
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		return tact_at(tact_time_add(tact_now(), timeout.ns));
	return timeout;
}

int tact_pipe_end_deleted(const struct tact_pipe_end *end)
{
	if (!is_linux())
		return -TACT_EPERM;
	if (!end)
		return -TACT_EINVAL;
	return atomic_load_explicit(&end->pipe->gone, memory_order_acquire) != 0;
}

int tact_pipe_end_read(struct tact_pipe_end *end, void *buffer, size_t size, tact_timeout_t timeout)
{
	if (!is_linux())
		return -TACT_EPERM;
	if (!end || timeout.kind > TACT_TIMEOUT_WALL)
		return -TACT_EINVAL;
	if (!buffer && size)
		return -TACT_EFAULT;
	timeout = fixed(timeout);
	for (;;) {
		struct nuc_pipe *pipe = end->pipe;
		/* Before the look at the ring: what was written before the deletion is still
		 * read. */
		uint32_t gone = atomic_load_explicit(&pipe->gone, memory_order_acquire);
		char none[1];
		int64_t result =
			base_ring_read_record(&pipe->to_linux, buffer ? buffer : none, size);

		if (result >= 0)
			notify(end, &pipe->writers_wait);
		if (result != -TACT_EAGAIN)
			return (int)result;
		if (gone)
			return -TACT_EPIPE;
		result = call_home(end, readable_run, 0, timeout);
		if (result)
			return (int)result;
	}
}

int tact_pipe_end_write(struct tact_pipe_end *end, const void *data, size_t bytes,
			tact_timeout_t timeout)
{
	if (!is_linux())
		return -TACT_EPERM;
	if (!end || timeout.kind > TACT_TIMEOUT_WALL)
		return -TACT_EINVAL;
	if (!data && bytes)
		return -TACT_EFAULT;
	if (bytes > end->pipe->from_linux.size - BASE_RING_RECORD_HEADER)
		return -TACT_EMSGSIZE;
	timeout = fixed(timeout);
	for (;;) {
		struct nuc_pipe *pipe = end->pipe;
		int result;

		if (atomic_load_explicit(&pipe->gone, memory_order_acquire))
			return -TACT_EPIPE;
		result = base_ring_write_record(&pipe->from_linux, data ? data : "", bytes);
		if (!result)
			notify(end, &pipe->readers_wait);
		if (result != -TACT_EAGAIN)
			return result;
		result = call_home(end, writable_run, bytes, timeout);
		if (result)
			return result;
	}
}
