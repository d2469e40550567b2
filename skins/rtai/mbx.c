/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mailboxes: a stream of bytes in which a message of any size stays together. Senders take turns by
 * one semaphore and receivers by another one, because a message that is longer than the mailbox is
 * moved in pieces.
 */
#include "rtai_mbx_internal.h"

struct plan {
	int size;
	int type;
};

static void free_gates(struct runtime_record *record)
{
	struct rtai_mbx *mbx = runtime_extra(record);

	(void)tact_sem_delete(mbx->sending);
	(void)tact_sem_delete(mbx->receiving);
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct plan *plan = how;
	struct rtai_mbx *mbx = runtime_extra(record);
	const uint32_t order = plan->type & FIFO_Q ? TACT_FIFO : TACT_PRIO;
	tact_buffer_t made = {0};
	int error = tact_sem_create(NULL, 1, 1, order, &mbx->sending);

	if (!error)
		error = tact_sem_create(NULL, 1, 1, order, &mbx->receiving);
	if (!error)
		error = tact_buffer_create(key, (uint32_t)plan->size, order, &made);
	record->give_back = free_gates;
	*native = tact_object(made);
	return error;
}

static bool valid(const struct plan *plan)
{
	const int type = plan->type & ~FIFO_Q;

	return plan->size > 0 && (type == PRIO_Q || type == RES_Q);
}

MBX *rt_typed_mbx_init(unsigned long name, int size, int qtype)
{
	const struct plan plan = {size, qtype};

	return valid(&plan) ? rtai_create(RTAI_MBX, name, make, &plan) : NULL;
}

MBX *rt_mbx_init(unsigned long name, int size)
{
	return rt_typed_mbx_init(name, size, FIFO_Q);
}

MBX *rt_typed_named_mbx_init(const char *name, int size, int type)
{
	const struct plan plan = {size, type};

	return valid(&plan) ? rtai_create_shared(RTAI_MBX, nam2num(name), make, &plan) : NULL;
}

MBX *rt_named_mbx_init(const char *mbx_name, int size)
{
	return rt_typed_named_mbx_init(mbx_name, size, FIFO_Q);
}

static int erase(void *pointer)
{
	struct runtime_record *record = rtai_take(pointer, RTAI_MBX);
	struct rtai_mbx *mbx;

	if (!record)
		return -EFAULT;
	mbx = runtime_extra(record);
	(void)tact_sem_delete(mbx->sending);
	(void)tact_sem_delete(mbx->receiving);
	(void)tact_delete(runtime_native(record));
	rtai_changed();
	runtime_drop(record);
	return 1;
}

int rt_mbx_delete(MBX *mbx)
{
	return erase(mbx);
}

int rt_named_mbx_delete(MBX *mbx)
{
	return rtai_release_shared(mbx, RTAI_MBX, erase);
}

/* One transfer at a mailbox. */
struct transfer {
	MBX *mbx;
	char *msg;
	int size; /* what is left */
	bool send;
	bool whole; /* all or nothing */
};

/* Returns 0, or RTE_OBJINV, -EFAULT. */
static int check(const struct transfer *transfer, struct runtime_record **record)
{
	*record = rtai_find(transfer->mbx, RTAI_MBX);
	if (!*record)
		return RTE_OBJINV;
	return transfer->size < 0 || (!transfer->msg && transfer->size) ? -EFAULT : 0;
}

static tact_sem_t gate_of(struct runtime_record *record, bool send)
{
	const struct rtai_mbx *mbx = runtime_extra(record);

	return send ? mbx->sending : mbx->receiving;
}

static int move(struct runtime_record *record, struct transfer *transfer, tact_timeout_t timeout)
{
	const tact_buffer_t buffer = rtai_native_buffer(record);
	const uint32_t how = transfer->whole ? TACT_BUFFER_WHOLE : TACT_BUFFER_PARTIAL;
	const size_t size = (size_t)transfer->size;
	int moved = transfer->send ? tact_buffer_write(buffer, transfer->msg, size, how, timeout)
				   : tact_buffer_read(buffer, transfer->msg, size, how, timeout);

	if (moved > 0) {
		transfer->msg += moved;
		transfer->size -= moved;
		rtai_changed();
	}
	return moved < 0 ? moved : 0;
}

/* All of it, piece by piece. The deadline is that of the whole message. */
static int move_all(struct runtime_record *record, struct transfer *transfer,
		    tact_timeout_t timeout)
{
	int error = 0;

	while (transfer->size && !error)
		error = move(record, transfer, timeout);
	return error;
}

