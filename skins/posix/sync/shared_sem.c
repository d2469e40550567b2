/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores that other programs may post: see shared_sem.h. Only the C library's word is shared
 * with those programs. One thread waits by futex_waitv() until a word is not 0, or until a task
 * that begins to wait rings a doorbell. A semaphore for which there is room for a note is watched
 * until it is posted, so tasks that only pass units to each other need not ring. The thread may be
 * woken in place of a thread of another program, when no task waits here any more. Then it wakes
 * one more thread in Linux. Source: futex(2), Linux Documentation/userspace-api/futex2.rst; glibc,
 * the manual's semaphore.
 */
#define _GNU_SOURCE
#include "posix/sync/shared_sem.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "posix/libc/futex.h"
#include "posix/libc/guard.h"
#include "posix/libc/real.h"
#include "posix/park/waiter.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/linux_call.h"
#include "posix/state/record.h"
#include "posix/sync/sem_registry.h"
#include "posix/thread/helper.h"

#define OTHERS \
	(FUTEX_WAITV_MAX - 1u - POSIX_SEM_REGISTRY) /* for more semaphores tasks wait in Linux */

#define REFUSED 1u /* a bit in `wanted`: there are too many */

static struct posix_guard guard = POSIX_GUARD_FREE;
static _Atomic int begun;                       /* 1, or -1: impossible */
static _Atomic uintptr_t wanted[POSIX_WAITERS]; /* the semaphore of each waiting task, or 0 */
static _Atomic uint32_t rung;                   /* the doorbell */
static _Atomic bool asleep;    /* the thread sleeps at the doorbell, or is about to */
static _Atomic uint32_t wakes; /* how often this program woke a thread in Linux */
static struct futex_waitv words[FUTEX_WAITV_MAX]; /* the first is the doorbell */

static bool is_listed(uintptr_t address, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++)
		if (words[i].uaddr == address)
			return true;
	return false;
}

static uint32_t list(uintptr_t address, uint32_t count)
{
	words[count] = (struct futex_waitv){.uaddr = address, .flags = FUTEX_32};
	return count + 1;
}

/* Raise the thread to the most urgent task for which it ever waited. */
static void rise(uint32_t level)
{
	static uint32_t most;
	struct sched_param param;

	if (level <= most)
		return;
	most = level;
	param.sched_priority = level < 98 ? (int)level : 98;
	(void)posix_real.pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

static void refuse(_Atomic uintptr_t *place, uintptr_t address)
{
	if (atomic_compare_exchange_strong(place, &address, address | REFUSED))
		(void)posix_wait_wake((const void *)address, UINT_MAX);
}

/* List the words to wait for; returns how many. */
static uint32_t gather(uint32_t seen)
{
	uint32_t count = 1, others = 0;

	words[0] = (struct futex_waitv){
		.val = seen, .uaddr = (uintptr_t)&rung, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG};
	for (uint32_t i = 0; i < POSIX_SEM_REGISTRY; i++) {
		uintptr_t address = posix_sem_registry_watched(i);

		if (address)
			count = list(address, count);
	}
	for (uint32_t i = 0; i < POSIX_WAITERS; i++) {
		uintptr_t address = atomic_load(&wanted[i]);

		if (!address || address & REFUSED)
			continue;
		rise(atomic_load_explicit(&posix_waiters[i].level, memory_order_relaxed));
		if (is_listed(address, count))
			continue;
		if (!posix_sem_registry_set(address, POSIX_SEM_WATCHED) && others++ >= OTHERS)
			refuse(&wanted[i], address);
		else
			count = list(address, count);
	}
	return count;
}

/* A task that waits for it from here on rings, or waits in Linux. */
static void forget(uintptr_t address, uintptr_t flags)
{
	(void)posix_sem_registry_set(address, flags);
	for (uint32_t i = 0; i < POSIX_WAITERS; i++) {
		uintptr_t there = address;

		if (atomic_load_explicit(&wanted[i], memory_order_relaxed) == address)
			(void)atomic_compare_exchange_strong(&wanted[i], &there, 0);
	}
}

/* The tasks that wait for it look, the most urgent first. Its memory may be freed: only its address
 * is used. */
static void posted(uintptr_t address, uintptr_t flags)
{
	forget(address, flags);
	if (!posix_wait_wake((const void *)address, UINT_MAX))
		posix_shared_sem_wake((const sem_t *)address);
}

/* Is it still 0? Linux reads it, because its memory may be freed. */
static void check_word(uintptr_t address)
{
	static const struct timespec at_once;

	if (!posix_real.syscall(SYS_futex, address, FUTEX_WAIT, 0, &at_once) || errno == EAGAIN)
		posted(address, 0);
	else if (errno != ETIMEDOUT)
		forget(address, 0);
}

/* Which program has posted it? Another one, if this one has woken no thread in Linux since the wait
 * began. */
static uintptr_t poster(uintptr_t address, uint32_t before)
{
	return atomic_load(&wakes) == before && posix_wait_is_awaited((const void *)address)
		       ? POSIX_SEM_PINNED
		       : 0;
}

static void *watch(void *unused)
{
	for (;;) {
		uint32_t before = atomic_load(&wakes);
		uint32_t seen = atomic_load(&rung);
		uint32_t count = gather(seen);
		long result;

		/* Dekker's pattern, with tasks that ring. */
		atomic_store(&asleep, true);
		result = posix_real.syscall(SYS_futex_waitv, words, count, 0, NULL, 0);
		atomic_store(&asleep, false);
		if (result > 0)
			posted(words[result].uaddr, poster(words[result].uaddr, before));
		for (uint32_t i = 1; result < 0 && atomic_load(&rung) == seen && i < count; i++)
			check_word(words[i].uaddr);
	}
	return unused;
}

static bool linux_waits_so(void)
{
	return posix_real.syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) && errno == EINVAL;
}

