/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: those of the nucleus, and its mutexes for mutual exclusion. */
#include <semLib.h>

#include <intLib.h>
#include <semEvLib.h>
#include <tactus/safe.h>

#include "vxworks_internal.h"

enum vxworks_sem_kind { VXWORKS_BINARY, VXWORKS_COUNTING, VXWORKS_MUTEX };

struct how {
	uint32_t kind;
	uint32_t flags;
	uint32_t initial;
	uint32_t options;
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
	((struct vxworks_object *)record)->sem.options = sem->options;
	return sem->kind == VXWORKS_MUTEX ? make_mutex(sem, key, native)
					  : make_sem(sem, key, native);
}

/* Options that every semaphore has; SEM_INTERRUPTIBLE changes nothing for tasks of the kernel. */
#define ANY_OPTIONS (SEM_Q_PRIORITY | SEM_EVENTSEND_ERR_NOTIFY | SEM_INTERRUPTIBLE)

static SEM_ID create(struct how how, int options, int allowed)
{
	if (vxworks_begin() == ERROR)
		return NULL;
	if (options & ~allowed)
		return vxworks_no_id(S_semLib_INVALID_OPTION);
	how.flags |= options & SEM_Q_PRIORITY ? TACT_PRIO : TACT_FIFO;
	how.options = (uint32_t)options;
	return vxworks_create(VXWORKS_SEM, make, &how);
}

SEM_ID semBCreate(int options, SEM_B_STATE initialState)
{
	if (initialState != SEM_EMPTY && initialState != SEM_FULL)
		return vxworks_no_id(S_semLib_INVALID_STATE);
	return create((struct how){.kind = VXWORKS_BINARY, .initial = initialState}, options,
		      ANY_OPTIONS);
}

SEM_ID semCCreate(int options, int initialCount)
{
	if (initialCount < 0)
		return vxworks_no_id(S_semLib_INVALID_INITIAL_COUNT);
	return create((struct how){.kind = VXWORKS_COUNTING, .initial = (uint32_t)initialCount},
		      options, ANY_OPTIONS);
}

SEM_ID semMCreate(int options)
{
	const bool inherits = options & SEM_INVERSION_SAFE;

	if (inherits && !(options & SEM_Q_PRIORITY))
		return vxworks_no_id(S_semLib_INVALID_QUEUE_TYPE);
	return create((struct how){.kind = VXWORKS_MUTEX,
				   .flags = (inherits ? 0 : TACT_MUTEX_PLAIN) |
					    (options & SEM_DELETE_SAFE ? TACT_MUTEX_SAFE : 0)},
		      options, ANY_OPTIONS | SEM_INVERSION_SAFE | SEM_DELETE_SAFE);
}

/* The memory is the program's, and not needed. */
SEM_ID semBInitialize(char *pSemMem, int options, SEM_B_STATE initialState)
{
	return pSemMem ? semBCreate(options, initialState) : vxworks_no_id(EINVAL);
}

SEM_ID semCInitialize(char *pSemMem, int options, int initialCount)
{
	return pSemMem ? semCCreate(options, initialCount) : vxworks_no_id(EINVAL);
}

SEM_ID semMInitialize(char *pSemMem, int options)
{
	return pSemMem ? semMCreate(options) : vxworks_no_id(EINVAL);
}

SEM_ID semCreate(void)
{
	return semBCreate(SEM_Q_FIFO, SEM_EMPTY);
}

STATUS semClear(SEM_ID semId)
{
	return semTake(semId, NO_WAIT);
}

/* The owner of a mutex may have ended: its next owner has it as if it was given. */
static int lock(tact_mutex_t mutex, tact_timeout_t timeout)
{
	int error = tact_mutex_lock(mutex, timeout);

	return error == -TACT_EOWNERDEAD ? tact_mutex_consistent(mutex) : error;
}

static STATUS taken(int error, int timeout)
{
	return error == -TACT_EPERM ? vxworks_fail(S_intLib_NOT_ISR_CALLABLE)
				    : vxworks_waited(error, timeout);
}

/* The cases but the usual one, apart, so that the usual one needs few registers. */
__attribute__((noinline)) static STATUS take(const struct vxworks_object *sem, int timeout)
{
	const tact_timeout_t until = vxworks_timeout(timeout);

	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	/* Of a handler that would wait, the nucleus says this. */
	if (timeout == NO_WAIT && vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return taken(is_mutex(sem) ? lock(mutex_of(sem), until) : tact_sem_wait(sem_of(sem), until),
		     timeout);
}

STATUS semTake(SEM_ID semId, int timeout)
{
	const struct vxworks_object *sem = find(semId);
	int error;

	if (!sem || is_mutex(sem) || timeout >= 0)
		return take(sem, timeout);
	error = tact_sem_wait(sem_of(sem), TACT_FOREVER);
	return error ? taken(error, timeout) : OK;
}

/* Is it free, and does nobody wait for it? */
static bool is_free(const struct vxworks_object *sem)
{
	struct tact_sem_info info = {0};
	struct tact_mutex_info mutex = {0};

	if (is_mutex(sem))
		return !tact_mutex_inquire(mutex_of(sem), &mutex) && !mutex.owner.id;
	return !tact_sem_inquire(sem_of(sem), &info) && info.value;
}

static STATUS given(struct vxworks_object *sem)
{
	if (!atomic_load_explicit(&sem->sem.registration.task, memory_order_acquire) ||
	    !is_free(sem))
		return OK;
	return vxworks_send_events(&sem->sem.registration,
				   sem->sem.options & SEM_EVENTSEND_ERR_NOTIFY);
}

static STATUS give_mutex(struct vxworks_object *sem)
{
	int error = tact_mutex_unlock(mutex_of(sem));

	if (error == -TACT_EPERM)
		return vxworks_fail(vxworks_in_handler() ? S_intLib_NOT_ISR_CALLABLE
							 : S_semLib_INVALID_OPERATION);
	return error ? vxworks_status(error) : given(sem);
}

STATUS semGive(SEM_ID semId)
{
	struct vxworks_object *sem = find(semId);
	int error;

	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (is_mutex(sem))
		return give_mutex(sem);
	error = tact_sem_post(sem_of(sem));
	/* A binary semaphore that is full stays full. */
	if (error == -TACT_EOVERFLOW)
		return sem->sem.kind == VXWORKS_BINARY ? OK : vxworks_fail(S_semLib_COUNT_OVERFLOW);
	return error ? vxworks_status(error) : given(sem);
}

STATUS semFlush(SEM_ID semId)
{
	const struct vxworks_object *sem = find(semId);

	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (is_mutex(sem))
		return vxworks_fail(S_semLib_INVALID_OPERATION);
	return vxworks_status(tact_sem_broadcast(sem_of(sem)));
}

STATUS semDelete(SEM_ID semId)
{
	return vxworks_delete(semId, VXWORKS_SEM);
}

STATUS semEvStart(SEM_ID semId, UINT32 events, UINT8 options)
{
	struct vxworks_object *sem = find(semId);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return vxworks_register(&sem->sem.registration, events, options, is_free(sem));
}

STATUS semEvStop(SEM_ID semId)
{
	struct vxworks_object *sem = find(semId);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return vxworks_deregister(&sem->sem.registration);
}
