/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffers: reading, writing and waiting. Bytes move between the ring and the memory of the callers,
 * also of waiting ones. Invariants: writers and readers never wait at the same time; the bytes of
 * the first waiting writer do not fit; the ring does not have the bytes for the first waiting
 * reader; the other calls wait behind the first. So if another call becomes the first, it is served
 * if possible.
 */
#include <tactus/buffer.h>

#include "call/wait.h"
#include "ipc/buffer_ring.h"
#include "ipc/payload.h"
#include "object/object.h"

struct buffer {
	struct nuc_object object;
	struct nuc_waitq readers;
	struct nuc_waitq writers;
	uint64_t served; /* how often waiters were looked at */
	struct nuc_buffer_ring ring;
};

struct buffer_create_call {
	struct nuc_call call;
	uint32_t bytes;
	uint32_t flags;
};

struct write_call {
	struct nuc_payload_call payload;
	bool partial;
	bool overwrite;
};

struct read_call {
	struct nuc_call call;
	char *data;
	uint32_t bytes;
	bool partial;
	bool peek;
};

static struct buffer *buffer_of(struct nuc_object *object)
{
	return base_container_of(object, struct buffer, object);
}

static struct write_call *write_of(struct nuc_call *call)
{
	return base_container_of(call, struct write_call, payload.call);
}

static struct read_call *read_of(struct nuc_call *call)
{
	return base_container_of(call, struct read_call, call);
}

/* Returns the result of the read, or -TACT_EAGAIN if the ring does not have the bytes. */
static int read_now(struct buffer *buffer, const struct read_call *args, bool short_read)
{
	return nuc_buffer_ring_read(&buffer->ring, args->data, args->bytes,
				    args->partial || short_read);
}

/* Would read_now() give another result than -TACT_EAGAIN? */
static bool can_read(const struct buffer *buffer, const struct read_call *args, bool short_read)
{
	return nuc_buffer_ring_has(&buffer->ring, args->bytes, args->partial || short_read);
}

static int write_now(struct buffer *buffer, const struct write_call *args)
{
	return nuc_buffer_ring_write(&buffer->ring, args->payload.data, args->payload.bytes,
				     args->partial);
}

static void serve_readers(struct nuc_cpu *cpu, struct buffer *buffer, bool short_read)
{
	struct nuc_over over;
	struct nuc_call *reader;

	if (!buffer->readers.count)
		return;
	nuc_over_init(&over, buffer->served++);
	while ((reader = nuc_waitq_first_open(&buffer->readers)) &&
	       can_read(buffer, read_of(reader), short_read)) {
		if (!nuc_may_serve(reader))
			continue;
		reader->result = read_now(buffer, read_of(reader), short_read);
		nuc_wait_over(reader, &over);
	}
	nuc_wake_over(cpu, &buffer->readers, &over, NUC_OWN_RESULT);
}

static void serve_writers(struct nuc_cpu *cpu, struct buffer *buffer)
{
	struct nuc_over over;
	struct nuc_call *writer;

	if (!buffer->writers.count)
		return;
	nuc_over_init(&over, buffer->served++);
	while ((writer = nuc_waitq_first(&buffer->writers))) {
		writer->result = write_now(buffer, write_of(writer));
		if (writer->result == -TACT_EAGAIN)
			break;
		nuc_wait_over(writer, &over);
	}
	nuc_wake_over(cpu, &buffer->writers, &over, NUC_OWN_RESULT);
}

static void readers_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	(void)call;
	serve_readers(cpu, buffer_of(queue->object), false);
}

static void writers_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	(void)call;
	serve_writers(cpu, buffer_of(queue->object));
}

static const struct nuc_waitq_ops readers_ops = {.changed = readers_changed};
static const struct nuc_waitq_ops writers_ops = {.changed = writers_changed};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer_create_call *args = base_container_of(call, struct buffer_create_call, call);
	struct buffer *buffer;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_BUFFER, sizeof(*buffer), &error);
	if (!object)
		return error;
	buffer = buffer_of(object);
	buffer->ring.bytes = nuc_pool_get_raw(cpu, args->bytes);
	if (!buffer->ring.bytes) {
		nuc_object_drop(cpu, object);
		return -TACT_ENOMEM;
	}
	nuc_waitq_init(&buffer->readers, object, args->flags);
	nuc_waitq_init(&buffer->writers, object, args->flags);
	buffer->readers.ops = &readers_ops;
	buffer->writers.ops = &writers_ops;
	buffer->ring.size = args->bytes;
	buffer->ring.whole = args->flags & TACT_BUFFER_MESSAGES;
	call->handle = object->handle;
	return 0;
}

