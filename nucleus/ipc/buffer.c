/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffers. Bytes move between the ring and the memory of callers, those that wait included.
 * Invariants: writers and readers never wait at the same time; a waiting writer does not fit, a
 * waiting reader's bytes are not there. Who comes while others wait on the same side queues behind
 * them.
 */
#include <tactus/buffer.h>

#include "base/string.h"
#include "ipc/payload.h"
#include "core/wait.h"

struct buffer {
	struct nuc_object object;
	struct nuc_waitq readers;
	struct nuc_waitq writers;
	char *ring;
	uint32_t size;
	uint32_t head; /* where the oldest byte is */
	uint32_t used;
	uint32_t messages;
	bool whole; /* contents are messages */
};

struct buffer_create_call {
	struct nuc_call call;
	uint32_t bytes;
	uint32_t flags;
};

struct write_call {
	struct nuc_payload_call payload;
	bool partial;
};

struct read_call {
	struct nuc_call call;
	char *data;
	uint32_t bytes;
	bool partial;
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

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer_create_call *args = base_container_of(call, struct buffer_create_call, call);
	struct buffer *buffer;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_BUFFER, sizeof(*buffer), &error);
	if (!object)
		return error;
	buffer = buffer_of(object);
	buffer->ring = nuc_pool_get_raw(cpu, args->bytes);
	if (!buffer->ring) {
		nuc_object_drop(cpu, object);
		return -TACT_ENOMEM;
	}
	nuc_waitq_init(&buffer->readers, object, args->flags);
	nuc_waitq_init(&buffer->writers, object, args->flags);
	buffer->size = args->bytes;
	buffer->whole = args->flags & TACT_BUFFER_MESSAGES;
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
	return nuc_create(&args.call, name, flags, TACT_PRIO | TACT_BUFFER_MESSAGES, buffer);
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

	if (buffer->ring)
		nuc_pool_put(cpu, buffer->ring);
	nuc_pool_put(cpu, buffer);
}

const struct nuc_type_ops nuc_buffer_type = {
	.name = "buffer",
	.destroy = destroy,
	.release = release,
};

int tact_buffer_delete(tact_buffer_t buffer)
{
	return nuc_delete(buffer, NUC_TYPE_BUFFER);
}

static void put(struct buffer *buffer, const void *data, uint32_t bytes)
{
	uint32_t at = (buffer->head + buffer->used) % buffer->size;
	uint32_t first = buffer->size - at < bytes ? buffer->size - at : bytes;

	base_copy(buffer->ring + at, data, first);
	base_copy(buffer->ring, (const char *)data + first, bytes - first);
	buffer->used += bytes;
}

static void peek(const struct buffer *buffer, void *data, uint32_t bytes)
{
	uint32_t first = buffer->size - buffer->head;

	if (first > bytes)
		first = bytes;
	base_copy(data, buffer->ring + buffer->head, first);
	base_copy((char *)data + first, buffer->ring, bytes - first);
}

static void get(struct buffer *buffer, void *data, uint32_t bytes)
{
	if (data)
		peek(buffer, data, bytes);
	buffer->head = (buffer->head + bytes) % buffer->size;
	buffer->used -= bytes;
}

/* Returns the result of the write, or NUC_WAITING when there is no room. */
static int write_now(struct buffer *buffer, const struct write_call *args)
{
	uint32_t room = buffer->size - buffer->used;
	uint32_t bytes = args->payload.bytes;

	if (buffer->whole) {
		if (room < TACT_BUFFER_MESSAGE_HEADER || room - TACT_BUFFER_MESSAGE_HEADER < bytes)
			return NUC_WAITING;
		put(buffer, &bytes, TACT_BUFFER_MESSAGE_HEADER);
		buffer->messages++;
	} else if (bytes > room) {
		if (!args->partial || !room)
			return NUC_WAITING;
		bytes = room;
	}
	put(buffer, args->payload.data, bytes);
	return (int)bytes;
}

/* Returns the result of the read, or NUC_WAITING when the bytes are not there. */
static int read_now(struct buffer *buffer, const struct read_call *args, bool short_read)
{
	uint32_t bytes = args->bytes;

	if (buffer->whole) {
		if (!buffer->messages)
			return NUC_WAITING;
		peek(buffer, &bytes, TACT_BUFFER_MESSAGE_HEADER);
		if (args->data && bytes > args->bytes)
			return -TACT_EMSGSIZE;
		get(buffer, NULL, TACT_BUFFER_MESSAGE_HEADER);
		buffer->messages--;
	} else if (bytes > buffer->used) {
		if (!buffer->used || !(args->partial || short_read))
			return NUC_WAITING;
		bytes = buffer->used;
	}
	get(buffer, args->data, bytes);
	return (int)bytes;
}

