/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exchanges: the object and its memory. Invariant: an allocated block of the heap is a parcel that
 * has owners or is queued. So the heap detects a stray pointer, and the parcel a message without an
 * owner.
 */
#include "ipc/exchange.h"

#include "kernel/pool.h"
#include "object/growth.h"
#include "object/object.h"
#include "task/mode.h"

/* Memory up to this size comes from the home CPU's pool, if the pool has it. */
#define POOL_BYTES_MAX (256u << 10)

#define PARCEL_BYTES (sizeof(struct nuc_parcel) + BASE_HEAP_OVERHEAD_BYTES)

struct exchange_create_call {
	struct nuc_call call;
	void *memory;
	size_t bytes;
	uint32_t depth;
	uint32_t flags;
	bool own;
};

struct exchange_alloc_call {
	struct nuc_call call;
	size_t bytes;
	void *message;
};

struct exchange_flush_call {
	struct nuc_call call;
	bool begun;    /* the messages have been dropped; from then on only memory is freed */
	int flushed;   /* messages */
	bool recovers; /* there was memory to free */
	bool more;     /* there is more */
};

struct exchange_free_call {
	struct nuc_call call;
	void *message;
};

size_t tact_exchange_memory_bytes(size_t message_bytes, uint32_t messages)
{
	size_t each;
	size_t all;

	if (message_bytes > TACT_EXCHANGE_MESSAGE_MAX || !messages)
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
	return all < TACT_EXCHANGE_BYTES_MIN ? TACT_EXCHANGE_BYTES_MIN : all;
}

/* How many flushed messages are freed in one section: 205 instructions each. */
#define DROP_PIECE 16u

static void free_dropped(struct nuc_exchange *exchange, uint32_t number)
{
	struct base_list *link;

	while (number-- && (link = base_list_pop_front(&exchange->dropped))) {
		struct nuc_parcel *parcel = base_container_of(link, struct nuc_parcel, link);

		parcel->queued = 0;
		parcel->owners++;
		(void)nuc_parcel_free(exchange, parcel);
	}
}

struct nuc_parcel *nuc_parcel_new(struct nuc_exchange *exchange, size_t bytes)
{
	struct nuc_parcel *parcel =
		base_heap_alloc(&exchange->heap, sizeof(struct nuc_parcel) + bytes);

	if (parcel) {
		parcel->bytes = (uint32_t)bytes;
		parcel->owners = 1;
		parcel->queued = 0;
	}
	return parcel;
}

struct nuc_parcel *nuc_parcel_owned(struct nuc_exchange *exchange, void *message)
{
	struct nuc_parcel *parcel = (void *)((uintptr_t)message - sizeof(*parcel));

	if (!base_heap_size_of(&exchange->heap, parcel) || !parcel->owners)
		return NULL;
	return parcel;
}

int nuc_parcel_free(struct nuc_exchange *exchange, struct nuc_parcel *parcel)
{
	if (parcel->owners > 1 || parcel->queued) {
		parcel->owners--;
		return 0;
	}
	return base_heap_free(&exchange->heap, parcel);
}

struct nuc_parcel *nuc_parcel_take(struct nuc_exchange *exchange)
{
	struct base_list *link = base_list_pop_front(&exchange->messages);
	struct nuc_parcel *parcel;

	if (!link)
		return NULL;
	parcel = base_container_of(link, struct nuc_parcel, link);
	parcel->queued = 0;
	parcel->owners++;
	exchange->count--;
	return parcel;
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct exchange_create_call *args =
		base_container_of(call, struct exchange_create_call, call);
	struct nuc_exchange *exchange;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_EXCHANGE, sizeof(*exchange), &error);
	if (!object)
		return error;
	exchange = nuc_exchange_of(object);
	nuc_waitq_init(&exchange->receivers, object, args->flags);
	base_list_init(&exchange->messages);
	base_list_init(&exchange->dropped);
	base_heap_init(&exchange->heap);
	if (args->memory) {
		/* Cannot fail: base_heap_prepare() has succeeded. */
		nuc_assert(!base_heap_add_prepared(&exchange->heap, args->memory, args->bytes));
	} else {
		exchange->pool_memory = nuc_pool_get_raw(cpu, args->bytes);
		error = exchange->pool_memory
				? base_heap_add_region(&exchange->heap, exchange->pool_memory,
						       args->bytes)
				: -TACT_ENOMEM;
	}
	if (error) {
		nuc_object_drop(cpu, object);
		return error;
	}
	exchange->own_memory = args->own ? args->memory : NULL;
	exchange->bytes = args->bytes;
	exchange->depth = args->depth;
	call->handle = object->handle;
	return 0;
}

static int create(struct exchange_create_call *args, uint32_t cpu)
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

/* Create an exchange with memory from Linux, for which a task goes to secondary mode. */
static int create_with_own(struct exchange_create_call *args, uint32_t cpu)
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