int tact_buffer_create(const char *name, uint32_t bytes, uint32_t flags, tact_buffer_t *buffer)
{
	NUC_CALL(struct buffer_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (!bytes || bytes > TACT_BUFFER_BYTES_MAX ||
	    (flags & TACT_BUFFER_MESSAGES && bytes <= TACT_BUFFER_MESSAGE_HEADER))
		return -TACT_EINVAL;
	args.bytes = bytes;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO | TACT_BUFFER_MESSAGES,
			  NUC_ID_OF(buffer));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);

	(void)call;
	(void)nuc_wake_all(cpu, &buffer->readers, -TACT_EIDRM);
	(void)nuc_wake_all(cpu, &buffer->writers, -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

static void release(struct nuc_cpu *cpu, struct nuc_object *object)
{
	struct buffer *buffer = buffer_of(object);

	if (buffer->ring.bytes)
		nuc_pool_put(cpu, buffer->ring.bytes);
	nuc_pool_put(cpu, buffer);
}

static int write_check(const struct buffer *buffer, const struct write_call *args)
{
	if (buffer->ring.whole) {
		if (args->partial)
			return -TACT_EINVAL;
		if (args->payload.bytes > buffer->ring.size - TACT_BUFFER_MESSAGE_HEADER)
			return -TACT_EMSGSIZE;
	} else if (!args->partial && args->payload.bytes > buffer->ring.size) {
		return -TACT_EMSGSIZE;
	}
	return 0;
}

/* Dropped messages may have been longer than the new one: then there is room for writers that
 * wait. */
static int overwrite(struct nuc_cpu *cpu, struct buffer *buffer, const struct write_call *args)
{
	bool dropped = nuc_buffer_ring_make_room(&buffer->ring, args->payload.bytes);
	int result = write_now(buffer, args);

	serve_readers(cpu, buffer, false);
	if (dropped)
		serve_writers(cpu, buffer);
	return result;
}

static int write_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);
	struct write_call *args = write_of(call);
	int result = write_check(buffer, args);

	if (result)
		return result;
	if (!buffer->ring.whole && !args->payload.bytes)
		return 0;
	if (args->overwrite)
		return overwrite(cpu, buffer, args);
	if (!nuc_waitq_leads(&buffer->writers, call))
		return nuc_wait(cpu, call, &buffer->writers);
	result = write_now(buffer, args);
	if (result == -TACT_EAGAIN && buffer->readers.count) {
		/* The readers wait for more than the ring has, and the writer for room: the readers
		 * get what there is. */
		serve_readers(cpu, buffer, true);
		result = write_now(buffer, args);
	}
	if (result == -TACT_EAGAIN)
		return nuc_wait(cpu, call, &buffer->writers);
	serve_readers(cpu, buffer, false);
	return result;
}

int tact_buffer_write(tact_buffer_t buffer, const void *data, size_t bytes, uint32_t how,
		      tact_timeout_t timeout)
{
	struct write_call args;
	int error;

	if (how & ~(TACT_BUFFER_PARTIAL | TACT_BUFFER_OVERWRITE) ||
	    (how & TACT_BUFFER_OVERWRITE &&
	     (how & TACT_BUFFER_PARTIAL || timeout.kind != TACT_TIMEOUT_NOWAIT)))
		return -TACT_EINVAL;
	/* Bytes that cannot fit are not needed. */
	if (how & TACT_BUFFER_PARTIAL && bytes > TACT_BUFFER_BYTES_MAX)
		bytes = TACT_BUFFER_BYTES_MAX;
	error = nuc_payload_set(&args.payload, data, bytes);
	if (error)
		return error;
	nuc_call_init(&args.payload.call, write_run, NUC_TYPE_BUFFER, buffer.id,
		      NUC_CALL_WAITS | NUC_CALL_CAST | NUC_CALL_PAYLOAD, sizeof(args));
	args.partial = how & TACT_BUFFER_PARTIAL;
	args.overwrite = how & TACT_BUFFER_OVERWRITE;
	return nuc_call_timeout(&args.payload.call, timeout);
}

