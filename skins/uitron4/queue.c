/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Data queues and mailboxes of µITRON 4.0. */
#include "uitron4.h"

/* A stream of data or, without memory, a native queue that passes them on. */
static int make_data(struct itron_object *object, const char *key, const void *how,
		     tact_object_t *native)
{
	const UINT *count = how;
	tact_queue_t queue = {0};
	tact_buffer_t buffer = {0};
	int error;

	object->buffer.direct = !*count;
	if (object->buffer.direct) {
		error = tact_queue_create(key, sizeof(VP_INT), 0, itron_order(object->attributes),
					  &queue);
		*native = tact_object(queue);
		return error;
	}
	error = tact_buffer_create(key, *count * (uint32_t)sizeof(VP_INT),
				   itron_order(object->attributes), &buffer);
	*native = tact_object(buffer);
	return error;
}

static ER create_dtq(ID id, const T_CDTQ *packet)
{
	if (itron_bad(packet) || packet->dtqcnt > TACT_BUFFER_BYTES_MAX / sizeof(VP_INT))
		return E_PAR;
	if (packet->dtqatr & ~TA_TPRI)
		return E_RSATR;
	return itron_create(&(struct itron_making){.type = ITRON_DATA,
						   .id = id,
						   .attributes = packet->dtqatr,
						   .make = make_data,
						   .how = &packet->dtqcnt});
}

ER cre_dtq(ID dtqid, const T_CDTQ *pk_cdtq)
{
	return dtqid <= 0 ? E_ID : uitron4_ok(create_dtq(dtqid, pk_cdtq));
}

ER_ID acre_dtq(const T_CDTQ *pk_cdtq)
{
	return create_dtq(0, pk_cdtq);
}

ER del_dtq(ID dtqid)
{
	return itron_delete(ITRON_DATA, dtqid);
}

ER tsnd_dtq(ID dtqid, VP_INT data, TMO tmout)
{
	struct itron_object *queue;
	tact_timeout_t timeout;
	ER code = itron_find(ITRON_DATA, dtqid, &queue);

	if (!code)
		code = itron_wait(tmout, TTW_SDTQ, dtqid, &timeout);
	if (code)
		return code;
	return itron_waited_done(itron_stream_send(queue, &data, sizeof(data), timeout), tmout);
}

ER snd_dtq(ID dtqid, VP_INT data)
{
	return tsnd_dtq(dtqid, data, TMO_FEVR);
}

ER psnd_dtq(ID dtqid, VP_INT data)
{
	return tsnd_dtq(dtqid, data, TMO_POL);
}

ER ipsnd_dtq(ID dtqid, VP_INT data)
{
	return tsnd_dtq(dtqid, data, TMO_POL);
}

ER fsnd_dtq(ID dtqid, VP_INT data)
{
	struct itron_object *queue;
	ER code = itron_find(ITRON_DATA, dtqid, &queue);

	if (code)
		return code;
	if (queue->buffer.direct)
		return E_ILUSE;
	return itron_done(tact_buffer_write(itron_buffer(queue), &data, sizeof(data),
					    TACT_BUFFER_OVERWRITE, TACT_NOWAIT));
}

ER ifsnd_dtq(ID dtqid, VP_INT data)
{
	return fsnd_dtq(dtqid, data);
}

ER trcv_dtq(ID dtqid, VP_INT *p_data, TMO tmout)
{
	struct itron_object *queue;
	tact_timeout_t timeout;
	ER code;

	if (itron_bad(p_data))
		return E_PAR;
	code = itron_find(ITRON_DATA, dtqid, &queue);
	if (!code)
		code = itron_wait(tmout, TTW_RDTQ, dtqid, &timeout);
	if (code)
		return code;
	return itron_waited_done(itron_stream_receive(queue, p_data, sizeof(*p_data), timeout),
				 tmout);
}

