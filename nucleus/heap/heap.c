/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heap objects over the allocator of base/heap.h. Invariant: while a call waits, the request of the
 * first waiter does not fit.
 */
#include <tactus/heap.h>

#include "call/wait.h"
#include "kernel/pool.h"
#include "object/growth.h"
#include "object/object.h"
#include "task/mode.h"

struct heap {
	struct nuc_object object;
	struct nuc_waitq waiters;
	struct base_heap heap;
	void *own_memory; /* from the back end; NULL: of the program */
	size_t bytes;
	uint64_t served; /* how often waiters were looked at */
};

struct heap_create_call {
	struct nuc_call call;
	void *memory;
	size_t bytes;
	bool own;
	uint32_t flags;
};

struct heap_alloc_call {
	struct nuc_call call;
	size_t bytes;
	void *block;
};

struct heap_free_call {
	struct nuc_call call;
	void *block;
};

static struct heap *heap_of(struct nuc_object *object)
{
	return base_container_of(object, struct heap, object);
}

static void waiter_left(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call);

static const struct nuc_waitq_ops waiters_ops = {.changed = waiter_left};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct heap_create_call *args = base_container_of(call, struct heap_create_call, call);
	struct heap *heap;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_HEAP, sizeof(*heap), &error);
	if (!object)
		return error;
	heap = heap_of(object);
	nuc_waitq_init(&heap->waiters, object, args->flags);
	heap->waiters.ops = &waiters_ops;
	base_heap_init(&heap->heap);
	/* Cannot fail: base_heap_prepare() has succeeded. */
	nuc_assert(!base_heap_add_prepared(&heap->heap, args->memory, args->bytes));
	heap->own_memory = args->own ? args->memory : NULL;
	heap->bytes = args->bytes;
	call->handle = object->handle;
	return 0;
}

/* A heap without memory of the program gets memory from Linux, so a task goes to secondary mode. */
static int take_memory(struct heap_create_call *args)
{
	int error;

	if (args->memory)
		return 0;
	error = nuc_go_linux();
	if (error)
		return error;
	args->memory = hal_memory_get(args->bytes);
	args->own = true;
	return args->memory ? 0 : -TACT_ENOMEM;
}

int tact_heap_create(const char *name, void *memory, size_t bytes, uint32_t flags,
		     tact_heap_t *heap)
{
	uint32_t cpu;
	int error;

	if (bytes < TACT_HEAP_BYTES_MIN || bytes > BASE_HEAP_REGION_MAX ||
	    flags & ~(TACT_PRIO | NUC_HOME_FLAGS) || nuc_name_check(name))
		return -TACT_EINVAL;
	error = nuc_home_of_flags(flags, &cpu);
	if (error)
		return error;
	NUC_CALL(struct heap_create_call, args, create_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_TASKS);
	args.memory = memory;
	args.bytes = bytes;
	args.own = false;
	args.flags = flags;
	error = take_memory(&args);
	if (error)
		return error;
	/* In the caller's time: a large heap takes long. */
	error = base_heap_prepare(args.memory, bytes);
	if (!error)
		error = nuc_call_create(&args.call);
	if (error) {
		if (args.own)
			nuc_memory_discard(args.memory, bytes);
		return error;
	}
	return nuc_registry_publish(name, args.call.handle, NUC_ID_OF(heap));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct heap *heap = heap_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &heap->waiters, -TACT_EIDRM);
	if (heap->own_memory)
		nuc_memory_discard(heap->own_memory, heap->bytes);
	nuc_object_retire(cpu, object);
	return 0;
}

const struct nuc_type_ops nuc_heap_type = {
	.name = "heap",
	.destroy = destroy,
};

int tact_heap_delete(tact_heap_t heap)
{
	return nuc_delete(heap.id, NUC_TYPE_HEAP);
}

static int alloc_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct heap_alloc_call *args = base_container_of(call, struct heap_alloc_call, call);
	struct heap *heap = heap_of(object);

	/* Not even an empty heap has so much: the bookkeeping takes a part of it. */
	if (args->bytes + BASE_HEAP_OVERHEAD_BYTES > heap->heap.total_bytes)
		return -TACT_EINVAL;
	if (nuc_waitq_leads(&heap->waiters, call)) {
		args->block = base_heap_alloc(&heap->heap, args->bytes);
		if (args->block)
			return 0;
	}
	return nuc_wait(cpu, call, &heap->waiters);
}

int tact_heap_alloc(tact_heap_t heap, size_t bytes, tact_timeout_t timeout, void **block)
{
	NUC_CALL(struct heap_alloc_call, args, alloc_run, NUC_TYPE_HEAP, heap.id, NUC_CALL_WAITS);
	int result;

	if (!bytes || bytes > BASE_HEAP_REGION_MAX || !block)
		return -TACT_EINVAL;
	args.bytes = bytes;
	result = nuc_call_timeout(&args.call, timeout);
	if (!result)
		*block = args.block;
	return result;
}

/* Serve waiters as long as the request of the first one fits. All get their blocks at once; their
 * calls are completed in pieces. */
static int serve(struct nuc_cpu *cpu, struct heap *heap)
{
	struct nuc_over over;
	struct nuc_call *first;
	int served = 0;

	if (!heap->waiters.count)
		return 0;
	nuc_over_init(&over, heap->served++);
	while ((first = nuc_waitq_first(&heap->waiters))) {
		struct heap_alloc_call *args =
			base_container_of(first, struct heap_alloc_call, call);

		args->block = base_heap_alloc(&heap->heap, args->bytes);
		if (!args->block)
			break;
		nuc_wait_over(first, &over);
		served++;
	}
	nuc_wake_over(cpu, &heap->waiters, &over, 0);
	return served;
}

/* A large request that has left may have held smaller ones back. */
static void waiter_left(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	(void)call;
	(void)serve(cpu, heap_of(queue->object));
}

static int free_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct heap *heap = heap_of(object);

	if (base_heap_free(&heap->heap,
			   base_container_of(call, struct heap_free_call, call)->block))
		return -TACT_EINVAL;
	return serve(cpu, heap);
}

int tact_heap_free(tact_heap_t heap, void *block)
{
	NUC_CALL(struct heap_free_call, args, free_run, NUC_TYPE_HEAP, heap.id, NUC_CALL_CAST);

	if (!block)
		return -TACT_EINVAL;
	args.block = block;
	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct heap *heap = base_container_of(object, const struct heap, object);
	struct tact_heap_info *info = result;
	struct base_heap_info state;

	(void)cpu;
	base_heap_info(&heap->heap, &state);
	info->total_bytes = heap->bytes;
	info->used_bytes = state.used_bytes;
	info->peak_bytes = state.peak_bytes;
	info->largest_bytes = state.largest_free_bytes;
	info->blocks = state.used_blocks;
	info->waiters = heap->waiters.count;
}

int tact_heap_inquire(tact_heap_t heap, struct tact_heap_info *info)
{
	return nuc_inquire(heap.id, NUC_TYPE_HEAP, info, sizeof(*info), fill_info);
}
