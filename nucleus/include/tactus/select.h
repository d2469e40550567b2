/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for one of several objects: semaphores, event flags, message queues, mailboxes, buffers,
 * pipes, device interrupts, and descriptors of Linux. Exactly one object is taken from, as by its
 * own call; the others stay as they are. This also holds if the objects have different home CPUs:
 * nothing that was given to the caller at one object is missing there when the call returns with
 * another.
 *
 * At each object the caller has a place among the waiters, in the order of the object (by arrival
 * or by priority). The place is free again when the call returns. Until then the objects' infos
 * count the caller as a waiter, also if the wait has just been ended by another object; a broadcast
 * or a flush may count it, too. While a task waits, tact_task_inquire() shows as waits_for the
 * handle of the real-time CPU that holds the wait, not one of the objects.
 */
#ifndef TACTUS_SELECT_H
#define TACTUS_SELECT_H

#include <stddef.h>

#include <tactus/buffer.h>
#include <tactus/device.h>
#include <tactus/event.h>
#include <tactus/mailbox.h>
#include <tactus/object.h>
#include <tactus/pipe.h>
#include <tactus/queue.h>
#include <tactus/sem.h>
#include <tactus/watch.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TACT_WAIT_ITEMS_MAX 16u

/* One object, and what to take from it. Members that the type of the object does not use are 0. */
struct tact_wait_item {
	tact_object_t object;
	uint32_t how;  /* event flags: as in tact_event_wait(); buffer: as in tact_buffer_read() */
	uint64_t bits; /* event flags: to wait for, not 0 */
	void *buffer;  /* queue, buffer, pipe: as in the call that receives */
	size_t size;   /* of buffer, in bytes */
	uint64_t cookie; /* the caller's; Tactus does not read it */
	uint64_t value;  /* out, if the item was taken: event flags: the bits as they were received;
			    mailbox: the value; queue: the priority of the message; otherwise
			    unchanged */
	uint64_t reserved[2]; /* 0 */
};

/* An item of each kind, with the members that its kind has. */
static inline struct tact_wait_item tact_wait_item_make(uint32_t id, void *buffer, size_t size,
							uint64_t cookie)
{
	struct tact_wait_item item = {{id}, 0, 0, buffer, size, cookie, 0, {0, 0}};

	return item;
}

/* A unit of a semaphore: tact_sem_wait(). */
static inline struct tact_wait_item tact_wait_sem(tact_sem_t sem, uint64_t cookie)
{
	return tact_wait_item_make(sem.id, NULL, 0, cookie);
}

/* Bits of event flags: tact_event_wait(). */
static inline struct tact_wait_item tact_wait_event(tact_event_t event, uint64_t bits, uint32_t how,
						    uint64_t cookie)
{
	struct tact_wait_item item = tact_wait_item_make(event.id, NULL, 0, cookie);

	item.bits = bits;
	item.how = how;
	return item;
}

/* A message of a queue: tact_queue_receive(). */
static inline struct tact_wait_item tact_wait_queue(tact_queue_t queue, void *buffer, size_t size,
						    uint64_t cookie)
{
	return tact_wait_item_make(queue.id, buffer, size, cookie);
}

/* The value of a mailbox: tact_mailbox_pend(). */
static inline struct tact_wait_item tact_wait_mailbox(tact_mailbox_t mailbox, uint64_t cookie)
{
	return tact_wait_item_make(mailbox.id, NULL, 0, cookie);
}

/* Bytes or a message of a buffer: tact_buffer_read(). */
static inline struct tact_wait_item tact_wait_buffer(tact_buffer_t buffer, void *data, size_t bytes,
						     uint32_t how, uint64_t cookie)
{
	struct tact_wait_item item = tact_wait_item_make(buffer.id, data, bytes, cookie);

	item.how = how;
	return item;
}

/* A message that Linux has written into a pipe: tact_pipe_read(). */
static inline struct tact_wait_item tact_wait_pipe(tact_pipe_t pipe, void *buffer, size_t size,
						   uint64_t cookie)
{
	return tact_wait_item_make(pipe.id, buffer, size, cookie);
}

/* Interrupts of a device: tact_interrupt_wait(). */
static inline struct tact_wait_item tact_wait_interrupt(tact_interrupt_t interrupt, uint64_t cookie)
{
	return tact_wait_item_make(interrupt.id, NULL, 0, cookie);
}

/*
 * A descriptor of Linux that the task watches (tact_task_watch()): a unit of the semaphore of the
 * watch, so the watch must have one. It tells that the descriptor is readable. The task then clears
 * `told` of the watch and reads the descriptor until nothing is left.
 */
static inline struct tact_wait_item tact_wait_descriptor(const struct tact_watch *watch,
							 uint64_t cookie)
{
	return tact_wait_sem(watch->sem, cookie);
}

/**
 * Take from one of several objects; wait if nothing is there. The items are looked at in their
 * order, and the first one that has something is taken. Otherwise the first thing that comes ends
 * the wait. An object whose own call would fail ends the wait with this error, also if it is
 * deleted meanwhile. An object may be named by several items.
 * items:   as many as count says, in memory of the caller. The CPUs of the objects read them and
 *          write into their buffers until the call returns. Buffers of different items may be the
 *          same memory.
 * count:   1 … TACT_WAIT_ITEMS_MAX.
 * timeout: of the whole call. With TACT_NOWAIT the objects are only looked at.
 * taken:   receives the item that ended the call, also if by an error; NULL: none did, or the
 *          arguments are wrong. Or NULL.
 *
 * Returns what the call of the taken item alone would return: 0, or the bytes received, or the
 * number of interrupts. Or an error. With an item in *taken:
 *   -TACT_EIDRM     this object was deleted, before or meanwhile
 *   -TACT_EBADF     not an object that can be waited for in this way
 *   -TACT_EINVAL    the item has what its object does not support, or no bits to wait for
 *   -TACT_ECANCELED a flush or a reset of this object
 *   -TACT_EMSGSIZE  the message does not fit into the buffer of the item, as the call that receives
 *                   says
 *   -TACT_EBUSY     event flags with TACT_EVENT_SINGLE: another caller waits
 * Without an item:
 *   -TACT_EAGAIN    nothing is there and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT nothing came in time
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EINVAL    items is NULL, count is out of range, a timeout of unknown kind
 *   -TACT_ENOMEM    from a Linux thread, with a timeout: the home CPU of the first object
 *                   has no timer left
 *   -TACT_EPERM     from a handler, or the program was not started
 * Context: task, linux. May wait. It needs some 3 KiB of stack for up to 4 items, and 10 KiB for
 * more.
 * Cost: for each item that of its own call, and one message to each other CPU in turn; to end the
 * wait, leaving count queues, and one message for each item of another CPU.
 */
int tact_wait_any(struct tact_wait_item *items, uint32_t count, tact_timeout_t timeout,
		  struct tact_wait_item **taken);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
