/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores. */
#include "vrtx_internal.h"

#define VALUE_MAX 65535u

struct how {
	uint32_t initial;
	uint32_t flags;
};

static tact_sem_t native_of(const struct vrtx_object *sem)
{
	return (tact_sem_t){runtime_native(&sem->record).id};
}

static inline const struct vrtx_object *find(int semid, int *errp)
{
	const struct vrtx_object *sem = vrtx_find(semid, VRTX_SEM);

	if (!sem)
		vrtx_tell(errp, ER_ID);
	return sem;
}

/* Without a name: a wait at an object that has one takes longer. */
static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *sem = how;
	tact_sem_t made = {0};
	int error = tact_sem_create(NULL, sem->initial, VALUE_MAX, sem->flags, &made);

	(void)key;
	(void)record;
	*native = tact_object(made);
	return error;
}

int sc_screate(unsigned initval, int opt, int *errp)
{
	const struct how how = {initval, opt ? TACT_FIFO : TACT_PRIO};
	int id;

	if (opt & ~1 || initval > VALUE_MAX) {
		vrtx_tell(errp, ER_IIP);
		return -1;
	}
	id = vrtx_create(VRTX_SEM, NULL, make, &how, ER_NOCB, errp);
	return id ? id : -1;
}

void sc_sdelete(int semid, int opt, int *errp)
{
	struct tact_sem_info info = {.size = sizeof(info)};
	const struct vrtx_object *sem = find(semid, errp);
	int error;

	if (!sem)
		return;
	(void)tact_sem_inquire(native_of(sem), &info);
	error = vrtx_may_delete(opt, info.waiters != 0);
	if (!error)
		error = vrtx_code_now(runtime_delete(&vrtx_objects, (uint32_t)semid, VRTX_SEM),
				      ER_ID);
	vrtx_tell(errp, error);
}

/* All cases but the usual one, apart, so that the usual one saves few registers. */
__attribute__((noinline)) static void pend(const struct vrtx_object *sem, long timeout, int *errp)
{
	vrtx_tell(errp, VRTX_WAIT(timeout, tact_sem_wait(native_of(sem), until)));
}

void sc_spend(int semid, long timeout, int *errp)
{
	const struct vrtx_object *sem = find(semid, errp);
	int result;

	if (!sem)
		return;
	if (timeout > 0) {
		pend(sem, timeout, errp);
		return;
	}
	result = tact_sem_wait(native_of(sem), TACT_FOREVER);
	if (result == -TACT_EPERM)
		pend(sem, 0, errp);
	else
		vrtx_tell(errp, vrtx_code(result));
}

void sc_saccept(int semid, int *errp)
{
	const struct vrtx_object *sem = find(semid, errp);

	if (sem)
		vrtx_tell(errp, vrtx_code_now(tact_sem_wait(native_of(sem), TACT_NOWAIT), ER_ID));
}

void sc_spost(int semid, int *errp)
{
	const struct vrtx_object *sem = find(semid, errp);

	if (sem)
		vrtx_tell(errp, vrtx_code_now(tact_sem_post(native_of(sem)), ER_ID));
}

int sc_sinquiry(int semid, int *errp)
{
	struct tact_sem_info info = {.size = sizeof(info)};
	const struct vrtx_object *sem = find(semid, errp);

	if (sem)
		vrtx_tell(errp, vrtx_code_now(tact_sem_inquire(native_of(sem), &info), ER_ID));
	return (int)info.value;
}
