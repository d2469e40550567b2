/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mailbox: values of 64 bits (numbers, pointers) in one or several slots.
 */
#ifndef TACTUS_MAILBOX_H
#define TACTUS_MAILBOX_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_mailbox_t;

#define TACT_MAILBOX_SLOTS_MAX 0x100000u

/* How to post. */
#define TACT_MAILBOX_NORMAL 0u          /* behind the values that are there */
#define TACT_MAILBOX_URGENT 0xffffffffu /* before them */

struct tact_mailbox_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t slots;
	uint32_t values;  /* slots that are full */
	uint32_t pending; /* callers that wait for a value */
	uint32_t posting; /* callers that wait for a slot */
};

/**
 * Create a mailbox.
 * name:    entry in the registry, copied; NULL for none.
 * slots:   values that it can hold, 1 … TACT_MAILBOX_SLOTS_MAX.
 * flags:   TACT_FIFO or TACT_PRIO, TACT_ON_CPU(n).
 * mailbox: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  slots out of range, unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_mailbox_create(const char *name, uint32_t slots, uint32_t flags, tact_mailbox_t *mailbox);

/**
 * Delete; all waiters get -TACT_EIDRM, and the values are lost.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_mailbox_delete(tact_mailbox_t mailbox);

/**
 * Post a value: to the first caller that waits for one if there is one, otherwise into a slot. If
 * all slots are full, wait for a free one. All values are allowed, also 0.
 * how: TACT_MAILBOX_NORMAL or TACT_MAILBOX_URGENT.
 *
 * Returns 0, or
 *   -TACT_EAGAIN    all slots are full and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no slot became free in time
 *   -TACT_EINVAL    unknown how, a timeout of unknown kind
 *   -TACT_EIDRM     the mailbox was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_mailbox_reset(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a mailbox
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left; from a handler to another CPU's mailbox: no message record is free
 *   -TACT_EPERM     from a handler with a timeout other than TACT_NOWAIT
 * Context: task, linux; handler with TACT_NOWAIT. May wait. From a handler to another CPU's mailbox
 * it returns 0 once the value is sent; the value is lost if the mailbox is full when it arrives.
 * Cost: O(1), O(waiters) with TACT_PRIO.
 */
int tact_mailbox_post(tact_mailbox_t mailbox, uint64_t value, uint32_t how, tact_timeout_t timeout);

/**
 * Take the first value; wait if there is none. value: receives it, or NULL.
 *
 * Returns 0, or
 *   -TACT_EAGAIN    there is none and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_EIDRM     the mailbox was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_mailbox_reset(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a mailbox
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   mailbox
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO.
 */
int tact_mailbox_pend(tact_mailbox_t mailbox, uint64_t *value, tact_timeout_t timeout);

/**
 * Give a value to every caller that waits for one now. If no caller waits, the value is lost.
 * Returns the number of callers served (from a handler to another CPU's mailbox: 0 once it is
 * sent), or -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM as tact_mailbox_post().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_mailbox_broadcast(tact_mailbox_t mailbox, uint64_t value);

/**
 * Empty all slots. The values of callers that wait to post then fill them.
 * Returns the number of values dropped, or as tact_mailbox_broadcast().
 * Context: task, handler, linux. Cost: O(waiting posters).
 */
int tact_mailbox_flush(tact_mailbox_t mailbox);

/**
 * Empty all slots and break every wait with -TACT_ECANCELED.
 * Returns as tact_mailbox_flush().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_mailbox_reset(tact_mailbox_t mailbox);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_mailbox_inquire(tact_mailbox_t mailbox, struct tact_mailbox_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
