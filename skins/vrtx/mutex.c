/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes. The owner may lock again, which counts nothing: one post frees the mutex. */
#include "vrtx_internal.h"

static tact_mutex_t native_of(const struct vrtx_object *mutex)
{
	return (tact_mutex_t){runtime_native(&mutex->record).id};
}

static const struct vrtx_object *find(int mid, int *errp)
{
	const struct vrtx_object *mutex = vrtx_find(mid, VRTX_MUTEX);

	if (!mutex)
		vrtx_tell(errp, ER_ID);
	return mutex;
}

/* Without a name: a wait at an object that has one takes longer. */
static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	tact_mutex_t made = {0};
	int error = tact_mutex_create(NULL, *(const uint32_t *)how, 0, &made);

	(void)key;
	(void)record;
	*native = tact_object(made);
	return error;
}

int sc_mcreate(unsigned int opt, int *errp)
{
	static const uint32_t flags[] = {TACT_PRIO | TACT_MUTEX_PLAIN, TACT_FIFO | TACT_MUTEX_PLAIN,
					 TACT_PRIO};
	int id;

	if (opt >= sizeof(flags) / sizeof(flags[0])) {
		vrtx_tell(errp, ER_IIP);
		return -1;
	}
	id = vrtx_create(VRTX_MUTEX, NULL, make, &flags[opt], ER_NOCB, errp);
	return id ? id : -1;
}

static tact_task_t owner_of(const struct vrtx_object *mutex)
{
	struct tact_mutex_info info = {.size = sizeof(info)};

	return tact_mutex_inquire(native_of(mutex), &info) ? (tact_task_t){0} : info.owner;
}

/* Option 1 allows it to the owner. */
void sc_mdelete(int mid, int opt, int *errp)
{
	const struct vrtx_object *mutex = find(mid, errp);
	tact_task_t owner;
	int error;

	if (!mutex)
		return;
	owner = owner_of(mutex);
	error = vrtx_may_delete(opt, owner.id != 0);
	if (!error && owner.id && !tact_same(owner, tact_task_self()))
		error = ER_PND;
	if (!error)
		error = vrtx_code_now(runtime_delete(&vrtx_objects, (uint32_t)mid, VRTX_MUTEX),
				      ER_ID);
	vrtx_tell(errp, error);
}

/* The owner may have ended: its next owner has it as if it was posted. */
static int lock(const struct vrtx_object *mutex, tact_timeout_t timeout)
{
	int error = tact_mutex_lock(native_of(mutex), timeout);

	return error == -TACT_EOWNERDEAD ? tact_mutex_consistent(native_of(mutex)) : error;
}

void sc_mpend(int mid, unsigned long timeout, int *errp)
{
	const struct vrtx_object *mutex = find(mid, errp);
	int error;

	if (!mutex)
		return;
	error = lock(mutex, vrtx_timeout((long)timeout));
	if (error == -TACT_EDEADLK && tact_same(owner_of(mutex), tact_task_self()))
		error = 0;
	vrtx_tell(errp, vrtx_code(error));
}

void sc_maccept(int mid, int *errp)
{
	const struct vrtx_object *mutex = find(mid, errp);
	int error;

	if (!mutex)
		return;
	error = lock(mutex, TACT_NOWAIT);
	vrtx_tell(errp, error == -TACT_EAGAIN || error == -TACT_EDEADLK
				? ER_PND
				: vrtx_code_now(error, ER_ID));
}

void sc_mpost(int mid, int *errp)
{
	const struct vrtx_object *mutex = find(mid, errp);
	int error;

	if (!mutex)
		return;
	error = tact_mutex_unlock(native_of(mutex));
	vrtx_tell(errp, error == -TACT_EPERM ? ER_ID : vrtx_code_now(error, ER_ID));
}

int sc_minquiry(int mid, int *errp)
{
	const struct vrtx_object *mutex = find(mid, errp);

	if (!mutex)
		return 0;
	vrtx_tell(errp, RET_OK);
	return !owner_of(mutex).id;
}
