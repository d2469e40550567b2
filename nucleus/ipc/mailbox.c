/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The public calls of mailboxes, over ipc/messages.h: messages of one word. */
#include <tactus/mailbox.h>

#include "ipc/messages.h"
#include "object/object.h"

_Static_assert(TACT_MAILBOX_NORMAL == NUC_MESSAGES_NORMAL &&
		       TACT_MAILBOX_URGENT == NUC_MESSAGES_URGENT,
	       "the public names are the nucleus's");

int tact_mailbox_create(const char *name, uint32_t slots, uint32_t flags, tact_mailbox_t *mailbox)
{
	NUC_CALL(struct nuc_messages_create_call, args, nuc_mailbox_create_run, NUC_TYPE_CPU, 0,
		 NUC_CALL_TASKS);

	if (!slots || slots > TACT_MAILBOX_SLOTS_MAX)
		return -TACT_EINVAL;
	args.message_bytes = sizeof(uint64_t);
	args.depth = slots;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO, NUC_ID_OF(mailbox));
}

int tact_mailbox_delete(tact_mailbox_t mailbox)
{
	return nuc_delete(mailbox.id, NUC_TYPE_MAILBOX);
}

int tact_mailbox_post(tact_mailbox_t mailbox, uint64_t value, uint32_t how, tact_timeout_t timeout)
{
	return nuc_messages_send(NUC_TYPE_MAILBOX, mailbox.id, &value, sizeof(value), how, timeout);
}

int tact_mailbox_pend(tact_mailbox_t mailbox, uint64_t *value, tact_timeout_t timeout)
{
	uint64_t received;
	int result = nuc_messages_receive(NUC_TYPE_MAILBOX, mailbox.id, &received, sizeof(received),
					  NULL, timeout);

	if (result < 0)
		return result;
	if (value)
		*value = received;
	return 0;
}

int tact_mailbox_broadcast(tact_mailbox_t mailbox, uint64_t value)
{
	return nuc_messages_broadcast(NUC_TYPE_MAILBOX, mailbox.id, &value, sizeof(value));
}

int tact_mailbox_flush(tact_mailbox_t mailbox)
{
	return nuc_messages_flush(NUC_TYPE_MAILBOX, mailbox.id, false);
}

int tact_mailbox_reset(tact_mailbox_t mailbox)
{
	return nuc_messages_flush(NUC_TYPE_MAILBOX, mailbox.id, true);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_messages *messages =
		base_container_of(object, struct nuc_messages, object);
	struct tact_mailbox_info *info = result;

	(void)cpu;
	info->slots = messages->store.depth;
	info->values = messages->store.count;
	info->pending = messages->receivers.count;
	info->posting = messages->senders.count;
}

int tact_mailbox_inquire(tact_mailbox_t mailbox, struct tact_mailbox_info *info)
{
	return nuc_inquire(mailbox.id, NUC_TYPE_MAILBOX, info, sizeof(*info), fill_info);
}
