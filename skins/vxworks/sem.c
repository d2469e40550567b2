/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: those of the nucleus, and its mutexes for mutual exclusion. */
#include <semLib.h>

#include "vxworks_internal.h"

#include "vxworks_errors.h"

enum vxworks_sem_kind { VXWORKS_BINARY, VXWORKS_COUNTING, VXWORKS_MUTEX };

struct how {
	uint32_t kind;
	uint32_t flags;
	uint32_t initial;
};

static struct vxworks_object *find(SEM_ID id)
{
	return vxworks_find(id, VXWORKS_SEM);
}

static bool is_mutex(const struct vxworks_object *sem)
{
	return sem->sem.kind == VXWORKS_MUTEX;
}

static tact_sem_t sem_of(const struct vxworks_object *sem)
{
	return (tact_sem_t){runtime_native(&sem->record).id};
}

static tact_mutex_t mutex_of(const struct vxworks_object *sem)
{
	return (tact_mutex_t){runtime_native(&sem->record).id};
}

static int make_sem(const struct how *how, const char *key, tact_object_t *native)
{
	const uint32_t most = how->kind == VXWORKS_BINARY ? 1 : TACT_SEM_VALUE_MAX;
	tact_sem_t made = {0};
	int error = tact_sem_create(key, how->initial, most, how->flags, &made);

	*native = tact_object(made);
	return error;
}

static int make_mutex(const struct how *how, const char *key, tact_object_t *native)
{
	tact_mutex_t made = {0};
	int error = tact_mutex_create(key, how->flags | TACT_MUTEX_RECURSIVE, 0, &made);

	*native = tact_object(made);
	return error;
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *sem = how;

	((struct vxworks_object *)record)->sem.kind = sem->kind;
	return sem->kind == VXWORKS_MUTEX ? make_mutex(sem, key, native)
					  : make_sem(sem, key, native);
}

static SEM_ID create(struct how how, int options, int allowed)
{
	if (vxworks_begin() == ERROR)
		return NULL;
	if (options & ~allowed) {
		(void)vxworks_fail(S_semLib_INVALID_OPTION);
		return NULL;
	}
	how.flags |= options & SEM_Q_PRIORITY ? TACT_PRIO : TACT_FIFO;
	return vxworks_create(VXWORKS_SEM, make, &how);
}

SEM_ID semBCreate(int options, SEM_B_STATE initialState)
{
	if (initialState != SEM_EMPTY && initialState != SEM_FULL) {
		(void)vxworks_fail(S_semLib_INVALID_STATE);
		return NULL;
	}
	return create((struct how){.kind = VXWORKS_BINARY, .initial = initialState}, options,
		      SEM_Q_PRIORITY);
}

SEM_ID semCCreate(int options, int initialCount)
{
	if (initialCount < 0) {
		(void)vxworks_fail(S_semLib_INVALID_STATE);
		return NULL;
	}
	return create((struct how){.kind = VXWORKS_COUNTING, .initial = (uint32_t)initialCount},
		      options, SEM_Q_PRIORITY);
}

SEM_ID semMCreate(int options)
{
	bool inherits = options & SEM_INVERSION_SAFE;

	if (inherits && !(options & SEM_Q_PRIORITY)) {
		(void)vxworks_fail(S_semLib_INVALID_QUEUE_TYPE);
		return NULL;
	}
	return create((struct how){.kind = VXWORKS_MUTEX, .flags = inherits ? 0 : TACT_MUTEX_PLAIN},
		      options, SEM_Q_PRIORITY | SEM_INVERSION_SAFE);
}

/* The owner of a mutex may have ended: its next owner has it as if it was given. */
static int lock(tact_mutex_t mutex, tact_timeout_t timeout)
{
	int error = tact_mutex_lock(mutex, timeout);

	return error == -TACT_EOWNERDEAD ? tact_mutex_consistent(mutex) : error;
}

STATUS semTake(SEM_ID semId, int timeout)
{
	const struct vxworks_object *sem = find(semId);
	const tact_timeout_t until = vxworks_timeout(timeout);

	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (runtime_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return vxworks_status(vxworks_object_errors, is_mutex(sem)
							     ? lock(mutex_of(sem), until)
							     : tact_sem_wait(sem_of(sem), until));
}

static STATUS give_mutex(const struct vxworks_object *sem)
{
	int error;

	if (runtime_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	error = tact_mutex_unlock(mutex_of(sem));
	return error == -TACT_EPERM ? vxworks_fail(S_semLib_INVALID_OPERATION)
				    : vxworks_status(vxworks_object_errors, error);
}

STATUS semGive(SEM_ID semId)
{
	const struct vxworks_object *sem = find(semId);
	int error;

	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (is_mutex(sem))
		return give_mutex(sem);
	error = tact_sem_post(sem_of(sem));
	/* A binary semaphore that is full stays full. */
	if (error == -TACT_EOVERFLOW && sem->sem.kind == VXWORKS_BINARY)
		return OK;
	return vxworks_status(vxworks_object_errors, error);
}

STATUS semFlush(SEM_ID semId)
{
	const struct vxworks_object *sem = find(semId);

	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (is_mutex(sem))
		return vxworks_fail(S_semLib_INVALID_OPERATION);
	return vxworks_status(vxworks_object_errors, tact_sem_broadcast(sem_of(sem)));
}

STATUS semDelete(SEM_ID semId)
{
	if (runtime_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return vxworks_status(vxworks_object_errors,
			      runtime_delete(&vxworks_objects, (uintptr_t)semId, VXWORKS_SEM));
}
