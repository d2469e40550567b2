/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Zero-copy queues: the object and its memory. Invariant: an allocated block of the heap is a
 * parcel that has owners or is queued. So the heap detects a stray pointer, and the parcel a
 * message without an owner.
 */
#include "ipc/zqueue.h"

#include "kernel/pool.h"
#include "object/growth.h"
#include "object/object.h"
#include "task/mode.h"

/* Memory up to this size comes from the home CPU's pool, if the pool has it. */
#define POOL_BYTES_MAX (256u << 10)

#define PARCEL_BYTES (sizeof(struct nuc_parcel) + BASE_HEAP_OVERHEAD_BYTES)

struct zqueue_create_call {
	struct nuc_call call;
	void *memory;
	size_t bytes;
	uint32_t depth;
	uint32_t flags;
	bool own;
};

struct zqueue_alloc_call {
	struct nuc_call call;
	size_t bytes;
	void *message;
};

struct zqueue_flush_call {
	struct nuc_call call;
	bool begun;    /* the messages have been dropped; from then on only memory is freed */
	int flushed;   /* messages */
	bool recovers; /* there was memory to free */
	bool more;     /* there is more */
};

struct zqueue_free_call {
	struct nuc_call call;
	void *message;
};

size_t tact_zqueue_memory_bytes(size_t message_bytes, uint32_t messages)
{
	size_t each;
	size_t all;

	if (message_bytes > TACT_ZQUEUE_MESSAGE_MAX || !messages)
		return 0;
	each = (message_bytes + PARCEL_BYTES + BASE_HEAP_ALIGN - 1) &
	       ~(size_t)(BASE_HEAP_ALIGN - 1);
	/* The allocator may pass over a block that is larger than the request by less than one step
	 * of its class; so the last block must be larger by that. Add the bitmap of the allocator,
	 * and the ends of the region. */
	all = each * messages + each / BASE_HEAP_COLUMNS + BASE_HEAP_ALIGN;
	all += all / 64 + BASE_HEAP_REGION_MIN;
	if (all > BASE_HEAP_REGION_MAX)
		return 0;
	return all < TACT_ZQUEUE_BYTES_MIN ? TACT_ZQUEUE_BYTES_MIN : all;
}

/* How many flushed messages are freed in one section: 205 instructions each. */
#define DROP_PIECE 16u

static void free_dropped(struct nuc_zqueue *zqueue, uint32_t number)
{
	struct base_list *link;

	while (number-- && (link = base_list_pop_front(&zqueue->dropped))) {
		struct nuc_parcel *parcel = base_container_of(link, struct nuc_parcel, link);

		parcel->queued = 0;
		parcel->owners++;
		(void)nuc_parcel_free(zqueue, parcel);
	}
}

struct nuc_parcel *nuc_parcel_new(struct nuc_zqueue *zqueue, size_t bytes)
{
	struct nuc_parcel *parcel =
		base_heap_alloc(&zqueue->heap, sizeof(struct nuc_parcel) + bytes);

	if (parcel) {
		parcel->bytes = (uint32_t)bytes;
		parcel->owners = 1;
		parcel->queued = 0;
	}
	return parcel;
}

struct nuc_parcel *nuc_parcel_owned(struct nuc_zqueue *zqueue, void *message)
{
	struct nuc_parcel *parcel = (void *)((uintptr_t)message - sizeof(*parcel));

	if (!base_heap_size_of(&zqueue->heap, parcel) || !parcel->owners)
		return NULL;
	return parcel;
}

int nuc_parcel_free(struct nuc_zqueue *zqueue, struct nuc_parcel *parcel)
{
	if (parcel->owners > 1 || parcel->queued) {
		parcel->owners--;
		return 0;
	}
	return base_heap_free(&zqueue->heap, parcel);
}

struct nuc_parcel *nuc_parcel_take(struct nuc_zqueue *zqueue)
{
	struct base_list *link = base_list_pop_front(&zqueue->messages);
	struct nuc_parcel *parcel;