static bool begin(void)
{
	int before = errno;
	bool denied = posix_linux_begin();

	posix_guard_lock(&guard);
	if (!atomic_load(&begun)) {
		if (!linux_waits_so())
			atomic_store(&begun, -1);
		else if (!posix_helper_begin(watch))
			atomic_store(&begun, 1);
	}
	posix_guard_unlock(&guard);
	posix_linux_end(denied);
	errno = before;
	return atomic_load(&begun) > 0;
}

bool posix_shared_sem_is_served(const sem_t *sem)
{
	int state = atomic_load_explicit(&begun, memory_order_relaxed);

	if (state < 0 || posix_sem_registry_flags((uintptr_t)sem) & POSIX_SEM_PINNED)
		return false;
	return state || begin();
}

static void ring(void)
{
	atomic_fetch_add(&rung, 1);
	if (atomic_load(&asleep))
		posix_futex_wake(&rung, 1);
}

enum posix_shared_sem posix_shared_sem_watch(const sem_t *sem, bool rings)
{
	const uintptr_t address = (uintptr_t)sem;
	const uintptr_t flags = posix_sem_registry_flags(address);

	if (flags & POSIX_SEM_PINNED)
		return POSIX_SHARED_SEM_LINUX;
	if (flags & POSIX_SEM_WATCHED && !rings)
		return posix_sem_registry_is_named(address) ? POSIX_SHARED_SEM_NOTIFIED
							    : POSIX_SHARED_SEM_MAYBE;
	if (atomic_exchange(&wanted[posix_me.wait.waiter], address) == (address | REFUSED))
		return POSIX_SHARED_SEM_LINUX;
	ring();
	return POSIX_SHARED_SEM_NOTIFIED;
}

void posix_shared_sem_unwatch(void)
{
	atomic_store_explicit(&wanted[posix_me.wait.waiter], 0, memory_order_relaxed);
}

void posix_shared_sem_wake(const sem_t *sem)
{
	const int former = errno;

	atomic_fetch_add(&wakes, 1);
	(void)posix_real.syscall(SYS_futex, sem, FUTEX_WAKE, 1);
	errno = former;
}

void posix_shared_sem_forked(void)
{
	posix_guard_forked(&guard);
	posix_sem_registry_forked();
	if (atomic_load(&begun) || posix_started())
		atomic_store(&begun, -1);
}
