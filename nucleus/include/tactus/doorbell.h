/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Doorbells: another process interrupts a real-time CPU of this one. A doorbell is a device with
 * one line (device.h), which is opened by the address TACT_DOORBELL. Its handler runs in handler
 * context, and wakes tasks as any handler does. Other processes attach the file of the doorbell and
 * ring. A ring says only that something has happened; memory that the processes share says what.
 *
 *     tact_device_open(NULL, TACT_DOORBELL, 1, &doorbell, reason);
 *     tact_interrupt_create(NULL, doorbell, 0, handler, arg, 0, &interrupt);
 *     tact_doorbell_file(doorbell, &file);
 *
 * Pass file to the other process (unix(7), SCM_RIGHTS), which does
 *
 *     tact_doorbell_attach(file, &attached);
 *     tact_doorbell_ring(attached);
 *
 * Give the file only to processes that are trusted like this one. By ringing, a process can keep
 * the CPU of the handler busy. By writing into the file, a process can also keep kicks from the
 * first real-time CPU, which then runs tasks too late or never.
 *
 * Doorbells need the thread or the bare back end: a program in virtual time is alone.
 */
#ifndef TACTUS_DOORBELL_H
#define TACTUS_DOORBELL_H

#include <tactus/device.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The address of a doorbell for tact_device_open(): each call makes a new doorbell. */
#define TACT_DOORBELL "doorbell"

/* A doorbell of this or another process, attached to be rung. */
struct tact_doorbell;

/**
 * Get the file of a doorbell, which any process can give to tact_doorbell_attach().
 * file: receives a descriptor, which is closed on exec. It belongs to the caller, which closes it.
 *
 * Returns 0, or
 *   -TACT_EINVAL  file is NULL, or the device is not a doorbell
 *   -TACT_ENOMEM  no descriptor is left
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_map()
 * Context: task, linux. Cost: Linux calls.
 */
int tact_doorbell_file(tact_device_t device, int *file);

/**
 * Attach a doorbell, to ring it. The program need not be started: a plain process can ring, too.
 * file:     of a doorbell of this or another process. It still belongs to the caller, which may
 *           close it at once.
 * doorbell: receives the attached doorbell, which tact_doorbell_detach() frees.
 *
 * Returns 0, or
 *   -TACT_EINVAL  doorbell is NULL, or file is not that of a doorbell
 *   -TACT_ENOMEM  no memory
 *   -TACT_ENOTSUP in virtual time
 *   -TACT_EPERM   from a handler, a light task, or a task that may not call Linux
 * Context: task, linux. Cost: Linux calls.
 */
int tact_doorbell_attach(int file, struct tact_doorbell **doorbell);

/* Detach a doorbell. The pointer must not be used any more. NULL: no effect. Context: task, linux.
 * Cost: Linux calls. */
void tact_doorbell_detach(struct tact_doorbell *doorbell);

/**
 * Ring: the handler of the doorbell runs soon, once for rings that come together. It sees what was
 * written to shared memory before the ring. If the doorbell was closed, or its process has ended,
 * nothing happens. The caller does not leave primary mode.
 * Context: any. Cost: O(1), and a Linux call unless a ring is under way already.
 */
void tact_doorbell_ring(struct tact_doorbell *doorbell);

/**
 * Wake all threads, of whatever process, that wait in Linux for this word in memory that processes
 * share (futex(2), FUTEX_WAIT without FUTEX_PRIVATE_FLAG). The caller does not leave primary mode.
 * In virtual time nothing happens.
 * Context: any. Cost: a Linux call.
 */
void tact_wake_shared(uint32_t *word);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
