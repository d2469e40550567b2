/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of bounded size and number: sending, receiving and waiting. Invariants: a receiver waits
 * only while there is neither a message nor a sender; a sender waits only while all slots are
 * taken. So a message is copied once, directly into the memory of a waiting receiver, and a slot
 * that becomes free gets the message of the first waiting sender.
 */
#include "ipc/messages.h"

#include "base/string.h"
#include "ipc/payload.h"
#include "kernel/object_memory.h"
#include "object/registry.h"

struct send_call {
	struct nuc_payload_call payload;
	uint32_t priority;
};

struct receive_call {
	struct nuc_call call;
	void *buffer;
	uint32_t size;
	uint32_t priority;
};

struct flush_call {
	struct nuc_call call;
	bool breaks;
};

static struct nuc_messages *messages_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_messages, object);
}

static struct send_call *send_of(struct nuc_call *call)
{
	return base_container_of(call, struct send_call, payload.call);
}

static struct receive_call *receive_of(struct nuc_call *call)
{
	return base_container_of(call, struct receive_call, call);
}

static int create(struct nuc_cpu *cpu, struct nuc_call *call, enum nuc_type type)
{
	const struct nuc_messages_create_call *args =
		base_container_of(call, struct nuc_messages_create_call, call);
	struct nuc_messages *messages;
	struct nuc_object *object;
	void *memory = NULL;
	int error;

	object = nuc_object_new(cpu, type, sizeof(*messages), &error);
	if (!object)
		return error;
	messages = messages_of(object);
	if (args->depth) {
		memory = nuc_pool_get_raw(
			cpu, nuc_message_store_bytes(args->message_bytes, args->depth));
		if (!memory) {
			nuc_object_drop(cpu, object);
			return -TACT_ENOMEM;
		}
	}
	nuc_waitq_init(&messages->receivers, object, args->flags);
	nuc_waitq_init(&messages->senders, object, args->flags);
	nuc_message_store_init(&messages->store, memory, args->message_bytes, args->depth);
	messages->flags = args->flags;
	call->handle = object->handle;
	return 0;
}

int nuc_queue_create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	return create(cpu, call, NUC_TYPE_QUEUE);
}

int nuc_mailbox_create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	return create(cpu, call, NUC_TYPE_MAILBOX);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_messages *messages = messages_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &messages->receivers, -TACT_EIDRM);
	(void)nuc_wake_all(cpu, &messages->senders, -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct nuc_messages *messages = messages_of(object);

	if (messages->store.memory)
		nuc_pool_put(cpu, messages->store.memory);
	nuc_pool_put(cpu, messages);
}

/* Copy a message into a receiver's memory. Returns the result of the receiver's call. */
static int give(struct receive_call *receiver, const void *data, uint32_t bytes, uint32_t priority)
{
	/* The size was checked when the receiver came: a smaller one is possible with
	 * NUC_MESSAGES_CUT only. */
	if (receiver->buffer) {
		if (bytes > receiver->size)
			bytes = receiver->size;
		base_copy(receiver->buffer, data, bytes);
	}
	receiver->priority = priority;
	return (int)bytes;
}

static void store(struct nuc_messages *messages, const struct send_call *args)
{
	nuc_message_store_put(&messages->store, args->payload.data, args->payload.bytes,
			      args->priority);
}

static int send_check(const struct nuc_messages *messages, const struct send_call *args)
{
	if (args->payload.bytes > messages->store.message_bytes)
		return -TACT_EMSGSIZE;
	if (args->priority != NUC_MESSAGES_NORMAL && args->priority != NUC_MESSAGES_URGENT &&
	    !(messages->flags & NUC_MESSAGES_SORTED))
		return -TACT_EINVAL;
	return 0;
}

static int send_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_messages *messages = messages_of(object);
	struct send_call *args = send_of(call);
	struct nuc_call *receiver;
	int error = send_check(messages, args);

	if (error)
		return error;
	receiver = nuc_waitq_choose(&messages->receivers);
	if (receiver) {
		nuc_wake(cpu, receiver,
			 give(receive_of(receiver), args->payload.data, args->payload.bytes,
			      args->priority));
		return 0;
	}
	if (!nuc_message_store_full(&messages->store)) {
		store(messages, args);
		return 0;
	}
	return nuc_wait(cpu, call, &messages->senders);
}

int nuc_messages_send(enum nuc_type type, uint32_t handle, const void *data, size_t bytes,
		      uint32_t priority, tact_timeout_t timeout)
{
	struct send_call args;
	int error = nuc_payload_set(&args.payload, data, bytes);

	if (error)
		return error;
	nuc_call_init(&args.payload.call, send_run, type, handle,
		      NUC_CALL_WAITS | NUC_CALL_CAST | NUC_CALL_PAYLOAD, sizeof(args));
	args.priority = priority;
	return nuc_call_timeout(&args.payload.call, timeout);
}

/* There is room: store the messages of waiting senders. */
static void refill(struct nuc_cpu *cpu, struct nuc_messages *messages)
{
	struct nuc_over over;
	struct nuc_call *sender;

	if (!messages->senders.count)
		return;
	nuc_over_init(&over, messages->refills++);
	while (!nuc_message_store_full(&messages->store) &&
	       (sender = nuc_waitq_first(&messages->senders))) {
		store(messages, send_of(sender));
		nuc_wait_over(sender, &over);
	}
	nuc_wake_over(cpu, &messages->senders, &over, 0);
}

