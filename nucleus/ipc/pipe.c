/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes, the side of the real-time CPU. The home CPU produces into one ring and consumes from the
 * other; the Linux end (pipe_end.c) does the reverse. All calls that have to wait wait here, on the
 * home CPU, in a queue for each reason. A flag shows the Linux end that a call waits for it.
 */
#include "ipc/pipe.h"

#include "object/object.h"

_Atomic uint32_t nuc_pipe_ends;

_Static_assert(TACT_PIPE_BYTES_MIN >= BASE_RING_SIZE_MIN &&
		       TACT_PIPE_BYTES_MAX <= BASE_RING_SIZE_MAX,
	       "sizes of pipes are sizes of rings");

static uint32_t power_of_two(uint32_t bytes)
{
	return 1u << (32 - __builtin_clz(bytes - 1));
}

static size_t ring_bytes(uint32_t size)
{
	return (base_ring_memory_bytes(size) + 63) & ~(size_t)63;
}

static struct nuc_pipe_call *args_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_pipe_call, call);
}

/* Set the flag, whether a call here waits for the Linux end, before the last look at the ring. */
static void announce(_Atomic uint32_t *waits, bool waiting)
{
	atomic_store_explicit(waits, waiting, memory_order_relaxed);
	/* Seq_cst: the flag before, the look after. Pairs with the fence of notify() in pipe_end.c.
	 */
	atomic_thread_fence(memory_order_seq_cst);
}

/* The Linux end has made room, or another writer is the first now: serve writers, in their
 * order. */
static void serve_writers(struct nuc_cpu *cpu, struct nuc_pipe *pipe)
{
	struct nuc_over over;
	struct nuc_call *first;

	announce(&pipe->writers_wait, pipe->writers.count != 0);
	nuc_over_init(&over, pipe->served++);
	while ((first = nuc_waitq_first(&pipe->writers))) {
		struct nuc_pipe_call *args = args_of(first);

		if (base_ring_write_record(&pipe->to_linux, args->data, args->bytes))
			break;
		nuc_wait_over(first, &over);
	}
	if (!base_list_empty(&over.calls)) {
		nuc_wake_over(cpu, &pipe->writers, &over, 0);
		(void)nuc_wake_all(cpu, &pipe->end_readers, 0);
	}
	if (!pipe->writers.count)
		atomic_store_explicit(&pipe->writers_wait, 0, memory_order_relaxed);
}

/* The Linux end has written: serve readers. */
static void serve_readers(struct nuc_cpu *cpu, struct nuc_pipe *pipe)
{
	struct nuc_over over;
	struct nuc_call *first;

	announce(&pipe->readers_wait, pipe->readers.count != 0);
	nuc_over_init(&over, pipe->served++);
	while ((first = nuc_waitq_first_open(&pipe->readers))) {
		struct nuc_pipe_call *args = args_of(first);

		/* An alternative is served for certain once it is claimed: there has to be a
		 * record. Only this side takes records away. */
		if (first->is_cross_cpu && base_ring_peek_record(&pipe->from_linux) == -TACT_EAGAIN)
			break;
		if (!nuc_may_serve(first))
			continue;
		first->result =
			(int)base_ring_read_record(&pipe->from_linux, args->buffer, args->bytes);
		if (first->result == -TACT_EAGAIN)
			break;
		nuc_wait_over(first, &over);
	}
	if (!base_list_empty(&over.calls)) {
		nuc_wake_over(cpu, &pipe->readers, &over, NUC_OWN_RESULT);
		(void)nuc_wake_all(cpu, &pipe->end_writers, 0);
	}
	if (!pipe->readers.count)
		atomic_store_explicit(&pipe->readers_wait, 0, memory_order_relaxed);
}

/* A writer left unserved, or its priority changed: the record of the first writer may fit now. */
static void writers_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	(void)call;
	serve_writers(cpu, nuc_pipe_of(queue->object));
}

