/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Zero-copy queues: sending and receiving. Invariant: no receiver waits while a message is queued.
 * So a message goes to the waiting receivers, in their order, and into the queue only if there is
 * none.
 */
#include "base/string.h"
#include "ipc/zqueue.h"
#include "ipc/payload.h"

#define HOW_ALL (TACT_ZQUEUE_URGENT | TACT_ZQUEUE_BROADCAST)

struct send_call {
	struct nuc_call call;
	void *message;
	uint32_t bytes;
	uint32_t how;
};

struct write_call {
	struct nuc_payload_call payload;
	uint32_t how;
};

struct receive_call {
	struct nuc_call call;
	bool copies;
	void *buffer; /* receives the copy; without copies: the address */
	size_t size;
};

static struct receive_call *receive_of(struct nuc_call *call)
{
	return base_container_of(call, struct receive_call, call);
}

static struct receive_call *first_of(const struct nuc_zqueue *zqueue)
{
	struct nuc_call *first = nuc_waitq_first(&zqueue->receivers);

	return first ? receive_of(first) : NULL;
}

static int copy_to(const struct receive_call *receiver, const void *data, uint32_t bytes)
{
	if (bytes > receiver->size)
		bytes = (uint32_t)receiver->size;
	base_copy(receiver->buffer, data, bytes);
	return (int)bytes;
}

/* Give a parcel to a receiver. Returns the receiver's result. A receiver that copies does not
 * become an owner. */
static int give(struct receive_call *receiver, struct nuc_parcel *parcel)
{
	if (receiver->copies)
		return copy_to(receiver, nuc_parcel_contents(parcel), parcel->bytes);
	parcel->owners++;
	receiver->buffer = nuc_parcel_contents(parcel);
	return (int)parcel->bytes;
}

static void enqueue(struct nuc_zqueue *zqueue, struct nuc_parcel *parcel, uint32_t how)
{
	if (how & TACT_ZQUEUE_URGENT)
		base_list_push_front(&parcel->link, &zqueue->messages);
	else
		base_list_push_back(&parcel->link, &zqueue->messages);
	parcel->queued = 1;
	parcel->owners--;
	zqueue->count++;
}

/* Pass a parcel to all waiting receivers, to the first one, or to the queue. Returns the number of
 * receivers. The caller does not own the parcel any more, except if that number is 0 in a
 * broadcast. */
static int pass(struct nuc_cpu *cpu, struct nuc_zqueue *zqueue, struct nuc_parcel *parcel,
		uint32_t how)
{
	struct receive_call *receiver = first_of(zqueue);
	int woken = 0;

	if (how & TACT_ZQUEUE_BROADCAST) {
		base_list_for_each(link, &zqueue->receivers.calls) {
			receiver = receive_of(base_container_of(link, struct nuc_call, link));
			receiver->call.result = give(receiver, parcel);
		}
		woken = (int)nuc_wake_all(cpu, &zqueue->receivers, NUC_OWN_RESULT);
	} else if (receiver) {
		nuc_wake(cpu, &receiver->call, give(receiver, parcel));
		woken = 1;
	}
	if (woken)
		(void)nuc_parcel_free(zqueue, parcel);
	else if (!(how & TACT_ZQUEUE_BROADCAST))
		enqueue(zqueue, parcel, how);
	return woken;
}

static bool is_full(const struct nuc_zqueue *zqueue, uint32_t how)
{
	return zqueue->depth && zqueue->count >= zqueue->depth && !(how & TACT_ZQUEUE_BROADCAST);
}

static int send_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct send_call *args = base_container_of(call, struct send_call, call);
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);
	struct nuc_parcel *parcel = nuc_parcel_owned(zqueue, args->message);

	if (!parcel)
		return -TACT_EINVAL;
	if (parcel->queued)
		return -TACT_EBUSY;
	if (args->bytes > base_heap_size_of(&zqueue->heap, parcel) - sizeof(*parcel))
		return -TACT_EMSGSIZE;
	if (is_full(zqueue, args->how))
		return -TACT_ENOSPC;
	parcel->bytes = args->bytes;
	return pass(cpu, zqueue, parcel, args->how);
}

int tact_zqueue_send(tact_zqueue_t zqueue, void *message, size_t bytes, uint32_t how)
{
	NUC_CALL(struct send_call, args, send_run, NUC_TYPE_ZQUEUE, zqueue.id, NUC_CALL_CAST);

	if (!message || how & ~HOW_ALL)
		return -TACT_EINVAL;
	if (bytes > TACT_ZQUEUE_MESSAGE_MAX)
		return -TACT_EMSGSIZE;
	args.message = message;
	args.bytes = (uint32_t)bytes;
	args.how = how;
	return nuc_call(&args.call);
}