static void serve_readers(struct nuc_cpu *cpu, struct buffer *buffer, bool short_read)
{
	struct nuc_call *reader;

	while ((reader = nuc_waitq_first(&buffer->readers))) {
		int result = read_now(buffer, read_of(reader), short_read);

		if (result == NUC_WAITING)
			return;
		nuc_wake(cpu, reader, result);
	}
}

static void serve_writers(struct nuc_cpu *cpu, struct buffer *buffer)
{
	struct nuc_call *writer;

	while ((writer = nuc_waitq_first(&buffer->writers))) {
		int result = write_now(buffer, write_of(writer));

		if (result == NUC_WAITING)
			return;
		nuc_wake(cpu, writer, result);
	}
}

static int write_check(const struct buffer *buffer, const struct write_call *args)
{
	if (buffer->whole) {
		if (args->partial)
			return -TACT_EINVAL;
		if (args->payload.bytes > buffer->size - TACT_BUFFER_MESSAGE_HEADER)
			return -TACT_EMSGSIZE;
	} else if (!args->partial && args->payload.bytes > buffer->size) {
		return -TACT_EMSGSIZE;
	}
	return 0;
}

static int write_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);
	struct write_call *args = write_of(call);
	int result = write_check(buffer, args);

	if (result)
		return result;
	if (!buffer->whole && !args->payload.bytes)
		return 0;
	if (buffer->writers.count)
		return nuc_wait(cpu, call, &buffer->writers);
	result = write_now(buffer, args);
	if (result == NUC_WAITING && buffer->readers.count) {
		/* Readers wait for more than is there, and the writer for room: they give way. */
		serve_readers(cpu, buffer, true);
		result = write_now(buffer, args);
	}
	if (result == NUC_WAITING)
		return nuc_wait(cpu, call, &buffer->writers);
	serve_readers(cpu, buffer, false);
	return result;
}

int tact_buffer_write(tact_buffer_t buffer, const void *data, size_t bytes, uint32_t how,
		      tact_timeout_t timeout)
{
	struct write_call args;
	int error = nuc_payload_set(&args.payload, data, bytes);

	if (error)
		return error;
	if (how & ~TACT_BUFFER_PARTIAL)
		return -TACT_EINVAL;
	nuc_call_init(&args.payload.call, write_run, NUC_TYPE_BUFFER, buffer,
		      NUC_CALL_WAITS | NUC_CALL_CAST | NUC_CALL_PAYLOAD, sizeof(args));
	args.partial = how & TACT_BUFFER_PARTIAL;
	return nuc_call_timeout(&args.payload.call, timeout);
}

static int read_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);
	struct read_call *args = read_of(call);
	int result;

	if (buffer->whole ? args->partial : !args->partial && args->bytes > buffer->size)
		return -TACT_EINVAL;
	if (!buffer->whole && !args->bytes)
		return 0;
	if (buffer->readers.count)
		return nuc_wait(cpu, call, &buffer->readers);
	result = read_now(buffer, args, buffer->writers.count != 0);
	if (result == NUC_WAITING)
		return nuc_wait(cpu, call, &buffer->readers);
	serve_writers(cpu, buffer);
	return result;
}

int tact_buffer_read(tact_buffer_t buffer, void *data, size_t bytes, uint32_t how,
		     tact_timeout_t timeout)
{
	NUC_CALL(struct read_call, args, read_run, NUC_TYPE_BUFFER, buffer, NUC_CALL_WAITS);

	if (how & ~TACT_BUFFER_PARTIAL)
		return -TACT_EINVAL;
	args.data = data;
	args.bytes = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
	args.partial = how & TACT_BUFFER_PARTIAL;
	return nuc_call_timeout(&args.call, timeout);
}

static int clear_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct buffer *buffer = buffer_of(object);
	uint32_t dropped = buffer->used;

	(void)call;
	buffer->head = 0;
	buffer->used = 0;
	buffer->messages = 0;
	serve_writers(cpu, buffer);
	return (int)dropped;
}

int tact_buffer_clear(tact_buffer_t buffer)
{
	NUC_CALL(struct nuc_plain_call, args, clear_run, NUC_TYPE_BUFFER, buffer, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct buffer *buffer = base_container_of(object, struct buffer, object);
	struct tact_buffer_info *info = result;

	(void)cpu;
	info->bytes = buffer->size;
	info->used = buffer->used;
	info->messages = buffer->messages;
	info->readers = buffer->readers.count;
	info->writers = buffer->writers.count;
}

int tact_buffer_inquire(tact_buffer_t buffer, struct tact_buffer_info *info)
{
	return nuc_inquire(buffer, NUC_TYPE_BUFFER, info, fill_info);
}