static bool is_read(const struct buffer *buffer, const struct read_call *args)
{
	return buffer->ring.whole ? !args->partial
				  : args->partial || args->peek || args->bytes <= buffer->ring.size;
}

static int read_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);
	struct read_call *args = read_of(call);
	int result;

	if (!is_read(buffer, args))
		return -TACT_EINVAL;
	if (!buffer->ring.whole && !args->bytes)
		return 0;
	if (args->peek)
		return nuc_buffer_ring_look(&buffer->ring, args->data, args->bytes);
	if (!nuc_waitq_leads(&buffer->readers, call))
		return nuc_wait(cpu, call, &buffer->readers);
	result = read_now(buffer, args, buffer->writers.count != 0);
	if (result == -TACT_EAGAIN)
		return nuc_wait(cpu, call, &buffer->readers);
	serve_writers(cpu, buffer);
	return result;
}

/* Does read_run() end at once? */
static bool reads_at_once(const struct buffer *buffer, const struct nuc_call *call,
			  const struct read_call *args)
{
	return (!buffer->ring.whole && !args->bytes) ||
	       (nuc_waitq_leads(&buffer->readers, call) &&
		can_read(buffer, args, buffer->writers.count != 0));
}

static int choose(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
		  const struct tact_wait_item *item)
{
	const struct buffer *buffer = buffer_of(object);
	struct read_call *args = read_of(call);

	args->data = item->buffer;
	args->bytes = item->size > UINT32_MAX ? UINT32_MAX : (uint32_t)item->size;
	args->partial = item->how & TACT_BUFFER_PARTIAL;
	args->peek = false;
	if (item->bits || item->how & ~TACT_BUFFER_PARTIAL || !is_read(buffer, args))
		return -TACT_EINVAL;
	if (reads_at_once(buffer, call, args) && !nuc_alternative_claim(call))
		return NUC_LOST;
	return read_run(cpu, object, call);
}

_Static_assert(sizeof(struct read_call) <= NUC_ALTERNATIVE_BYTES, "room for the record");

static const struct nuc_choice_ops choice_ops = {.take = choose};

const struct nuc_type_ops nuc_buffer_type = {
	.name = "buffer",
	.destroy = destroy,
	.release = release,
	.choice = &choice_ops,
};

int tact_buffer_delete(tact_buffer_t buffer)
{
	return nuc_delete(buffer.id, NUC_TYPE_BUFFER);
}

int tact_buffer_read(tact_buffer_t buffer, void *data, size_t bytes, uint32_t how,
		     tact_timeout_t timeout)
{
	NUC_CALL(struct read_call, args, read_run, NUC_TYPE_BUFFER, buffer.id, NUC_CALL_WAITS);

	if (how & ~(TACT_BUFFER_PARTIAL | TACT_BUFFER_PEEK) ||
	    (how & TACT_BUFFER_PEEK && timeout.kind != TACT_TIMEOUT_NOWAIT))
		return -TACT_EINVAL;
	args.data = data;
	args.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
	args.partial = how & TACT_BUFFER_PARTIAL;
	args.peek = how & TACT_BUFFER_PEEK;
	return nuc_call_timeout(&args.call, timeout);
}

static int clear_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);
	uint32_t dropped = nuc_buffer_ring_clear(&buffer->ring);

	(void)call;
	serve_writers(cpu, buffer);
	return (int)dropped;
}

int tact_buffer_clear(tact_buffer_t buffer)
{
	NUC_CALL(struct nuc_plain_call, args, clear_run, NUC_TYPE_BUFFER, buffer.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct buffer *buffer = base_container_of(object, struct buffer, object);
	struct tact_buffer_info *info = result;

	(void)cpu;
	info->bytes = buffer->ring.size;
	info->used = buffer->ring.used;
	info->messages = buffer->ring.messages;
	info->readers = buffer->readers.count;
	info->writers = buffer->writers.count;
}

int tact_buffer_inquire(tact_buffer_t buffer, struct tact_buffer_info *info)
{
	return nuc_inquire(buffer.id, NUC_TYPE_BUFFER, info, sizeof(*info), fill_info);
}
