/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all objects have in common.
 *
 * Handles. An object is named by a handle: a structure with a 32-bit number, which is positive as
 * an int. The number 0 never names an object: initialize a handle by {0}, and compare its id with
 * 0. Where the headers give {0} as the value of a handle, they mean the id 0. A handle contains the
 * home CPU of the object and a generation, so that the handle of a deleted object gives a defined
 * error (-TACT_EIDRM) and does not name another object. The handle of an object of another type
 * gives -TACT_EBADF, and so does a number that never was a handle. The type of a deleted object is
 * forgotten: calls of every type return -TACT_EIDRM for its handle. A handle is not used again
 * before 65 536 further objects of any kind have been created on its CPU. 1 047 518 objects can
 * always exist on one CPU at a time; more may be refused with -TACT_ENOMEM.
 *
 * Home. The home CPU of an object is chosen at creation by TACT_ON_CPU(). Without it, it is the CPU
 * of the task that creates the object, and real-time CPU 0 if a Linux thread creates it. Only its
 * home CPU ever changes an object. A call from another CPU, or from a Linux thread, travels there
 * as a message, and its result travels back. On the home CPU every operation is local; so with one
 * real-time CPU every operation is local. If a task of another CPU or a Linux thread waits with a
 * timeout, the home CPU has to have a timer for it; otherwise the call returns -TACT_ENOMEM.
 *
 * Many waiters. A call that ends the waits of many callers (a broadcast, a flush, a deletion) ends
 * all of them at once. A broadcast or a flush returns their number. A wait that begins later is not
 * affected. A wait that was ended has its result: no timeout, tact_task_unblock() or other call
 * changes it. Only a signal, or the deletion of the task, still takes effect. The waiters are made
 * ready a few at a time: first Linux threads and tasks of other CPUs, then the other tasks. This
 * work has the priority of the most urgent task that is still to be made ready, so a task that is
 * more urgent than all of them does not wait for it. If the waiters are served in order of arrival,
 * the work has the priority of the most urgent of all until only one waiter is left. A task is
 * shown as waiting until it is made ready. A job that begins with the end of the wait begins at the
 * instant at which the wait ended. CAVEATS.md says for how long a call keeps a CPU from its events.
 *
 * Results. NULL may be passed for any result that is not wanted.
 *
 * Sizes. A structure of attributes, of a configuration or of information begins with its size:
 * sizeof the structure, or 0, which means version 1 of this API. Initialize such a structure:
 * struct tact_sem_info info = {0}; otherwise its size is chance, and the call fails with
 * -TACT_EINVAL or fills less than the structure has. A later version may add members at the end. A
 * program that was compiled with an older header then continues to work, because its size tells
 * which members it knows. A program that was compiled with a newer header than the library's works
 * as long as the members that the library does not know are 0; otherwise the call returns
 * -TACT_EINVAL. Of information, the library fills the members that both know, leaves the others as
 * they are, and sets size to the number of bytes that both know. A size that is below that of
 * version 1, or that is no size of a structure, gives -TACT_EINVAL. No structure has padding: a
 * member `reserved` is where it would be. What the caller fills has 0 there, otherwise the call
 * returns -TACT_EINVAL; what the library fills has 0 there.
 *
 * Contexts, as the headers name them:
 *   task     a task; a task in secondary mode first comes back to primary mode
 *   handler  a timer handler or interrupt handler. It may never wait, so timeouts must be
 *            TACT_NOWAIT. A call for an object or task of another CPU is sent, and returns 0 once
 *            it is sent. It returns -TACT_ENOMEM if none of the CPU's 32 message records is free,
 *            and -TACT_EMSGSIZE if its message is longer than TACT_HANDLER_BYTES.
 *   linux    any other Linux thread of the program, main() included
 */
#ifndef TACTUS_OBJECT_H
#define TACTUS_OBJECT_H

#include <stdint.h>

#include <tactus/error.h>
#include <tactus/start.h>
#include <tactus/time.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Any object. Each type of object has a handle type of its own, so that a compiler refuses a
 * semaphore in the place of a queue. */
typedef struct {
	uint32_t id;
} tact_object_t;

/* The handle of an object of any type, as a tact_object_t: tact_delete(tact_object(sem)). The way
 * back is an initializer: tact_sem_t sem = {object.id}; the calls of semaphores then refuse the
 * handle of any other object with -TACT_EBADF. */
#ifdef __cplusplus
#define tact_object(handle) (tact_object_t{(handle).id})
#define TACT_NONE           (tact_object_t{0}) /* no object */
#else
#define tact_object(handle) ((tact_object_t){(handle).id})
#define TACT_NONE           ((tact_object_t){0}) /* no object */
#endif

/* Do two handles, of any types, name the same object? A handle of any type that was initialized by
 * {0} is the same as TACT_NONE. */
#define tact_same(a, b) ((a).id == (b).id)

#define TACT_NAME_BYTES 32 /* longest name, with its terminating zero */

/* The longest message that a handler can send to an object of another CPU. */
#define TACT_HANDLER_BYTES 192

/* Flags of all creating calls. */
#define TACT_FIFO 0x0u /* waiters are served in order of arrival */
#define TACT_PRIO 0x1u /* waiters are served by priority, then by deadline, then by arrival */

/* Home: real-time CPU n, below tact_cpus(). The creating call returns -TACT_ENXIO for every other
 * number. The macro evaluates n twice. */
#define TACT_ON_CPU(n) \
	(((uint32_t)(n) < TACT_CPU_MAX ? (uint32_t)(n) + 1u : TACT_CPU_MAX + 1u) << 24)

/**
 * Delete any object by its handle. All waiters get -TACT_EIDRM. The header of the object says what
 * else its deletion does.
 *
 * Returns 0, or
 *   -TACT_EBADF   not a handle
 *   -TACT_EIDRM   already deleted
 *   -TACT_EBUSY   in use in a way that the header of the object names
 *   -TACT_EPERM   from a handler
 * Context: task, linux. Cost: O(waiters).
 */
int tact_delete(tact_object_t object);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
