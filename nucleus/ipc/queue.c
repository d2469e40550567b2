/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The public calls of message queues, over ipc/messages.h. */
#include <tactus/queue.h>

#include "ipc/messages.h"
#include "object/object.h"

_Static_assert(TACT_QUEUE_NORMAL == NUC_MESSAGES_NORMAL &&
		       TACT_QUEUE_URGENT == NUC_MESSAGES_URGENT &&
		       TACT_QUEUE_SORTED == NUC_MESSAGES_SORTED &&
		       TACT_QUEUE_CUT == NUC_MESSAGES_CUT,
	       "the public names are the nucleus's");

int tact_queue_create(const char *name, uint32_t message_bytes, uint32_t depth, uint32_t flags,
		      tact_queue_t *queue)
{
	NUC_CALL(struct nuc_messages_create_call, args, nuc_queue_create_run, NUC_TYPE_CPU, 0,
		 NUC_CALL_TASKS);

	if (!message_bytes ||
	    nuc_message_store_bytes(message_bytes, depth ? depth : 1) > TACT_QUEUE_BYTES_MAX)
		return -TACT_EINVAL;
	args.message_bytes = message_bytes;
	args.depth = depth;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO | TACT_QUEUE_SORTED | TACT_QUEUE_CUT,
			  NUC_ID_OF(queue));
}

int tact_queue_delete(tact_queue_t queue)
{
	return nuc_delete(queue.id, NUC_TYPE_QUEUE);
}

int tact_queue_send(tact_queue_t queue, const void *message, size_t bytes, uint32_t priority,
		    tact_timeout_t timeout)
{
	return nuc_messages_send(NUC_TYPE_QUEUE, queue.id, message, bytes, priority, timeout);
}

int tact_queue_receive(tact_queue_t queue, void *buffer, size_t size, uint32_t *priority,
		       tact_timeout_t timeout)
{
	return nuc_messages_receive(NUC_TYPE_QUEUE, queue.id, buffer, size, priority, timeout);
}

int tact_queue_broadcast(tact_queue_t queue, const void *message, size_t bytes)
{
	return nuc_messages_broadcast(NUC_TYPE_QUEUE, queue.id, message, bytes);
}

int tact_queue_flush(tact_queue_t queue)
{
	return nuc_messages_flush(NUC_TYPE_QUEUE, queue.id, false);
}

int tact_queue_reset(tact_queue_t queue)
{
	return nuc_messages_flush(NUC_TYPE_QUEUE, queue.id, true);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_messages *messages =
		base_container_of(object, struct nuc_messages, object);
	const struct nuc_stored *first = nuc_message_store_first(&messages->store);
	struct tact_queue_info *info = result;

	(void)cpu;
	info->message_bytes = messages->store.message_bytes;
	info->depth = messages->store.depth;
	info->messages = messages->store.count;
	info->receivers = messages->receivers.count;
	info->senders = messages->senders.count;
	info->first_bytes = first ? first->bytes : 0;
}

int tact_queue_inquire(tact_queue_t queue, struct tact_queue_info *info)
{
	return nuc_inquire_grown(queue.id, NUC_TYPE_QUEUE, info,
				 offsetof(struct tact_queue_info, first_bytes), sizeof(*info),
				 fill_info);
}