/* Is a parcel needed? It is if a receiver that will be served does not copy, or if the message has
 * to be queued. */
static bool wants_parcel(const struct nuc_zqueue *zqueue, uint32_t how)
{
	if (!zqueue->receivers.count)
		return !(how & TACT_ZQUEUE_BROADCAST);
	base_list_for_each(link, &zqueue->receivers.calls) {
		if (!receive_of(base_container_of(link, struct nuc_call, link))->copies)
			return true;
		if (!(how & TACT_ZQUEUE_BROADCAST))
			break;
	}
	return false;
}

/* All receivers that are served copy: directly from the writer's memory. */
static int copy_to_all(struct nuc_cpu *cpu, struct nuc_zqueue *zqueue,
		       const struct write_call *args)
{
	struct receive_call *receiver = first_of(zqueue);

	if (args->how & TACT_ZQUEUE_BROADCAST) {
		base_list_for_each(link, &zqueue->receivers.calls) {
			receiver = receive_of(base_container_of(link, struct nuc_call, link));
			receiver->call.result =
				copy_to(receiver, args->payload.data, args->payload.bytes);
		}
		return (int)nuc_wake_all(cpu, &zqueue->receivers, NUC_OWN_RESULT);
	}
	if (!receiver)
		return 0;
	nuc_wake(cpu, &receiver->call, copy_to(receiver, args->payload.data, args->payload.bytes));
	return 1;
}

static int write_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct write_call *args = base_container_of(call, struct write_call, payload.call);
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);
	struct nuc_parcel *parcel;

	if (!wants_parcel(zqueue, args->how))
		return copy_to_all(cpu, zqueue, args);
	if (is_full(zqueue, args->how))
		return -TACT_ENOSPC;
	parcel = nuc_parcel_new(zqueue, args->payload.bytes);
	if (!parcel)
		return -TACT_ENOSPC;
	base_copy(nuc_parcel_contents(parcel), args->payload.data, args->payload.bytes);
	return pass(cpu, zqueue, parcel, args->how);
}

int tact_zqueue_write(tact_zqueue_t zqueue, const void *data, size_t bytes, uint32_t how)
{
	struct write_call args;
	int error = nuc_payload_set(&args.payload, data, bytes);

	if (!error && bytes > TACT_ZQUEUE_MESSAGE_MAX)
		error = -TACT_EMSGSIZE;
	if (error)
		return error;
	if (how & ~HOW_ALL)
		return -TACT_EINVAL;
	do {
		nuc_call_init(&args.payload.call, write_run, NUC_TYPE_ZQUEUE, zqueue.id,
			      NUC_CALL_CAST | NUC_CALL_PAYLOAD, sizeof(args));
		args.how = how;
		error = nuc_call(&args.payload.call);
	} while (error == -TACT_ENOSPC && nuc_zqueue_recovers(zqueue.id));
	return error;
}

static int receive_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct receive_call *args = receive_of(call);
	struct nuc_zqueue *zqueue = nuc_zqueue_of(object);
	struct nuc_parcel *parcel = nuc_parcel_take(zqueue);
	int result;

	if (!parcel)
		return nuc_wait(cpu, call, &zqueue->receivers);
	result = (int)parcel->bytes;
	if (args->copies) {
		result = copy_to(args, nuc_parcel_contents(parcel), parcel->bytes);
		(void)nuc_parcel_free(zqueue, parcel);
	} else {
		args->buffer = nuc_parcel_contents(parcel);
	}
	return result;
}

int tact_zqueue_receive(tact_zqueue_t zqueue, void **message, tact_timeout_t timeout)
{
	NUC_CALL(struct receive_call, args, receive_run, NUC_TYPE_ZQUEUE, zqueue.id,
		 NUC_CALL_WAITS);
	int result;

	if (!message)
		return -TACT_EINVAL;
	args.copies = false;
	result = nuc_call_timeout(&args.call, timeout);
	if (result >= 0)
		*message = args.buffer;
	return result;
}

int tact_zqueue_read(tact_zqueue_t zqueue, void *buffer, size_t size, tact_timeout_t timeout)
{
	NUC_CALL(struct receive_call, args, receive_run, NUC_TYPE_ZQUEUE, zqueue.id,
		 NUC_CALL_WAITS);

	if (!buffer && size)
		return -TACT_EFAULT;
	args.copies = true;
	/* Not NULL, also if empty: C allows no arithmetic on NULL. */
	args.buffer = buffer ? buffer : &args;
	args.size = size;
	return nuc_call_timeout(&args.call, timeout);
}
