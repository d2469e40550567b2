/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What deletions leave to Linux: names of the session, and memory that other processes have mapped.
 * When a record comes here, its object cannot be found any more, and all its waiters have been
 * woken. A task that deletes an object in primary mode stays in this mode, so that no less urgent
 * task runs in the middle of its service: a thread does the rest. A caller that needs it done, to
 * use a name again or to report that an object has gone, does it itself.
 */
#define _GNU_SOURCE
#include "alchemy_internal.h"
#include "runtime/linux_thread.h"

#include <pthread.h>

static struct alchemy_object *_Atomic left; /* records that tasks have left here */
static _Atomic uint32_t undone;             /* how many are left here or are being freed */
/* A task owns this lock only in secondary mode, where it ends in its next service of the nucleus.
 * In primary mode it may be deleted at any moment, and would keep the lock. */
static pthread_mutex_t doing;
/* The thread waits at it; 0: there is none. */
static _Atomic tact_sem_t wakes;

/* The thread inherits priority, for the tasks that wait for it are more urgent. */
__attribute__((constructor)) static void make_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&doing, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

/* All that is left, the oldest first. */
static struct alchemy_object *take(void)
{
	struct alchemy_object *newest = atomic_exchange(&left, NULL);
	struct alchemy_object *oldest = NULL;

	while (newest) {
		struct alchemy_object *next = newest->next;

		newest->next = oldest;
		oldest = newest;
		newest = next;
	}
	return oldest;
}

void alchemy_free_deferred(void)
{
	struct alchemy_object *object;
	int cancel;

	if (!atomic_load(&undone))
		return;
	if (tact_mode() == TACT_MODE_PRIMARY && tact_task_relax())
		return; /* the task may not go to Linux, and the thread frees them */
	/* close() is a cancellation point: a thread that ended there with the lock would keep
	 * it. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&doing);
	object = take();
	while (object) {
		struct alchemy_object *next = object->next;

		alchemy_free(object);
		atomic_fetch_sub(&undone, 1);
		object = next;
	}
	pthread_mutex_unlock(&doing);
	pthread_setcancelstate(cancel, NULL);
}

/* The thread ends with the nucleus, after it has freed what came last. If several threads were
 * begun at once, one of them stays. */
static void *run(void *arg)
{
	tact_sem_t sem = {(uint32_t)(uintptr_t)arg}, none = {0};
	int error;

	/* The creator may have set `wakes` already. */
	if (!atomic_compare_exchange_strong(&wakes, &none, sem) && none.id != sem.id) {
		(void)tact_sem_delete(sem);
		return NULL;
	}
	do {
		error = tact_sem_wait(sem, TACT_FOREVER);
		alchemy_free_deferred();
	} while (!error || error == -TACT_EINTR);
	atomic_compare_exchange_strong(&wakes, &sem, ((tact_sem_t){0}));
	return NULL;
}

/* There is no lock here, because the calling task may be deleted at any point. */
void alchemy_deferred_free_begin(void)
{
	tact_sem_t sem = atomic_load(&wakes), none = {0};
	pthread_t thread;

	if (sem.id || tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem))
		return;
	if (runtime_linux_thread(&thread, run, (void *)(uintptr_t)sem.id)) {
		(void)tact_sem_delete(sem);
		return;
	}
	(void)pthread_setname_np(thread, "rt_delete");
	pthread_detach(thread);
	(void)atomic_compare_exchange_strong(&wakes, &none, sem);
}

bool alchemy_defer_free(struct alchemy_object *object)
{
	tact_sem_t sem = atomic_load(&wakes);
	int error;

	if (!sem.id || tact_mode() != TACT_MODE_PRIMARY || alchemy_is_main())
		return false;
	atomic_fetch_add(&undone, 1);
	object->next = atomic_load(&left);
	while (!atomic_compare_exchange_weak(&left, &object->next, object))
		;
	error = tact_sem_post(sem);
	/* The semaphore is of an earlier start of the nucleus: there is no thread any more. */
	if (error && error != -TACT_EOVERFLOW)
		alchemy_free_deferred();
	return true;
}
