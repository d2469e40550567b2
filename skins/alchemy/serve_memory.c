/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues and heaps, for other processes. A block is sent as its offset in the memory. */
#include <alchemy/heap.h>
#include <alchemy/queue.h>

#include "remote.h"

static uint64_t offset_of(const struct session_memory *memory, const void *block)
{
	return (uint64_t)((const unsigned char *)block - memory->base);
}

static int64_t hand_out_message(struct session_call *call, RT_QUEUE *queue,
				const struct session_memory *memory, void *message, int64_t result)
{
	call->value[0] = offset_of(memory, message);
	if (!alchemy_remote_block_add(call->peer, ALCHEMY_QUEUE, call->object, call->value[0], 0))
		return result;
	(void)rt_queue_free(queue, message);
	return -ENOMEM;
}

static int64_t allocate_message(struct session_call *call, RT_QUEUE *queue,
				const struct session_memory *memory)
{
	void *message = rt_queue_alloc(queue, call->value[0]);

	return message ? hand_out_message(call, queue, memory, message, 0) : -ENOMEM;
}

static int64_t receive_message(struct session_call *call, RT_QUEUE *queue,
			       const struct session_memory *memory)
{
	struct timespec until;
	void *message;
	ssize_t bytes = rt_queue_receive_timed(queue, &message, alchemy_served_until(call, &until));

	return bytes < 0 ? bytes : hand_out_message(call, queue, memory, message, bytes);
}

/* The hold ends before the message is freed, because another process may get the message at
 * once. */
static int64_t free_message(const struct session_call *call, RT_QUEUE *queue, void *message)
{
	alchemy_remote_block_remove(call->peer, call->object, call->value[0]);
	return rt_queue_free(queue, message);
}

static int64_t send_message(const struct session_call *call, RT_QUEUE *queue, void *message)
{
	int mode = (int)call->value[2];
	int woken;

	alchemy_remote_block_remove(call->peer, call->object, call->value[0]);
	woken = rt_queue_send(queue, message, call->value[1], mode);
	/* The sender still holds it. */
	if (woken < 0 || (!woken && mode & Q_BROADCAST))
		(void)alchemy_remote_block_add(call->peer, ALCHEMY_QUEUE, call->object,
					       call->value[0], 0);
	return woken;
}

int64_t alchemy_serve_queue(struct session_call *call)
{
	const struct session_memory *memory = alchemy_queue_memory(call->object);
	RT_QUEUE queue = {.handle = (uintptr_t)call->object};
	struct timespec until;

	if (!memory)
		return -EINVAL;
	switch (call->service) {
	case REMOTE(ALCHEMY_QUEUE, REMOTE_CHECK):
		return alchemy_served_memory(call, memory);
	case REMOTE(ALCHEMY_QUEUE, REMOTE_DELETE):
		return rt_queue_delete(&queue);
	case REMOTE(ALCHEMY_QUEUE, REMOTE_INQUIRE):
		return rt_queue_inquire(&queue, alchemy_served_buffer(call, sizeof(RT_QUEUE_INFO)));
	case REMOTE_QUEUE_ALLOC:
		return allocate_message(call, &queue, memory);
	case REMOTE_QUEUE_FREE:
		return free_message(call, &queue, memory->base + call->value[0]);
	case REMOTE_QUEUE_SEND:
		return send_message(call, &queue, memory->base + call->value[0]);
	case REMOTE_QUEUE_WRITE:
		return rt_queue_write(&queue, call->data, call->bytes, (int)call->value[0]);
	case REMOTE_QUEUE_RECEIVE:
		return receive_message(call, &queue, memory);
	case REMOTE_QUEUE_READ:
		return alchemy_served_bytes(
			call, rt_queue_read_timed(&queue, call->room, call->room_bytes,
						  alchemy_served_until(call, &until)));
	case REMOTE_QUEUE_FLUSH:
		return rt_queue_flush(&queue);
	default:
		return -EINVAL;
	}
}

static int64_t allocate_block(struct session_call *call, RT_HEAP *heap,
			      const struct session_memory *memory)
{
	struct timespec until;
	void *block;
	uint64_t stamp;
	int error = rt_heap_alloc_timed(heap, call->value[0], alchemy_served_until(call, &until),
					&block);

	if (error)
		return error;
	call->value[0] = offset_of(memory, block);
	stamp = alchemy_heap_stamp(call->object, block);
	/* The single block of such a heap belongs to all users. */
	if (!stamp)
		return 0;
	if (!alchemy_remote_block_add(call->peer, ALCHEMY_HEAP, call->object, call->value[0],
				      stamp))
		return 0;
	(void)rt_heap_free(heap, block);
	return -ENOMEM;
}

int64_t alchemy_serve_heap(struct session_call *call)
{
	const struct session_memory *memory = alchemy_heap_memory(call->object);
	RT_HEAP heap = {.handle = (uintptr_t)call->object};

	if (!memory)
		return -EINVAL;
	switch (call->service) {
	case REMOTE(ALCHEMY_HEAP, REMOTE_CHECK):
		return alchemy_served_memory(call, memory);
	case REMOTE(ALCHEMY_HEAP, REMOTE_DELETE):
		return rt_heap_delete(&heap);
	case REMOTE(ALCHEMY_HEAP, REMOTE_INQUIRE):
		return rt_heap_inquire(&heap, alchemy_served_buffer(call, sizeof(RT_HEAP_INFO)));
	case REMOTE_HEAP_ALLOC:
		return allocate_block(call, &heap, memory);
	case REMOTE_HEAP_FREE:
		alchemy_remote_block_remove(call->peer, call->object, call->value[0]);
		return rt_heap_free(&heap, memory->base + call->value[0]);
	default:
		return -EINVAL;
	}
}
