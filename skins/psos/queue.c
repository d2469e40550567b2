/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues of both kinds: of messages of four words, and of messages of variable length. */
#include "psos_internal.h"

#include "psos_errors.h"

#define MESSAGE_BYTES (4 * sizeof(unsigned long))

/* What follows the record of a queue. */
struct psos_queue {
	unsigned long bytes; /* of a message, or of the longest one */
	bool variable;
	bool limited; /* a queue that is full has reached its limit, not the end of the buffers */
};

static struct psos_queue *queue_of(struct runtime_record *record)
{
	return runtime_extra(record);
}

struct how {
	struct psos_queue queue;
	unsigned long depth;
	unsigned long flags;
};

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *wanted = how;
	const unsigned long bytes = wanted->queue.bytes;
	tact_queue_t made = {0};
	int error = -TACT_ENOMEM;

	*queue_of(record) = wanted->queue;
	if (wanted->depth <= UINT32_MAX && bytes <= UINT32_MAX)
		error = tact_queue_create(key, bytes ? (uint32_t)bytes : 1, (uint32_t)wanted->depth,
					  wanted->flags & Q_PRIOR ? TACT_PRIO : TACT_FIFO, &made);
	*native = tact_object(made);
	/* Larger than any queue of the nucleus: there is no memory for it. */
	return error == -TACT_EINVAL ? -TACT_ENOMEM : error;
}

static const struct psos_kind kind = {PSOS_QUEUE, make, psos_q_create_errors};

unsigned long q_create(const char *name, unsigned long count, unsigned long flags,
		       unsigned long *qid)
{
	const bool limited = flags & Q_LIMIT;
	const struct how how = {{MESSAGE_BYTES, false, limited},
				limited ? count : psos_configured()->kc_nmsgbuf,
				flags};
	unsigned long code = psos_begin();

	if (code || flags & ~(unsigned long)(Q_GLOBAL | Q_PRIOR | Q_LIMIT | Q_PRIBUF))
		return ERR_SSFN;
	return psos_create(&kind, name, &how, qid);
}

unsigned long q_vcreate(const char *name, unsigned long flags, unsigned long maxnum,
			unsigned long maxlen, unsigned long *qid)
{
	const struct how how = {{maxlen, true, true}, maxnum, flags};
	unsigned long code = psos_begin();

	/* Its number of messages is always limited, and its buffers are always its own. */
	if (code || flags & ~(unsigned long)(Q_GLOBAL | Q_PRIOR | Q_LIMIT | Q_PRIBUF))
		return ERR_SSFN;
	return psos_create(&kind, name, &how, qid);
}

/* The queue of an id, of the kind that the call is for. code: receives the code if there is none.
 */
static struct runtime_record *find(unsigned long qid, bool variable, unsigned long *code)
{
	struct runtime_record *record = psos_find(qid, PSOS_QUEUE);

	if (!record)
		*code = psos_id_error(qid);
	else if (queue_of(record)->variable != variable)
		*code = variable ? ERR_NOTVARQ : ERR_VARQ;
	else
		return record;
	return NULL;
}

static unsigned long delete_queue(unsigned long qid, bool variable)
{
	struct tact_queue_info info = {0};
	unsigned long code;
	struct runtime_record *record;

	if (runtime_in_handler())
		return ERR_SSFN;
	if (!find(qid, variable, &code))
		return code;
	record = psos_take(qid, PSOS_QUEUE);
	if (!record)
		return ERR_OBJDEL;
	(void)tact_queue_inquire(psos_queue(record), &info);
	psos_drop(record);
	if (info.receivers)
		return ERR_TATQDEL;
	return info.messages ? ERR_MATQDEL : 0;
}

unsigned long q_delete(unsigned long qid)
{
	return delete_queue(qid, false);
}

unsigned long q_vdelete(unsigned long qid)
{
	return delete_queue(qid, true);
}

unsigned long q_ident(const char *name, unsigned long node, unsigned long *qid)
{
	return psos_ident(PSOS_QUEUE, name, node, qid);
}

unsigned long q_vident(const char *name, unsigned long node, unsigned long *qid)
{
	return psos_ident(PSOS_QUEUE, name, node, qid);
}

