/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores. */
#include "core.h"

int itron_sem_make(struct itron_object *object, const char *key, const void *how,
		   tact_object_t *native)
{
	const struct itron_sem_how *sem = how;
	tact_sem_t made = {0};
	int error = tact_sem_create(key, sem->initial, sem->maximum,
				    itron_order(object->attributes), &made);

	*native = tact_object(made);
	return error;
}

ER del_sem(ID semid)
{
	return itron_delete(ITRON_SEM, semid);
}

ER sig_sem(ID semid)
{
	struct itron_object *sem;
	ER code = itron_find(ITRON_SEM, semid, &sem);

	return code ? code : itron_result(tact_sem_post(itron_sem(sem)));
}

/* All cases but the usual one, apart, so that the usual one saves few registers. */
__attribute__((noinline)) static ER take(ID semid, TMO tmout)
{
	struct itron_object *sem;
	tact_timeout_t timeout;
	ER code = itron_find(ITRON_SEM, semid, &sem);

	if (!code)
		code = itron_wait(tmout, TTW_SEM, semid, &timeout);
	if (code)
		return code;
	code = itron_waited(tact_sem_wait(itron_sem(sem), timeout), tmout);
	itron_wait_over();
	return code;
}

ER twai_sem(ID semid, TMO tmout)
{
	return take(semid, tmout);
}

ER wai_sem(ID semid)
{
	struct itron_object *sem;
	int result;

	if (itron_find(ITRON_SEM, semid, &sem) || !itron_waits_as_usual())
		return take(semid, TMO_FEVR);
	result = tact_sem_wait(itron_sem(sem), RUNTIME_FOREVER);
	return result == -TACT_EPERM ? take(semid, TMO_FEVR) : itron_waited(result, TMO_FEVR);
}

ER itron_sem_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct tact_sem_info info = {.size = sizeof(info)};
	struct itron_object *sem;
	ER code = itron_inquire(packet, ITRON_SEM, id, state, &sem);

	if (!code)
		code = itron_result(tact_sem_inquire(itron_sem(sem), &info));
	if (code)
		return code;
	state->waiter = itron_next_served(sem);
	state->count = info.value;
	return E_OK;
}