static const struct nuc_waitq_ops writers_ops = {.changed = writers_changed};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe_create_call *args =
		base_container_of(call, struct nuc_pipe_create_call, call);
	struct nuc_pipe *pipe;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_PIPE, sizeof(*pipe), &error);
	if (!object)
		return error;
	pipe = nuc_pipe_of(object);
	pipe->memory = base_heap_alloc_aligned(&cpu->pool, 64, 2 * ring_bytes(args->bytes));
	if (!pipe->memory) {
		nuc_object_drop(cpu, object);
		return -TACT_ENOMEM;
	}
	/* Cannot fail: the size was checked. */
	nuc_assert(!base_ring_create(&pipe->to_linux, pipe->memory, args->bytes));
	nuc_assert(!base_ring_create(&pipe->from_linux,
				     (char *)pipe->memory + ring_bytes(args->bytes), args->bytes));
	nuc_waitq_init(&pipe->readers, object, args->flags);
	nuc_waitq_init(&pipe->writers, object, args->flags);
	pipe->writers.ops = &writers_ops;
	nuc_waitq_init(&pipe->end_readers, object, TACT_FIFO);
	nuc_waitq_init(&pipe->end_writers, object, TACT_FIFO);
	pipe->end.pipe = pipe;
	pipe->end.cpu = cpu->hal.index;
	call->handle = object->handle;
	return 0;
}

int tact_pipe_create(const char *name, uint32_t bytes, uint32_t flags, tact_pipe_t *pipe)
{
	NUC_CALL(struct nuc_pipe_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (bytes < TACT_PIPE_BYTES_MIN || bytes > TACT_PIPE_BYTES_MAX)
		return -TACT_EINVAL;
	args.bytes = power_of_two(bytes);
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO, NUC_ID_OF(pipe));
}

/* The memory of the object is kept while its Linux end is open: the close frees it then. */
static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_pipe *pipe = nuc_pipe_of(object);

	pipe->released = true;
	if (!pipe->open)
		nuc_pipe_free(cpu, pipe);
}

void nuc_pipe_free(struct nuc_cpu *cpu, struct nuc_pipe *pipe)
{
	if (pipe->memory)
		nuc_pool_put(cpu, pipe->memory);
	nuc_pool_put(cpu, pipe);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe *pipe = nuc_pipe_of(object);

	(void)call;
	nuc_pipe_lost(pipe);
	/* Release: an end that sees it also sees all that was written before. */
	atomic_store_explicit(&pipe->gone, 1, memory_order_release);
	(void)nuc_wake_all(cpu, &pipe->readers, -TACT_EIDRM);
	(void)nuc_wake_all(cpu, &pipe->writers, -TACT_EIDRM);
	(void)nuc_wake_all(cpu, &pipe->end_readers, 0);
	(void)nuc_wake_all(cpu, &pipe->end_writers, 0);
	nuc_object_retire(cpu, object);
	return 0;
}

static int await_room(struct nuc_cpu *cpu, struct nuc_pipe *pipe, struct nuc_call *call)
{
	int result = nuc_wait(cpu, call, &pipe->writers);

	pipe->refused += result == -TACT_EAGAIN;
	return result;
}

static int write_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe *pipe = nuc_pipe_of(object);
	struct nuc_pipe_call *args = args_of(call);
	int result;

	if (args->bytes > pipe->to_linux.size - BASE_RING_RECORD_HEADER)
		return -TACT_EMSGSIZE;
	if (!nuc_waitq_leads(&pipe->writers, call))
		return await_room(cpu, pipe, call);
	result = base_ring_write_record(&pipe->to_linux, args->data, args->bytes);
	if (result == -TACT_EAGAIN) {
		/* The Linux end may have made room between the look and the flag. */
		announce(&pipe->writers_wait, true);
		result = base_ring_write_record(&pipe->to_linux, args->data, args->bytes);
	}
	if (result == -TACT_EAGAIN)
		return await_room(cpu, pipe, call);
	(void)nuc_wake_all(cpu, &pipe->end_readers, 0);
	return result;
}

