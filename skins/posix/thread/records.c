/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of the program's threads. A thread is in it before Linux makes it. What other threads
 * set for it before it runs (a policy, an affinity) is stored in a record in its creator's memory,
 * which its own record then replaces. So nothing is lost that is set between pthread_create() and
 * the thread's first step.
 */
#define _GNU_SOURCE
#include "posix/thread/records.h"

#include <pthread.h>

#include "posix/libc/real.h"
#include "posix/state/mask.h"
#include "posix/state/mask_cells.h"
#include "posix/state/signal_bits.h"

static struct posix_thread *threads;
static pthread_mutex_t threads_mutex = PTHREAD_MUTEX_INITIALIZER;

void posix_threads_lock(void)
{
	posix_real.pthread_mutex_lock(&threads_mutex);
}

void posix_threads_unlock(void)
{
	posix_real.pthread_mutex_unlock(&threads_mutex);
}

struct posix_thread *posix_thread_of_tid(pid_t tid)
{
	struct posix_thread *thread = threads;

	if (!tid || tid == posix_me.tid)
		return &posix_me;
	while (thread && thread->tid != tid)
		thread = thread->list.next;
	return thread;
}

struct posix_thread *posix_thread_of_pthread(pthread_t pthread)
{
	struct posix_thread *thread = threads;

	while (thread && !(thread->list.named && pthread_equal(thread->pthread, pthread)))
		thread = thread->list.next;
	return thread;
}

/* The caller holds the lock. */
static void put_in(struct posix_thread *thread)
{
	thread->list.next = threads;
	thread->list.link = &threads;
	if (threads)
		threads->list.link = &thread->list.next;
	threads = thread;
}

static void take_out(struct posix_thread *thread)
{
	if (!thread->list.link)
		return;
	*thread->list.link = thread->list.next;
	if (thread->list.next)
		thread->list.next->list.link = thread->list.link;
	thread->list.link = NULL;
}

/* The thread begins with its creator's mask, if its attributes set none. */
static uint64_t first_mask(const sigset_t *given)
{
	if (given)
		return posix_signal_bits(given);
	if (!posix_mask_cell_is_sure(posix_me.mask))
		posix_mask_look();
	return posix_me.list.known ? atomic_load(&posix_me.mask->blocked) : 0;
}

bool posix_thread_init_begin(struct posix_thread_init *thread_init, const sigset_t *given)
{
	thread_init->record.mask = posix_mask_cell_take(first_mask(given));
	if (!thread_init->record.mask)
		return false;
	/* Signals that the thread does not block come from Linux. */
	if (given)
		posix_timers_to_linux(~posix_signal_bits(given));
	posix_threads_lock();
	put_in(&thread_init->record);
	posix_threads_unlock();
	return true;
}

/*
 * The new thread may free the variable into which the C library has written its name, as soon as it
 * runs. So the variable is not read if the thread has entered.
 */
bool posix_thread_init_created(struct posix_thread_init *thread_init, const pthread_t *pthread)
{
	bool entered;

	posix_threads_lock();
	entered = thread_init->left;
	thread_init->left = true;
	if (!entered) {
		thread_init->record.pthread = *pthread;
		thread_init->record.list.named = true;
	}
	posix_threads_unlock();
	return !entered;
}

void posix_thread_init_cancel(struct posix_thread_init *thread_init)
{
	posix_threads_lock();
	take_out(&thread_init->record);
	posix_threads_unlock();
	posix_mask_cell_leave(thread_init->record.mask);
}

/* Under the lock: from now on all settings go to the thread's own record. */
static void take_over(const struct posix_thread *record)
{
	posix_me.policy = record->policy;
	posix_me.priority = record->priority;
	posix_me.summary.last_policy = record->summary.last_policy;
	posix_me.summary.last_priority = record->summary.last_priority;
	posix_me.affinity.confined = record->affinity.confined;
	posix_me.made.placed = record->made.placed;
	posix_me.affinity.set = record->affinity.set;
	posix_me.made.stack_bytes = record->made.stack_bytes;
	posix_me.follow.unfit = record->follow.unfit;
	atomic_store_explicit(&posix_me.made.reported,
			      atomic_load_explicit(&record->made.reported, memory_order_relaxed),
			      memory_order_relaxed);
	posix_me.stay.inherited = record->stay.inherited;
	posix_me.stay.waits_first =
		atomic_load_explicit(&record->stay.waits_first, memory_order_relaxed);
	atomic_store_explicit(&posix_me.state,
			      atomic_load_explicit(&record->state, memory_order_relaxed),
			      memory_order_relaxed);
}

bool posix_thread_enter(struct posix_thread_init *thread_init)
{
	bool left = false;

	posix_me.tid = posix_real.gettid();
	posix_me.pthread = pthread_self();
	/* For the first thread this cannot fail. */
	posix_me.mask = thread_init ? thread_init->record.mask : posix_mask_cell_take(0);
	atomic_store(&posix_me.mask->tid, posix_me.tid);
	posix_mask_look();
	posix_threads_lock();
	if (thread_init) {
		take_out(&thread_init->record);
		take_over(&thread_init->record);
		left = thread_init->left;
		thread_init->left = true;
	}
	posix_me.list.known = posix_me.list.named = true;
	put_in(&posix_me);
	posix_threads_unlock();
	return left;
}

void posix_records_leave(void)
{
	posix_threads_lock();
	take_out(&posix_me);
	posix_me.list.known = false;
	posix_threads_unlock();
	posix_mask_cell_leave(posix_me.mask);
	posix_me.mask = &posix_mask_cell_nobodys;
}

void posix_records_forked(void)
{
	posix_lock_forked(&threads_mutex);
	posix_me.tid = posix_real.gettid();
	posix_me.list.next = NULL;
	posix_me.list.link = posix_me.list.known ? &threads : NULL;
	atomic_store(&posix_me.mask->tid, posix_me.tid);
	posix_mask_cells_forked(posix_me.mask);
	threads = posix_me.list.known ? &posix_me : NULL;
}

void posix_threads_policy_changed(void)
{
	posix_threads_lock();
	for (struct posix_thread *thread = threads; thread; thread = thread->list.next)
		atomic_fetch_or_explicit(&thread->state, POSIX_POLICY_CHANGED,
					 memory_order_release);
	posix_threads_unlock();
	(void)posix_thread_settle();
}

void posix_threads_sum_up(void (*take)(struct posix_thread *thread,
				       const struct tact_task_info *info))
{
	struct tact_task_info info = {0};

	posix_threads_lock();
	for (struct posix_thread *thread = threads; thread; thread = thread->list.next)
		if (posix_thread_is_task(thread) && !tact_task_inquire(thread->task, &info))
			take(thread, &info);
	posix_threads_unlock();
}