static int transfer(struct transfer order, tact_timeout_t timeout)
{
	struct runtime_record *record;
	struct runtime_record *self;
	const bool timed = timeout.kind != TACT_TIMEOUT_FOREVER;
	tact_sem_t gate;
	int error = check(&order, &record);

	if (error)
		return error;
	timeout = rtai_as_caller(timeout);
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	gate = gate_of(record, order.send);
	self = rtai_waits(RT_SCHED_MBXSUSP | (timed ? RT_SCHED_DELAYED : 0));
	error = tact_sem_wait(gate, timeout);
	if (!error) {
		error = move_all(record, &order, timeout);
		(void)tact_sem_post(gate);
	}
	rtai_waited(self);
	return error == -TACT_EAGAIN ? RTE_PERM : rtai_result(error);
}

/* Returns the number of bytes that were not moved, or an error. */
static int transfer_now(struct transfer order)
{
	struct runtime_record *record;
	int error = check(&order, &record);

	if (error)
		return error;
	if (tact_sem_wait(gate_of(record, order.send), TACT_NOWAIT))
		return order.size;
	if (order.size)
		(void)move(record, &order, TACT_NOWAIT);
	(void)tact_sem_post(gate_of(record, order.send));
	return order.size;
}

static int send_all(MBX *mbx, void *msg, int size, tact_timeout_t timeout)
{
	return transfer((struct transfer){mbx, msg, size, .send = true}, timeout);
}

static int receive_all(MBX *mbx, void *msg, int size, tact_timeout_t timeout)
{
	return transfer((struct transfer){.mbx = mbx, .msg = msg, .size = size}, timeout);
}

RTAI_TIMED(int, rt_mbx_send, send_all, (mbx, msg, msg_size), MBX *mbx, void *msg, int msg_size)
RTAI_TIMED(int, rt_mbx_receive, receive_all, (mbx, msg, msg_size), MBX *mbx, void *msg,
	   int msg_size)

int rt_mbx_send_wp(MBX *mbx, void *msg, int msg_size)
{
	return transfer_now((struct transfer){mbx, msg, msg_size, .send = true});
}

int rt_mbx_send_if(MBX *mbx, void *msg, int msg_size)
{
	return transfer_now((struct transfer){mbx, msg, msg_size, .send = true, .whole = true});
}

int rt_mbx_receive_wp(MBX *mbx, void *msg, int msg_size)
{
	return transfer_now((struct transfer){.mbx = mbx, .msg = msg, .size = msg_size});
}

int rt_mbx_receive_if(MBX *mbx, void *msg, int msg_size)
{
	return transfer_now((struct transfer){mbx, msg, msg_size, .whole = true});
}

int rtai_overwrite(tact_buffer_t buffer, const char *data, int size)
{
	struct tact_buffer_info info = {0};
	int error = tact_buffer_inquire(buffer, &info);

	if (error)
		return error;
	if ((uint32_t)size > info.bytes) {
		data += size - (int)info.bytes;
		size = (int)info.bytes;
	}
	return tact_buffer_write(buffer, data, (size_t)size, TACT_BUFFER_OVERWRITE, TACT_NOWAIT);
}

int rtai_peek(tact_buffer_t buffer, void *data, int size)
{
	int error = tact_buffer_read(buffer, data, (size_t)size, TACT_BUFFER_PEEK, TACT_NOWAIT);

	return error == -TACT_EAGAIN ? 0 : error;
}

int rt_mbx_ovrwr_send(MBX *mbx, void *msg, int msg_size)
{
	struct transfer order = {mbx, msg, msg_size, .send = true};
	struct runtime_record *record;
	int error = check(&order, &record);

	if (error)
		return error;
	if (tact_sem_wait(gate_of(record, true), TACT_NOWAIT))
		return msg_size;
	error = msg_size ? rtai_overwrite(rtai_native_buffer(record), msg, msg_size) : 0;
	(void)tact_sem_post(gate_of(record, true));
	rtai_changed();
	return error < 0 ? rtai_result_now(error) : 0;
}

int rt_mbx_evdrp(MBX *mbx, void *msg, int msg_size)
{
	struct transfer order = {.mbx = mbx, .msg = msg, .size = msg_size};
	struct runtime_record *record;
	int error = check(&order, &record);

	if (error || !msg_size)
		return error;
	error = rtai_peek(rtai_native_buffer(record), msg, msg_size);
	return error < 0 ? rtai_result_now(error) : msg_size - error;
}
