/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all objects have in common.
 *
 * Handles. An object is named by a 32-bit handle: positive as an int, 0 never names anything. A
 * handle carries the object's home CPU and a generation, so that the handle of a deleted object is
 * a defined error (-TACT_EIDRM) and not another object. One of an object of another type, or that
 * never named any, is -TACT_EBADF. Of what type a deleted object was is forgotten: its handle is
 * -TACT_EIDRM to the calls of every type. A handle is not handed out again before 65 536 further
 * objects of any kind have been created on its CPU. 1 047 518 can always be alive on one at a time,
 * more may be refused with -TACT_ENOMEM.
 *
 * Home. Chosen at creation by TACT_ON_CPU(); without it, it is the CPU of the task that creates,
 * and real-time CPU 0 when a Linux thread does. Only the home CPU of an object ever changes it. A
 * call from elsewhere travels there as a message and its result travels back; on the home CPU, and
 * so always with one real-time CPU, every operation is local.
 *
 * Many waiters. A call that ends the waits of many, as a broadcast, a flush or a deletion does,
 * ends them all at once and returns their number: whoever waits from then on is not concerned, and
 * no timeout, tact_task_unblock() or other call reaches those who did, but for a signal or the
 * deletion of a task. They are made ready a few at a time, Linux threads and tasks of other CPUs
 * first, the others at the priority of the most urgent of those who are left, so that tasks more
 * urgent than all of them do not wait for it. Where they are served in order of arrival it is that
 * of the most urgent of all until the last but one is ready. A task that waits is shown as waiting
 * until then. A job that begins with the end of the wait begins when the wait ended. CAVEATS.md
 * says how long any call keeps a CPU from its events.
 *
 * Results. Pass NULL for any result that is not wanted.
 *
 * Contexts, as the headers name them:
 *   task     a task; in secondary mode it comes back to primary mode first
 *   handler  an alarm handler or interrupt handler: may never wait, so timeouts must be TACT_NOWAIT
 *   linux    any other Linux thread of the program, main() included
 */
#ifndef TACTUS_OBJECT_H
#define TACTUS_OBJECT_H

#include <stdint.h>

#include <tactus/error.h>
#include <tactus/time.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef uint32_t tact_handle_t;

#define TACT_NAME_BYTES 32 /* longest name, with its terminating zero */

/* The longest message that a handler can send to an object of another CPU. */
#define TACT_HANDLER_BYTES 192

/* Flags of all creating calls. */
#define TACT_FIFO 0x0u /* waiters are served in order of arrival */
#define TACT_PRIO 0x1u /* waiters are served by priority, then by deadline, then by arrival */

/* Home: real-time CPU n, 0 … 62; -TACT_ENXIO if the program has no such. 6 bits hold it: check a
 * number from outside against tact_cpus() first. */
#define TACT_ON_CPU(n) ((((uint32_t)(n) + 1u) & 0x3fu) << 24)

/**
 * Delete any object by its handle. All waiters get -TACT_EIDRM. What deleting means beyond that is
 * told in the object's own header.
 *
 * Returns 0, or
 *   -TACT_EBADF   not a handle
 *   -TACT_EIDRM   already deleted
 *   -TACT_EBUSY   in use in a way that its own header names
 *   -TACT_EPERM   from a handler
 * Context: task, linux. Cost: O(waiters).
 */
int tact_delete(tact_handle_t object);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
