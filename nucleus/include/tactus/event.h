/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags: a group of 64 bits, which callers set, clear, and wait for in any combination.
 */
#ifndef TACTUS_EVENT_H
#define TACTUS_EVENT_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_event_t;

/* Flag of tact_event_create(). */
#define TACT_EVENT_SINGLE 0x10u /* at most one waiter; a second one gets -TACT_EBUSY */

/* How to wait: one of the first two, together with at most one of the others. */
#define TACT_EVENT_ANY       0x0u /* for at least one of the bits */
#define TACT_EVENT_ALL       0x1u /* for all of the bits together */
#define TACT_EVENT_CONSUME   0x2u /* then clear the bits that were waited for */
#define TACT_EVENT_CLEAR_ALL 0x4u /* then clear the whole group */

struct tact_event_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t waiters;
	uint64_t bits;
};

/**
 * Create a group.
 * name:    entry in the registry, copied; NULL for none.
 * initial: bits that are set at first.
 * flags:   TACT_FIFO or TACT_PRIO, TACT_EVENT_SINGLE, TACT_ON_CPU(n).
 * event:   receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_event_create(const char *name, uint64_t initial, uint32_t flags, tact_event_t *event);

/**
 * Delete; every waiter gets -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_event_delete(tact_event_t event);

/**
 * Wait for bits.
 * bits:     the bits to wait for, at least one.
 * how:      TACT_EVENT_ANY or TACT_EVENT_ALL, and what to clear.
 * received: the bits of the whole group at the instant that ended the wait, before any bit was
 *           cleared; or NULL. Written only if 0 is returned.
 *
 * Returns 0, or
 *   -TACT_EAGAIN    the bits are not there and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT they did not come in time
 *   -TACT_EBUSY     the group is TACT_EVENT_SINGLE, and another caller waits
 *   -TACT_EIDRM     the group was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_event_flush(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a group of event flags
 *   -TACT_EINVAL    no bits, unknown how, a timeout of unknown kind
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's group
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO.
 */
int tact_event_wait(tact_event_t event, uint64_t bits, uint32_t how, tact_timeout_t timeout,
		    uint64_t *received);

/**
 * Set bits, which stay set. Every waiter whose bits are there then is released, in the order of the
 * queue. The bits that a waiter clears are gone for the waiters behind it.
 *
 * Returns the number of waiters released, or
 *   -TACT_EBADF   not a group of event flags
 *   -TACT_EIDRM   deleted
 *   -TACT_ENOMEM  from a handler to another CPU's group: no message record is free
 * Context: task, handler, linux. From a handler to another CPU's group it returns 0 once it is
 * sent.
 * Cost: O(waiters).
 */
int tact_event_set(tact_event_t event, uint64_t bits);

/**
 * Set bits for an instant: waiters are released as by tact_event_set(), then the bits that were not
 * set before are cleared again.
 * Returns as tact_event_set().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_event_pulse(tact_event_t event, uint64_t bits);

/**
 * Clear bits.
 * before: receives the group as it was, or NULL.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as tact_event_set()), -TACT_EPERM (from a
 * handler, another CPU's group, and before is not NULL).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_event_clear(tact_event_t event, uint64_t bits, uint64_t *before);

/**
 * Break every wait: the waiters get -TACT_ECANCELED, the bits stay.
 * Returns the number of waits broken, or as tact_event_set().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_event_flush(tact_event_t event);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_event_inquire(tact_event_t event, struct tact_event_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