ER rcv_dtq(ID dtqid, VP_INT *p_data)
{
	return trcv_dtq(dtqid, p_data, TMO_FEVR);
}

ER prcv_dtq(ID dtqid, VP_INT *p_data)
{
	return trcv_dtq(dtqid, p_data, TMO_POL);
}

ER ref_dtq(ID dtqid, T_RDTQ *pk_rdtq)
{
	struct tact_buffer_info info = {.size = sizeof(info)};
	struct itron_object *queue;
	ER code;

	if (itron_bad(pk_rdtq))
		return E_PAR;
	code = itron_find(ITRON_DATA, dtqid, &queue);
	if (!code && !queue->buffer.direct)
		code = itron_result(tact_buffer_inquire(itron_buffer(queue), &info));
	if (code)
		return code;
	pk_rdtq->stskid = itron_first_waiter(TTW_SDTQ, dtqid, queue->attributes);
	pk_rdtq->rtskid = itron_first_waiter(TTW_RDTQ, dtqid, queue->attributes);
	pk_rdtq->sdtqcnt = info.used / (UINT)sizeof(VP_INT);
	return E_OK;
}

static int make_box(struct itron_object *object, const char *key, const void *how,
		    tact_object_t *native)
{
	object->mailbox.more.lowest = *(const PRI *)how;
	return itron_mailbox_make(object, key, NULL, native);
}

static ER create_mbx(ID id, const T_CMBX *packet)
{
	if (itron_bad(packet))
		return E_PAR;
	if (packet->mbxatr & ~(TA_TPRI | TA_MPRI))
		return E_RSATR;
	if (packet->mbxatr & TA_MPRI &&
	    (packet->maxmpri < TMIN_MPRI || packet->maxmpri > TMAX_MPRI))
		return E_PAR;
	return itron_create(&(struct itron_making){.type = ITRON_MAILBOX,
						   .id = id,
						   .attributes = packet->mbxatr,
						   .make = make_box,
						   .how = &packet->maxmpri});
}

ER cre_mbx(ID mbxid, const T_CMBX *pk_cmbx)
{
	return mbxid <= 0 ? E_ID : uitron4_ok(create_mbx(mbxid, pk_cmbx));
}

ER_ID acre_mbx(const T_CMBX *pk_cmbx)
{
	return create_mbx(0, pk_cmbx);
}

void *itron_node_take(struct itron_object *box, struct itron_node *node)
{
	(void)box;
	return node;
}

ER snd_mbx(ID mbxid, T_MSG *pk_msg)
{
	struct itron_node *node = (struct itron_node *)pk_msg;
	struct itron_object *box;
	ER code;

	if (itron_bad(pk_msg))
		return E_PAR;
	code = itron_find(ITRON_MAILBOX, mbxid, &box);
	if (code)
		return code;
	if (box->attributes & TA_MPRI && (itron_node_priority(node) < TMIN_MPRI ||
					  itron_node_priority(node) > box->mailbox.more.lowest))
		return E_PAR;
	return itron_mailbox_send(box, node);
}

ER trcv_mbx(ID mbxid, T_MSG **ppk_msg, TMO tmout)
{
	void *message;
	ER code = itron_bad(ppk_msg) ? E_PAR : itron_mailbox_receive(mbxid, tmout, &message);

	if (!code)
		*ppk_msg = message;
	return code;
}

ER rcv_mbx(ID mbxid, T_MSG **ppk_msg)
{
	return trcv_mbx(mbxid, ppk_msg, TMO_FEVR);
}

ER prcv_mbx(ID mbxid, T_MSG **ppk_msg)
{
	return trcv_mbx(mbxid, ppk_msg, TMO_POL);
}

ER ref_mbx(ID mbxid, T_RMBX *pk_rmbx)
{
	struct itron_state state;
	ER code = itron_mailbox_inquire(pk_rmbx, mbxid, &state);

	if (!code)
		*pk_rmbx = (T_RMBX){state.waiter, state.message};
	return code;
}
