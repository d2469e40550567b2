/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mailboxes: a list of messages, and a native mailbox at which receivers wait. A message goes to a
 * receiver that waits, or on the list. While receivers wait the list is empty.
 */
#include "core.h"

int itron_mailbox_make(struct itron_object *object, const char *key, const void *how,
		       tact_object_t *native)
{
	tact_mailbox_t made = {0};
	int error = tact_mailbox_create(key, 1, itron_order(object->attributes), &made);

	(void)how;
	*native = tact_object(made);
	return error;
}

ER del_mbx(ID mbxid)
{
	return itron_delete(ITRON_MAILBOX, mbxid);
}

/* Behind the messages that are there or, with TA_MPRI, before those of a lower priority. */
static void insert(struct itron_object *box, struct itron_node *node)
{
	struct itron_node **place = &box->mailbox.first;

	while (*place && (!(box->attributes & TA_MPRI) ||
			  itron_node_priority(*place) <= itron_node_priority(node)))
		place = &(*place)->next;
	node->next = *place;
	*place = node;
}

ER itron_mailbox_send(struct itron_object *box, struct itron_node *node)
{
	struct tact_mailbox_info info = {.size = sizeof(info)};
	struct itron_key key = itron_lock();
	int error = tact_mailbox_inquire(itron_mailbox(box), &info);

	if (!error && info.pending)
		error = tact_mailbox_post(itron_mailbox(box), (uintptr_t)itron_node_take(box, node),
					  TACT_MAILBOX_NORMAL, TACT_NOWAIT);
	else if (!error)
		insert(box, node);
	itron_unlock(key);
	return itron_result(error);
}

ER itron_mailbox_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct itron_object *box;
	struct itron_key key;
	ER code = itron_inquire(packet, ITRON_MAILBOX, id, state, &box);

	if (code)
		return code;
	state->waiter = itron_first_waiter(TTW_MBX, id, box->attributes);
	key = itron_lock();
	if (box->mailbox.first)
		state->message = itron_node_message(box->mailbox.first);
	itron_unlock(key);
	return E_OK;
}

ER itron_mailbox_receive(ID id, TMO tmout, void **message)
{
	tact_timeout_t timeout;
	struct itron_object *box;
	struct itron_node *first;
	struct itron_key key;
	uint64_t value = 0;
	ER code = itron_find(ITRON_MAILBOX, id, &box);
	int error = 0;

	if (!code)
		code = itron_wait(tmout, TTW_MBX, id, &timeout);
	if (code)
		return code;
	key = itron_lock();
	first = box->mailbox.first;
	if (first) {
		box->mailbox.first = first->next;
		value = (uintptr_t)itron_node_take(box, first);
	} else {
		error = tact_mailbox_pend(itron_mailbox(box), &value, timeout);
	}
	itron_unlock(key);
	if (!error)
		*message = (void *)(uintptr_t)value;
	return itron_waited(error, tmout);
}