static int receive_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_messages *messages = messages_of(object);
	struct receive_call *args = receive_of(call);
	const struct nuc_stored *message;
	struct nuc_call *sender;
	int result;

	if (args->buffer && args->size < messages->store.message_bytes &&
	    !(messages->flags & NUC_MESSAGES_CUT))
		return -TACT_EMSGSIZE;
	message = nuc_message_store_take(&messages->store);
	if (message) {
		result = give(args, message->data, message->bytes, message->priority);
		refill(cpu, messages);
		return result;
	}
	/* Without slots a message goes from the sender directly to the receiver. */
	sender = nuc_waitq_first(&messages->senders);
	if (!sender)
		return nuc_wait(cpu, call, &messages->receivers);
	result = give(args, send_of(sender)->payload.data, send_of(sender)->payload.bytes,
		      send_of(sender)->priority);
	nuc_wake(cpu, sender, 0);
	return result;
}

/* The first message, if there is one. */
static int choose(struct nuc_cpu *cpu, struct nuc_object *object, struct receive_call *args)
{
	const struct nuc_messages *messages = messages_of(object);

	/* Also if the receive is refused: the error ends the choice. */
	if ((messages->store.count || messages->senders.count) &&
	    !nuc_alternative_claim(&args->call))
		return NUC_LOST;
	return receive_run(cpu, object, &args->call);
}

static int choose_message(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
			  const struct tact_wait_item *item)
{
	struct receive_call *args = receive_of(call);

	if (item->bits || item->how)
		return -TACT_EINVAL;
	args->buffer = item->buffer;
	args->size = item->size > UINT32_MAX ? UINT32_MAX : (uint32_t)item->size;
	return choose(cpu, object, args);
}

static uint64_t chosen_priority(const struct nuc_call *call)
{
	return base_container_of(call, const struct receive_call, call)->priority;
}

static const struct nuc_choice_ops queue_choice_ops = {
	.take = choose_message,
	.value = chosen_priority,
};

/* The value of a mailbox. */
struct value_call {
	struct receive_call receive;
	uint64_t value;
};

static int choose_value(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
			const struct tact_wait_item *item)
{
	struct value_call *args = base_container_of(call, struct value_call, receive.call);

	if (item->bits || item->how || item->buffer || item->size)
		return -TACT_EINVAL;
	args->receive.buffer = &args->value;
	args->receive.size = sizeof(args->value);
	return choose(cpu, object, &args->receive);
}

static uint64_t chosen_value(const struct nuc_call *call)
{
	return base_container_of(call, const struct value_call, receive.call)->value;
}

_Static_assert(sizeof(struct value_call) <= NUC_ALTERNATIVE_BYTES, "room for the record");

static const struct nuc_choice_ops mailbox_choice_ops = {
	.take = choose_value,
	.value = chosen_value,
	.returns_0 = true,
};

const struct nuc_type_ops nuc_queue_type = {
	.name = "message queue",
	.destroy = destroy,
	.release = release,
	.choice = &queue_choice_ops,
};

const struct nuc_type_ops nuc_mailbox_type = {
	.name = "mailbox",
	.destroy = destroy,
	.release = release,
	.choice = &mailbox_choice_ops,
};

int nuc_messages_receive(enum nuc_type type, uint32_t handle, void *buffer, size_t size,
			 uint32_t *priority, tact_timeout_t timeout)
{
	NUC_CALL(struct receive_call, args, receive_run, type, handle, NUC_CALL_WAITS);
	int result;

	args.buffer = buffer;
	args.size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	result = nuc_call_timeout(&args.call, timeout);
	if (result >= 0 && priority)
		*priority = args.priority;
	return result;
}

static int broadcast_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_messages *messages = messages_of(object);
	const struct send_call *args = send_of(call);
	/* Read once: a copy may change anything, as the compiler sees it. */
	const void *data = args->payload.data;
	const uint32_t bytes = args->payload.bytes, priority = args->priority;
	int error = send_check(messages, args);

	if (error)
		return error;
	/* All copies are made now, because the contents exist only during this call. */
	base_list_for_each(link, &messages->receivers.calls) {
		struct nuc_call *receiver = base_container_of(link, struct nuc_call, link);

		if (!nuc_may_serve(receiver))
			continue;
		receiver->result = give(receive_of(receiver), data, bytes, priority);
	}
	return (int)nuc_wake_all(cpu, &messages->receivers, NUC_OWN_RESULT);
}

int nuc_messages_broadcast(enum nuc_type type, uint32_t handle, const void *data, size_t bytes)
{
	struct send_call args;
	int error = nuc_payload_set(&args.payload, data, bytes);

	if (error)
		return error;
	nuc_call_init(&args.payload.call, broadcast_run, type, handle,
		      NUC_CALL_CAST | NUC_CALL_PAYLOAD, sizeof(args));
	args.priority = NUC_MESSAGES_NORMAL;
	return nuc_call(&args.payload.call);
}

static int flush_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_messages *messages = messages_of(object);
	uint32_t dropped = nuc_message_store_clear(&messages->store);

	if (base_container_of(call, struct flush_call, call)->breaks) {
		(void)nuc_wake_all(cpu, &messages->receivers, -TACT_ECANCELED);
		(void)nuc_wake_all(cpu, &messages->senders, -TACT_ECANCELED);
	}
	refill(cpu, messages);
	return (int)dropped;
}

int nuc_messages_flush(enum nuc_type type, uint32_t handle, bool breaks)
{
	NUC_CALL(struct flush_call, args, flush_run, type, handle, NUC_CALL_CAST);

	args.breaks = breaks;
	return nuc_call(&args.call);
}