	if (!link)
		return NULL;
	parcel = base_container_of(link, struct nuc_parcel, link);
	parcel->queued = 0;
	parcel->owners++;
	zqueue->count--;
	return parcel;
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct zqueue_create_call *args = base_container_of(call, struct zqueue_create_call, call);
	struct nuc_zqueue *zqueue;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_ZQUEUE, sizeof(*zqueue), &error);
	if (!object)
		return error;
	zqueue = nuc_zqueue_of(object);
	nuc_waitq_init(&zqueue->receivers, object, args->flags);
	base_list_init(&zqueue->messages);
	base_list_init(&zqueue->dropped);
	base_heap_init(&zqueue->heap);
	if (args->memory) {
		/* Cannot fail: base_heap_prepare() has succeeded. */
		nuc_assert(!base_heap_add_prepared(&zqueue->heap, args->memory, args->bytes));
	} else {
		zqueue->pool_memory = nuc_pool_get_raw(cpu, args->bytes);
		error = zqueue->pool_memory ? base_heap_add_region(&zqueue->heap,
								   zqueue->pool_memory, args->bytes)
					    : -TACT_ENOMEM;
	}
	if (error) {
		nuc_object_drop(cpu, object);
		return error;
	}
	zqueue->own_memory = args->own ? args->memory : NULL;
	zqueue->bytes = args->bytes;
	zqueue->depth = args->depth;
	call->handle = object->handle;
	return 0;
}

static int create(struct zqueue_create_call *args, uint32_t cpu)
{
	/* In the caller's time: a large region takes long. The CPU's pool gives only small
	 * regions. */
	int error = args->memory ? base_heap_prepare(args->memory, args->bytes) : 0;

	if (error)
		return error;
	nuc_call_init(&args->call, create_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu), NUC_CALL_TASKS,
		      sizeof(*args));
	return nuc_call_create(&args->call);
}

/* Create a zero-copy queue with memory from Linux, for which a task goes to secondary mode. */
static int create_with_own(struct zqueue_create_call *args, uint32_t cpu)
{
	int error = nuc_go_linux();

	if (error)
		return error;
	args->memory = hal_memory_get(args->bytes);
	if (!args->memory)
		return -TACT_ENOMEM;
	args->own = true;
	error = create(args, cpu);
	if (error)
		nuc_memory_discard(args->memory, args->bytes);
	return error;
}

int tact_zqueue_create(const char *name, void *memory, size_t bytes, uint32_t depth, uint32_t flags,
		       tact_zqueue_t *zqueue)
{
	struct zqueue_create_call args;
	uint32_t cpu;
	int error;

	if (bytes < TACT_ZQUEUE_BYTES_MIN || bytes > BASE_HEAP_REGION_MAX ||
	    flags & ~(TACT_PRIO | NUC_HOME_FLAGS) || nuc_name_check(name))
		return -TACT_EINVAL;
	error = nuc_home_of_flags(flags, &cpu);
	if (error)
		return error;
	args = (struct zqueue_create_call){
		.memory = memory, .bytes = bytes, .depth = depth, .flags = flags};
	error = memory || bytes <= POOL_BYTES_MAX ? create(&args, cpu) : -TACT_ENOMEM;
	if (error == -TACT_ENOMEM && !memory)
		error = create_with_own(&args, cpu);
	if (error)
		return error;
	return nuc_registry_publish(name, args.call.handle, NUC_ID_OF(zqueue));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &zqueue->receivers, -TACT_EIDRM);
	if (zqueue->own_memory)
		nuc_memory_discard(zqueue->own_memory, zqueue->bytes);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);

	if (zqueue->pool_memory)
		nuc_pool_put(cpu, zqueue->pool_memory);
	nuc_pool_put(cpu, zqueue);
}

const struct nuc_type_ops nuc_zqueue_type = {
	.name = "zqueue",
	.destroy = destroy,
	.release = release,
};

int tact_zqueue_delete(tact_zqueue_t zqueue)
{
	return nuc_delete(zqueue.id, NUC_TYPE_ZQUEUE);
}

