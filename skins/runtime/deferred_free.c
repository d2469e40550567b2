/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part of a deletion that Linux does later: see deferred_free.h. */
#define _GNU_SOURCE
#include "runtime/deferred_free.h"

#include <pthread.h>

#include "runtime/caller.h"
#include "runtime/linux_thread.h"

static struct base_inbox left;  /* records that tasks have left here */
static _Atomic uint32_t undone; /* how many are left here or are being freed */
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

static struct runtime_record *record_of(struct base_inbox_node *node)
{
	return (struct runtime_record *)((char *)node - offsetof(struct runtime_record, left));
}

void runtime_free_deferred(void)
{
	struct base_inbox_node *node;
	int cancel;

	if (!atomic_load(&undone))
		return;
	if (tact_mode() == TACT_MODE_PRIMARY && tact_task_relax())
		return; /* the task may not go to Linux, and the thread frees them */
	/* close() is a cancellation point: a thread that ended there with the lock would keep
	 * it. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_mutex_lock(&doing);
	node = base_inbox_take(&left);
	while (node) {
		struct base_inbox_node *next = node->next;

		runtime_free(record_of(node));
		atomic_fetch_sub(&undone, 1);
		node = next;
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
		runtime_free_deferred();
	} while (!error || error == -TACT_EINTR);
	atomic_compare_exchange_strong(&wakes, &sem, ((tact_sem_t){0}));
	return NULL;
}

/* There is no lock here, because the calling task may be deleted at any point. */
void runtime_deferred_free_begin(void)
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

bool runtime_defer_free(struct runtime_record *record)
{
	tact_sem_t sem = atomic_load(&wakes);
	int error;

	if (!sem.id || tact_mode() != TACT_MODE_PRIMARY || runtime_is_main())
		return false;
	atomic_fetch_add(&undone, 1);
	(void)base_inbox_push(&left, &record->left);
	error = tact_sem_post(sem);
	/* The semaphore is of an earlier start of the nucleus: there is no thread any more. */
	if (error && error != -TACT_EOVERFLOW)
		runtime_free_deferred();
	return true;
}

void runtime_drop(struct runtime_record *record)
{
	if (!record->give_back || !runtime_defer_free(record))
		runtime_free(record);
}
