/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Doorbells: how another process interrupts a real-time CPU of this one. A doorbell is a device of
 * one line (device.h), opened by the address TACT_DOORBELL: its handler runs in handler context,
 * and wakes tasks as any handler does. Other processes attach its file and ring. A ring says that
 * something happened, and no more: what it was is told by memory that the processes share.
 *
 *     tact_device_open(NULL, TACT_DOORBELL, 1, &doorbell, reason);
 *     tact_interrupt_create(NULL, doorbell, 0, handler, arg, 0, &interrupt);
 *     tact_doorbell_file(doorbell, &file);      (pass file to the other process: unix(7),
 * SCM_RIGHTS)
 *
 *     tact_bell_attach(file, &bell);            (there)
 *     tact_bell_ring(bell);
 *
 * Whoever has the file can keep the handler's CPU busy by ringing; it can do no other harm. This
 * wants the thread or the bare back end: a program in virtual time is alone.
 */
#ifndef TACTUS_DOORBELL_H
#define TACTUS_DOORBELL_H

#include <tactus/device.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The address of a doorbell for tact_device_open(): each call makes a new one. */
#define TACT_DOORBELL "doorbell"

struct tact_bell;

/**
 * The doorbell's file, for tact_bell_attach() of any process.
 * file: receives a descriptor, closed on exec; the caller's, who closes it.
 * Returns 0, or
 *   -TACT_EINVAL  file is NULL, or the device is no doorbell
 *   -TACT_ENOMEM  no descriptor is left
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_map()
 * Context: task, linux. Cost: Linux calls.
 */
int tact_doorbell_file(tact_device_t device, int *file);

/**
 * The bell of a doorbell. The program need not be started: a plain process can ring, too.
 * file: of a doorbell of this or another process; stays the caller's, who may close it at once.
 * bell: receives it, for tact_bell_detach().
 * Returns 0, or
 *   -TACT_EINVAL  bell is NULL, or file is not a doorbell's
 *   -TACT_ENOMEM  no memory
 *   -TACT_ENOTSUP in virtual time
 *   -TACT_EPERM   from a handler, a light task or a task that may not call Linux
 * Context: task, linux. Cost: Linux calls.
 */
int tact_bell_attach(int file, struct tact_bell **bell);

/* Give it back; nobody rings it any more. NULL: nothing. Context: task, linux. Cost: Linux calls.
 */
void tact_bell_detach(struct tact_bell *bell);

/**
 * Ring: the doorbell's handler runs soon, once for rings that come together. What was written to
 * shared memory before is seen by it. Nothing happens where the doorbell was closed or its process
 * has ended. Without leaving primary mode.
 * Context: any. Cost: O(1), a Linux call unless a ring is on the way already.
 */
void tact_bell_ring(struct tact_bell *bell);

/**
 * Wake all threads, of whatever process, that wait in Linux for this word in memory that processes
 * share (futex(2), FUTEX_WAIT without FUTEX_PRIVATE_FLAG). Without leaving primary mode. In virtual
 * time: nothing.
 * Context: any. Cost: a Linux call.
 */
void tact_wake_shared(uint32_t *word);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
