/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The last thread of a program ends it. The C library also counts the threads of the real-time
 * half, and would wait for ever. So the program's own threads are counted here. Each is counted out
 * as late as possible, in the last round of destructors of thread-local data.
 */
#define _GNU_SOURCE
#include "posix/thread/lives.h"

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "posix/state/record.h"

static _Atomic uint32_t living = 1;
static _Atomic bool calls_back; /* the C library has a thread of its own, which never ends */
static pthread_key_t life;
static void (*leave_list)(void);

static void lived(void *rounds)
{
	uintptr_t left = (uintptr_t)rounds - 1;

	if (left) {
		pthread_setspecific(life, (void *)left);
		return;
	}
	/* The thread was stopped while it left, or a destructor gave it a real-time policy
	 * again. */
	if ((posix_me.list.known || posix_thread_is_task(&posix_me)) && posix_me.tid != getpid())
		leave_list();
	if (atomic_fetch_sub(&living, 1) == 1)
		exit(0);
}

void posix_life_begins(void)
{
	pthread_setspecific(life, (void *)(uintptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
}

/* The first key is left to the program, as without this library. */
void posix_lives_begin(void (*leave)(void))
{
	pthread_key_t first;
	bool taken = !pthread_key_create(&first, NULL);

	leave_list = leave;
	pthread_key_create(&life, lived);
	posix_life_begins();
	if (taken)
		pthread_key_delete(first);
}

/* In the first round of destructors, because a first thread that was stopped does not reach the
 * last. */
void posix_life_ends(void)
{
	pthread_setspecific(life, (void *)(uintptr_t)1);
}

void posix_lives_forked(void)
{
	atomic_store(&living, 1);
	atomic_store(&calls_back, false);
}

void posix_life_expect(void)
{
	atomic_fetch_add(&living, 1);
}

void posix_life_forget(void)
{
	atomic_fetch_sub(&living, 1);
}

void posix_life_calls_back(void)
{
	if (!atomic_load_explicit(&calls_back, memory_order_relaxed) &&
	    !atomic_exchange(&calls_back, true))
		atomic_fetch_add(&living, 1);
}
