/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The waiters, and the thread numbers of tasks. Lock-free. */
#define _GNU_SOURCE
#include "posix/park/waiter.h"

#define TIDS 4096u

struct posix_waiter posix_waiters[POSIX_WAITERS];
_Atomic uint32_t posix_waiters_given_up;
static _Atomic pid_t tids[TIDS];    /* at tid % TIDS, if that place was free */
static _Atomic uint32_t first_free; /* a hint: the ones before it are probably taken */

/* With a semaphore of another CPU each sleep would cost a message to that CPU and back. */
static int furnish(struct posix_waiter *waiter, uint32_t cpu)
{
	if (waiter->parking.id && waiter->cpu == cpu)
		return 0;
	if (waiter->parking.id)
		(void)tact_sem_delete(waiter->parking);
	waiter->parking.id = 0;
	waiter->cpu = cpu;
	return tact_sem_create(NULL, 0, 1, TACT_FIFO | TACT_ON_CPU(cpu), &waiter->parking);
}

/* Use the waiter again that the thread has kept for the wait in which it is. */
static void sit_again(struct posix_thread *thread)
{
	atomic_store_explicit(&posix_waiters[thread->wait.waiter].tid, thread->tid,
			      memory_order_relaxed);
}

/* Take a free place. Returns its number, or POSIX_WAITERS. */
static uint32_t take_free(uint32_t from)
{
	for (uint32_t i = from; i < POSIX_WAITERS; i++) {
		struct posix_waiter *waiter = &posix_waiters[i];

		if (!atomic_load_explicit(&waiter->taken, memory_order_relaxed) &&
		    !atomic_exchange_explicit(&waiter->taken, 1, memory_order_acquire))
			return i;
	}
	return POSIX_WAITERS;
}

static uint32_t take_any(void)
{
	const uint32_t from = atomic_load_explicit(&first_free, memory_order_relaxed);
	uint32_t place = take_free(from);

	if (place == POSIX_WAITERS && from)
		place = take_free(0);
	if (place < POSIX_WAITERS)
		atomic_store_explicit(&first_free, place + 1, memory_order_relaxed);
	return place;
}

static void give(struct posix_waiter *waiter)
{
	const uint32_t place = (uint32_t)(waiter - posix_waiters);

	atomic_store_explicit(&waiter->taken, 0, memory_order_release);
	if (place < atomic_load_explicit(&first_free, memory_order_relaxed))
		atomic_store_explicit(&first_free, place, memory_order_relaxed);
}

int posix_waiter_reserve(struct posix_thread *thread)
{
	uint32_t place;

	if (thread->wait.has_waiter) {
		sit_again(thread);
		return 0;
	}
	place = take_any();
	if (place == POSIX_WAITERS)
		return -1;
	posix_waiters[place].slot = NULL;
	atomic_store_explicit(&posix_waiters[place].tid, thread->tid, memory_order_relaxed);
	thread->wait.waiter = place;
	thread->wait.has_waiter = true;
	thread->wait.parking.id = 0;
	return 0;
}

int posix_waiter_init(struct posix_thread *thread, uint32_t cpu)
{
	struct posix_waiter *waiter = &posix_waiters[thread->wait.waiter];

	/* The thread has kept its waiter. */
	if (thread->wait.parking.id)
		return 0;
	if (furnish(waiter, cpu))
		return -1;
	thread->wait.parking = waiter->parking;
	return 0;
}

int posix_waiter_take(struct posix_thread *thread, uint32_t cpu)
{
	if (posix_waiter_reserve(thread))
		return -1;
	if (!posix_waiter_init(thread, cpu))
		return 0;
	posix_waiter_release(thread);
	return -1;
}

uint32_t posix_waiter_of_tid(pid_t tid)
{
	for (uint32_t i = 0; i < POSIX_WAITERS; i++)
		if (atomic_load_explicit(&posix_waiters[i].tid, memory_order_relaxed) == tid)
			return tid ? i : POSIX_NO_WAITER;
	return POSIX_NO_WAITER;
}

void posix_tid_mark(pid_t tid)
{
	pid_t none = 0;

	(void)atomic_compare_exchange_strong(&tids[(uint32_t)tid % TIDS], &none, tid);
}

void posix_tid_unmark(pid_t tid)
{
	(void)atomic_compare_exchange_strong(&tids[(uint32_t)tid % TIDS], &tid, 0);
}

bool posix_tid_is_task(pid_t tid)
{
	return tid && atomic_load(&tids[(uint32_t)tid % TIDS]) == tid;
}

/* Has this handler interrupted a wait, or the beginning of one? At the beginning `joins` is set and
 * there is no slot yet. */
static bool is_in_wait(void)
{
	const struct posix_waiter *waiter = &posix_waiters[posix_me.wait.waiter];

	return posix_me.wait.nested || atomic_load_explicit(&waiter->joins, memory_order_relaxed) ||
	       posix_waiter_is_joined(waiter);
}

void posix_waiter_leave(void)
{
	if (is_in_wait())
		atomic_store_explicit(&posix_waiters[posix_me.wait.waiter].tid, 0,
				      memory_order_relaxed);
	else
		posix_waiter_release(&posix_me);
}

void posix_waiter_release(struct posix_thread *thread)
{
	thread->wait.has_waiter = false;
	atomic_store_explicit(&posix_waiters[thread->wait.waiter].tid, 0, memory_order_relaxed);
	give(&posix_waiters[thread->wait.waiter]);
}

/* The nucleus's semaphores belong to the parent. Only what was used is written, because each page
 * that a child writes is copied. */
void posix_waiters_forget(void)
{
	posix_me.wait.has_waiter = false;
	posix_me.wait.nested = 0;
	for (uint32_t i = 0; i < POSIX_WAITERS; i++) {
		if (posix_waiters[i].parking.id)
			posix_waiters[i].parking.id = 0;
		if (atomic_load_explicit(&posix_waiters[i].taken, memory_order_relaxed))
			atomic_store_explicit(&posix_waiters[i].taken, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&first_free, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < TIDS; i++)
		if (atomic_load_explicit(&tids[i], memory_order_relaxed))
			atomic_store_explicit(&tids[i], 0, memory_order_relaxed);
}