/* Returns the code of the call; length: receives the length of the message. */
static unsigned long receive(struct runtime_record *record, unsigned long flags,
			     unsigned long timeout, void *buffer, unsigned long *length)
{
	struct psos_wait wait = psos_wait(flags, timeout);
	const unsigned long bytes = queue_of(record)->bytes;
	int result;

	if (flags & ~(unsigned long)Q_NOWAIT)
		return ERR_SSFN;
	do
		result = tact_queue_receive(psos_queue(record), buffer, bytes ? bytes : 1, NULL,
					    wait.timeout);
	while (psos_again(result, &wait));
	if (result >= 0)
		psos_give(length, (unsigned long)result);
	return psos_waited(psos_q_receive_errors, result, wait);
}

unsigned long q_receive(unsigned long qid, unsigned long flags, unsigned long timeout,
			unsigned long msg_buf[])
{
	unsigned long code;
	struct runtime_record *record = find(qid, false, &code);

	return record ? receive(record, flags, timeout, msg_buf, NULL) : code;
}

unsigned long q_vreceive(unsigned long qid, unsigned long flags, unsigned long timeout,
			 void *msg_buf, unsigned long buf_len, unsigned long *msg_len)
{
	unsigned long code;
	struct runtime_record *record = find(qid, true, &code);
	/* What no buffer holds is not written: a message of a queue of empty ones. */
	char nothing;

	if (!record)
		return code;
	if (buf_len < queue_of(record)->bytes)
		return ERR_BUFSIZ;
	return receive(record, flags, timeout, buf_len ? msg_buf : &nothing, msg_len);
}

/* Send in front or behind. Returns the code of the call. */
static unsigned long send_message(unsigned long qid, bool variable, const void *message,
				  unsigned long bytes, uint32_t priority)
{
	unsigned long code;
	struct runtime_record *record = find(qid, variable, &code);
	int result;

	if (!record)
		return code;
	if (bytes > queue_of(record)->bytes)
		return ERR_MSGSIZ;
	result = tact_queue_send(psos_queue(record), message, bytes, priority, TACT_NOWAIT);
	if (result == -TACT_EAGAIN)
		return queue_of(record)->limited ? ERR_QFULL : ERR_NOMGB;
	return psos_result(psos_q_send_errors, result);
}

unsigned long q_send(unsigned long qid, unsigned long msg_buf[])
{
	return send_message(qid, false, msg_buf, MESSAGE_BYTES, TACT_QUEUE_NORMAL);
}

unsigned long q_urgent(unsigned long qid, unsigned long msg_buf[])
{
	return send_message(qid, false, msg_buf, MESSAGE_BYTES, TACT_QUEUE_URGENT);
}

unsigned long q_vsend(unsigned long qid, void *msg_buf, unsigned long msg_len)
{
	return send_message(qid, true, msg_buf, msg_len, TACT_QUEUE_NORMAL);
}

unsigned long q_vurgent(unsigned long qid, void *msg_buf, unsigned long msg_len)
{
	return send_message(qid, true, msg_buf, msg_len, TACT_QUEUE_URGENT);
}

static unsigned long broadcast(unsigned long qid, bool variable, const void *message,
			       unsigned long bytes, unsigned long *count)
{
	unsigned long code;
	struct runtime_record *record = find(qid, variable, &code);
	int result;

	if (!record)
		return code;
	if (bytes > queue_of(record)->bytes)
		return ERR_MSGSIZ;
	result = tact_queue_broadcast(psos_queue(record), message, bytes);
	if (result >= 0)
		psos_give(count, (unsigned long)result);
	return psos_result(psos_q_send_errors, result);
}

unsigned long q_broadcast(unsigned long qid, unsigned long msg_buf[], unsigned long *count)
{
	return broadcast(qid, false, msg_buf, MESSAGE_BYTES, count);
}

unsigned long q_vbroadcast(unsigned long qid, void *msg_buf, unsigned long msg_len,
			   unsigned long *count)
{
	return broadcast(qid, true, msg_buf, msg_len, count);
}

/* Only the kernel for several nodes has these. */
unsigned long q_asend(unsigned long qid, unsigned long msg_buf[])
{
	(void)qid;
	(void)msg_buf;
	return ERR_SSFN;
}

unsigned long q_aurgent(unsigned long qid, unsigned long msg_buf[])
{
	return q_asend(qid, msg_buf);
}

unsigned long q_avsend(unsigned long qid, void *msg_buf, unsigned long msg_len)
{
	(void)qid;
	(void)msg_buf;
	(void)msg_len;
	return ERR_SSFN;
}

unsigned long q_avurgent(unsigned long qid, void *msg_buf, unsigned long msg_len)
{
	return q_avsend(qid, msg_buf, msg_len);
}