static int alloc_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct zqueue_alloc_call *args = base_container_of(call, struct zqueue_alloc_call, call);
	struct nuc_parcel *parcel = nuc_parcel_new(nuc_zqueue_of(object), args->bytes);

	(void)cpu;
	if (!parcel)
		return -TACT_ENOSPC;
	args->message = nuc_parcel_contents(parcel);
	return 0;
}

int tact_zqueue_alloc(tact_zqueue_t zqueue, size_t bytes, void **message)
{
	struct zqueue_alloc_call args;
	int result;

	if (bytes > TACT_ZQUEUE_MESSAGE_MAX || !message)
		return -TACT_EINVAL;
	args.bytes = bytes;
	do {
		nuc_call_init(&args.call, alloc_run, NUC_TYPE_ZQUEUE, zqueue.id, 0, sizeof(args));
		result = nuc_call(&args.call);
	} while (result == -TACT_ENOSPC && nuc_zqueue_recovers(zqueue.id));
	if (!result)
		*message = args.message;
	return result;
}

static int free_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);
	struct nuc_parcel *parcel = nuc_parcel_owned(
		zqueue, base_container_of(call, struct zqueue_free_call, call)->message);

	(void)cpu;
	return parcel ? nuc_parcel_free(zqueue, parcel) : -TACT_EINVAL;
}

int tact_zqueue_free(tact_zqueue_t zqueue, void *message)
{
	NUC_CALL(struct zqueue_free_call, args, free_run, NUC_TYPE_ZQUEUE, zqueue.id,
		 NUC_CALL_CAST);

	if (!message)
		return -TACT_EINVAL;
	args.message = message;
	return nuc_call(&args.call);
}

static int flush_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct zqueue_flush_call *args = base_container_of(call, struct zqueue_flush_call, call);
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);

	(void)cpu;
	if (!args->begun) {
		args->begun = true;
		args->flushed = (int)zqueue->count;
		zqueue->count = 0;
		base_list_move_all(&zqueue->messages, &zqueue->dropped);
	}
	args->recovers |= !base_list_empty(&zqueue->dropped);
	free_dropped(zqueue, DROP_PIECE);
	args->more = !base_list_empty(&zqueue->dropped);
	return args->flushed;
}

/* Flush in pieces. A cast frees one piece only; the rest is freed when an allocation needs the
 * memory: see nuc_zqueue_recovers(). */
static int flush(uint32_t zqueue, struct zqueue_flush_call *args)
{
	int result;

	args->flushed = 0;
	args->recovers = false;
	do {
		nuc_call_init(&args->call, flush_run, NUC_TYPE_ZQUEUE, zqueue, NUC_CALL_CAST,
			      sizeof(*args));
		args->more = false;
		result = nuc_call(&args->call);
	} while (args->more);
	return result;
}

int tact_zqueue_flush(tact_zqueue_t zqueue)
{
	struct zqueue_flush_call args;
	int result;

	args.begun = false;
	result = flush(zqueue.id, &args);
	/* Also if the zero-copy queue has been deleted since. */
	return args.begun ? args.flushed : result;
}

bool nuc_zqueue_recovers(uint32_t zqueue)
{
	struct zqueue_flush_call args;

	args.begun = true;
	(void)flush(zqueue, &args);
	return args.recovers;
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_zqueue *zqueue =
		base_container_of(object, const struct nuc_zqueue, object);
	struct tact_zqueue_info *info = result;

	(void)cpu;
	info->total_bytes = zqueue->bytes;
	info->used_bytes = zqueue->heap.used_bytes;
	info->depth = zqueue->depth;
	info->messages = zqueue->count;
	info->receivers = zqueue->receivers.count;
}

int tact_zqueue_inquire(tact_zqueue_t zqueue, struct tact_zqueue_info *info)
{
	return nuc_inquire(zqueue.id, NUC_TYPE_ZQUEUE, info, sizeof(*info), fill_info);
}