int tact_pipe_write(tact_pipe_t pipe, const void *data, size_t bytes, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_pipe_call, args, write_run, NUC_TYPE_PIPE, pipe.id, NUC_CALL_WAITS);

	if (!data && bytes)
		return -TACT_EFAULT;
	args.data = data ? data : "";
	args.bytes = bytes;
	return nuc_call_timeout(&args.call, timeout);
}

static int read_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_pipe *pipe = nuc_pipe_of(object);
	struct nuc_pipe_call *args = args_of(call);
	int64_t result;

	if (!nuc_waitq_leads(&pipe->readers, call))
		return nuc_wait(cpu, call, &pipe->readers);
	result = base_ring_read_record(&pipe->from_linux, args->buffer, args->bytes);
	if (result == -TACT_EAGAIN) {
		announce(&pipe->readers_wait, true);
		result = base_ring_read_record(&pipe->from_linux, args->buffer, args->bytes);
	}
	if (result == -TACT_EAGAIN)
		return nuc_wait(cpu, call, &pipe->readers);
	if (result >= 0)
		(void)nuc_wake_all(cpu, &pipe->end_writers, 0);
	return (int)result;
}

static int choose(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
		  const struct tact_wait_item *item)
{
	struct nuc_pipe *pipe = nuc_pipe_of(object);
	struct nuc_pipe_call *args = args_of(call);

	if (item->bits || item->how || (!item->buffer && item->size))
		return -TACT_EINVAL;
	args->buffer = item->buffer ? item->buffer : args->none;
	args->bytes = item->size;
	if (!nuc_waitq_leads(&pipe->readers, call))
		return nuc_wait(cpu, call, &pipe->readers);
	if (base_ring_peek_record(&pipe->from_linux) == -TACT_EAGAIN)
		announce(&pipe->readers_wait, true);
	if (base_ring_peek_record(&pipe->from_linux) == -TACT_EAGAIN)
		return nuc_wait(cpu, call, &pipe->readers);
	return nuc_alternative_claim(call) ? read_run(cpu, object, call) : NUC_LOST;
}

_Static_assert(sizeof(struct nuc_pipe_call) <= NUC_ALTERNATIVE_BYTES, "room for the record");

static const struct nuc_choice_ops choice_ops = {.take = choose};

const struct nuc_type_ops nuc_pipe_type = {
	.name = "pipe",
	.destroy = destroy,
	.release = release,
	.choice = &choice_ops,
};

int tact_pipe_delete(tact_pipe_t pipe)
{
	return nuc_delete(pipe.id, NUC_TYPE_PIPE);
}

int tact_pipe_read(tact_pipe_t pipe, void *buffer, size_t size, tact_timeout_t timeout)
{
	NUC_CALL(struct nuc_pipe_call, args, read_run, NUC_TYPE_PIPE, pipe.id, NUC_CALL_WAITS);

	if (!buffer && size)
		return -TACT_EFAULT;
	args.buffer = buffer ? buffer : args.none;
	args.bytes = size;
	return nuc_call_timeout(&args.call, timeout);
}

void nuc_pipe_serve_both(struct nuc_cpu *cpu, struct nuc_pipe *pipe)
{
	serve_writers(cpu, pipe);
	serve_readers(cpu, pipe);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_pipe *pipe = base_container_of(object, const struct nuc_pipe, object);
	struct tact_pipe_info *info = result;

	(void)cpu;
	info->bytes = pipe->to_linux.size;
	info->to_linux = (uint32_t)base_ring_readable(&pipe->to_linux);
	info->from_linux = (uint32_t)base_ring_readable(&pipe->from_linux);
	info->readers = pipe->readers.count;
	info->writers = pipe->writers.count;
	info->open = pipe->open;
	info->refused = pipe->refused;
}

int tact_pipe_inquire(tact_pipe_t pipe, struct tact_pipe_info *info)
{
	return nuc_inquire(pipe.id, NUC_TYPE_PIPE, info, sizeof(*info), fill_info);
}