int tact_exchange_create(const char *name, void *memory, size_t bytes, uint32_t depth,
			 uint32_t flags, tact_exchange_t *exchange)
{
	struct exchange_create_call args;
	uint32_t cpu;
	int error;

	if (bytes < TACT_EXCHANGE_BYTES_MIN || bytes > BASE_HEAP_REGION_MAX ||
	    flags & ~(TACT_PRIO | TACT_ON_CPU(62)) || nuc_name_check(name))
		return -TACT_EINVAL;
	error = nuc_home_of_flags(flags, &cpu);
	if (error)
		return error;
	args = (struct exchange_create_call){
		.memory = memory, .bytes = bytes, .depth = depth, .flags = flags};
	error = memory || bytes <= POOL_BYTES_MAX ? create(&args, cpu) : -TACT_ENOMEM;
	if (error == -TACT_ENOMEM && !memory)
		error = create_with_own(&args, cpu);
	if (error)
		return error;
	return nuc_registry_publish(name, args.call.handle, exchange);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_exchange *exchange = nuc_exchange_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &exchange->receivers, -TACT_EIDRM);
	if (exchange->own_memory)
		nuc_memory_discard(exchange->own_memory, exchange->bytes);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_exchange *exchange = nuc_exchange_of(object);

	if (exchange->pool_memory)
		nuc_pool_put(cpu, exchange->pool_memory);
	nuc_pool_put(cpu, exchange);
}

const struct nuc_type_ops nuc_exchange_type = {
	.name = "exchange",
	.destroy = destroy,
	.release = release,
};

int tact_exchange_delete(tact_exchange_t exchange)
{
	return nuc_delete(exchange, NUC_TYPE_EXCHANGE);
}

static int alloc_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct exchange_alloc_call *args =
		base_container_of(call, struct exchange_alloc_call, call);
	struct nuc_parcel *parcel = nuc_parcel_new(nuc_exchange_of(object), args->bytes);

	(void)cpu;
	if (!parcel)
		return -TACT_ENOMEM;
	args->message = nuc_parcel_contents(parcel);
	return 0;
}

int tact_exchange_alloc(tact_exchange_t exchange, size_t bytes, void **message)
{
	struct exchange_alloc_call args;
	int result;

	if (bytes > TACT_EXCHANGE_MESSAGE_MAX || !message)
		return -TACT_EINVAL;
	args.bytes = bytes;
	do {
		nuc_call_init(&args.call, alloc_run, NUC_TYPE_EXCHANGE, exchange, 0, sizeof(args));
		result = nuc_call(&args.call);
	} while (result == -TACT_ENOMEM && nuc_exchange_recovers(exchange));
	if (!result)
		*message = args.message;
	return result;
}

static int free_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_exchange *exchange = nuc_exchange_of(object);
	struct nuc_parcel *parcel = nuc_parcel_owned(
		exchange, base_container_of(call, struct exchange_free_call, call)->message);

	(void)cpu;
	return parcel ? nuc_parcel_free(exchange, parcel) : -TACT_EINVAL;
}

int tact_exchange_free(tact_exchange_t exchange, void *message)
{
	NUC_CALL(struct exchange_free_call, args, free_run, NUC_TYPE_EXCHANGE, exchange,
		 NUC_CALL_CAST);

	if (!message)
		return -TACT_EINVAL;
	args.message = message;
	return nuc_call(&args.call);
}

static int flush_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct exchange_flush_call *args =
		base_container_of(call, struct exchange_flush_call, call);
	struct nuc_exchange *exchange = nuc_exchange_of(object);

	(void)cpu;
	if (!args->begun) {
		args->begun = true;
		args->flushed = (int)exchange->count;
		exchange->count = 0;
		base_list_move_all(&exchange->messages, &exchange->dropped);
	}
	args->recovers |= !base_list_empty(&exchange->dropped);
	free_dropped(exchange, DROP_PIECE);
	args->more = !base_list_empty(&exchange->dropped);
	return args->flushed;
}

/* Flush in pieces. A cast frees one piece only; the rest is freed when an allocation needs the
 * memory: see nuc_exchange_recovers(). */
static int flush(uint32_t exchange, struct exchange_flush_call *args)
{
	int result;

	args->flushed = 0;
	args->recovers = false;
	do {
		nuc_call_init(&args->call, flush_run, NUC_TYPE_EXCHANGE, exchange, NUC_CALL_CAST,
			      sizeof(*args));
		args->more = false;
		result = nuc_call(&args->call);
	} while (args->more);
	return result;
}

int tact_exchange_flush(tact_exchange_t exchange)
{
	struct exchange_flush_call args;
	int result;

	args.begun = false;
	result = flush(exchange, &args);
	/* Also if the exchange has been deleted since. */
	return args.begun ? args.flushed : result;
}

bool nuc_exchange_recovers(uint32_t exchange)
{
	struct exchange_flush_call args;

	args.begun = true;
	(void)flush(exchange, &args);
	return args.recovers;
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_exchange *exchange =
		base_container_of(object, const struct nuc_exchange, object);
	struct tact_exchange_info *info = result;

	(void)cpu;
	info->total_bytes = exchange->bytes;
	info->used_bytes = exchange->heap.used_bytes;
	info->depth = exchange->depth;
	info->messages = exchange->count;
	info->receivers = exchange->receivers.count;
}

int tact_exchange_inquire(tact_exchange_t exchange, struct tact_exchange_info *info)
{
	return nuc_inquire(exchange, NUC_TYPE_EXCHANGE, info, fill_info);
}
