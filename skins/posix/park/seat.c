/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Seats of tasks that may wait, and which thread numbers are tasks'. Lock-free. */
#define _GNU_SOURCE
#include "posix/park/seat.h"

#define TIDS 4096u

struct posix_seat posix_seats[POSIX_SEATS];
_Atomic uint32_t posix_seats_given_up;
static _Atomic pid_t tids[TIDS];    /* at tid % TIDS, if nobody else's is there */
static _Atomic uint32_t first_free; /* probably: those before it are taken */

/* One of another CPU's would make each sleep a message there and back. */
static int furnish(struct posix_seat *seat, uint32_t cpu)
{
	if (seat->parking && seat->cpu == cpu)
		return 0;
	if (seat->parking)
		(void)tact_sem_delete(seat->parking);
	seat->parking = 0;
	seat->cpu = cpu;
	return tact_sem_create(NULL, 0, 1, TACT_FIFO | TACT_ON_CPU(cpu), &seat->parking);
}

/* The one that it kept for the wait that it is in. */
static void sit_again(struct posix_thread *thread)
{
	atomic_store_explicit(&posix_seats[thread->seat].tid, thread->tid, memory_order_relaxed);
}

/* A free place's number, which is taken from here on, or POSIX_SEATS. */
static uint32_t take_free(uint32_t from)
{
	for (uint32_t i = from; i < POSIX_SEATS; i++) {
		struct posix_seat *seat = &posix_seats[i];

		if (!atomic_load_explicit(&seat->taken, memory_order_relaxed) &&
		    !atomic_exchange_explicit(&seat->taken, 1, memory_order_acquire))
			return i;
	}
	return POSIX_SEATS;
}

static uint32_t take_any(void)
{
	const uint32_t from = atomic_load_explicit(&first_free, memory_order_relaxed);
	uint32_t place = take_free(from);

	if (place == POSIX_SEATS && from)
		place = take_free(0);
	if (place < POSIX_SEATS)
		atomic_store_explicit(&first_free, place + 1, memory_order_relaxed);
	return place;
}

static void give(struct posix_seat *seat)
{
	const uint32_t place = (uint32_t)(seat - posix_seats);

	atomic_store_explicit(&seat->taken, 0, memory_order_release);
	if (place < atomic_load_explicit(&first_free, memory_order_relaxed))
		atomic_store_explicit(&first_free, place, memory_order_relaxed);
}

int posix_seat_reserve(struct posix_thread *thread)
{
	uint32_t place;

	if (thread->seated) {
		sit_again(thread);
		return 0;
	}
	place = take_any();
	if (place == POSIX_SEATS)
		return -1;
	posix_seats[place].slot = NULL;
	atomic_store_explicit(&posix_seats[place].tid, thread->tid, memory_order_relaxed);
	thread->seat = place;
	thread->seated = true;
	thread->parking = 0;
	return 0;
}

int posix_seat_furnish(struct posix_thread *thread, uint32_t cpu)
{
	struct posix_seat *seat = &posix_seats[thread->seat];

	/* The one that it kept. */
	if (thread->parking)
		return 0;
	if (furnish(seat, cpu))
		return -1;
	thread->parking = seat->parking;
	return 0;
}

int posix_seat_take(struct posix_thread *thread, uint32_t cpu)
{
	if (posix_seat_reserve(thread))
		return -1;
	if (!posix_seat_furnish(thread, cpu))
		return 0;
	posix_seat_give(thread);
	return -1;
}

uint32_t posix_seat_of_tid(pid_t tid)
{
	for (uint32_t i = 0; i < POSIX_SEATS; i++)
		if (atomic_load_explicit(&posix_seats[i].tid, memory_order_relaxed) == tid)
			return tid ? i : POSIX_NO_SEAT;
	return POSIX_NO_SEAT;
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

/* Is the caller in a wait, or on its way into one, which a handler is in the midst of? Joining
 * refuses others, and has no slot yet. */
static bool is_in_wait(void)
{
	const struct posix_seat *seat = &posix_seats[posix_me.seat];

	return posix_me.waits || atomic_load_explicit(&seat->joins, memory_order_relaxed) ||
	       posix_seat_is_joined(seat);
}

void posix_seat_leave(void)
{
	if (is_in_wait())
		atomic_store_explicit(&posix_seats[posix_me.seat].tid, 0, memory_order_relaxed);
	else
		posix_seat_give(&posix_me);
}

void posix_seat_give(struct posix_thread *thread)
{
	thread->seated = false;
	atomic_store_explicit(&posix_seats[thread->seat].tid, 0, memory_order_relaxed);
	give(&posix_seats[thread->seat]);
}

/* The nucleus's semaphores are the parent's. Only what was used is written: each page that a child
 * writes is copied. */
void posix_seats_forget(void)
{
	posix_me.seated = false;
	posix_me.waits = 0;
	for (uint32_t i = 0; i < POSIX_SEATS; i++) {
		if (posix_seats[i].parking)
			posix_seats[i].parking = 0;
		if (atomic_load_explicit(&posix_seats[i].taken, memory_order_relaxed))
			atomic_store_explicit(&posix_seats[i].taken, 0, memory_order_relaxed);
	}
	atomic_store_explicit(&first_free, 0, memory_order_relaxed);
	for (uint32_t i = 0; i < TIDS; i++)
		if (atomic_load_explicit(&tids[i], memory_order_relaxed))
			atomic_store_explicit(&tids[i], 0, memory_order_relaxed);
}
