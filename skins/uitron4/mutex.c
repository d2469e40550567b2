/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes. Each task has a list of those that it has locked, because its end unlocks them. A mutex
 * whose owner was ended by ter_tsk() is owner-dead for the nucleus; µITRON does not tell the next
 * owner, so it is made consistent.
 */
#include "uitron4.h"

static int make(struct itron_object *object, const char *key, const void *how,
		tact_object_t *native)
{
	const PRI *ceiling = how;
	const ATR protocol = object->attributes;
	tact_mutex_t made = {0};
	uint32_t flags = TACT_ON_CPU(0) | (protocol == TA_TFIFO ? TACT_FIFO : TACT_PRIO);
	int error;

	if (protocol == TA_CEILING)
		flags |= TACT_MUTEX_CEILING;
	else if (protocol != TA_INHERIT)
		flags |= TACT_MUTEX_PLAIN;
	object->mutex.ceiling = protocol == TA_CEILING ? *ceiling : 0;
	error = tact_mutex_create(
		key, flags, protocol == TA_CEILING ? itron_native_priority(*ceiling) : 0, &made);
	*native = tact_object(made);
	return error;
}

static ER create(ID id, const T_CMTX *packet)
{
	if (itron_bad(packet))
		return E_PAR;
	if (packet->mtxatr > TA_CEILING)
		return E_RSATR;
	if (packet->mtxatr == TA_CEILING &&
	    (packet->ceilpri < TMIN_TPRI || packet->ceilpri > TMAX_TPRI))
		return E_PAR;
	return itron_create(&(struct itron_making){.type = ITRON_MUTEX,
						   .id = id,
						   .attributes = packet->mtxatr,
						   .make = make,
						   .how = &packet->ceilpri});
}

ER cre_mtx(ID mtxid, const T_CMTX *pk_cmtx)
{
	return mtxid <= 0 ? E_ID : uitron4_ok(create(mtxid, pk_cmtx));
}

ER_ID acre_mtx(const T_CMTX *pk_cmtx)
{
	return create(0, pk_cmtx);
}

/* The mutex is no more on the list of its owner. */
static void unlink_owned(struct itron_object *mutex)
{
	struct itron_key key = itron_lock();
	struct itron_object *owner = mutex->mutex.owner;
	struct itron_object **place = owner ? &owner->task.more.mutexes : NULL;

	while (place && *place && *place != mutex)
		place = &(*place)->mutex.next;
	if (place && *place)
		*place = mutex->mutex.next;
	mutex->mutex.owner = NULL;
	itron_unlock(key);
}

static void link_owned(struct itron_object *mutex, struct itron_object *owner)
{
	struct itron_key key = itron_lock();

	mutex->mutex.owner = owner;
	mutex->mutex.next = owner->task.more.mutexes;
	owner->task.more.mutexes = mutex;
	itron_unlock(key);
}

void uitron4_mutexes_end(struct itron_object *self)
{
	while (self->task.more.mutexes) {
		struct itron_object *mutex = self->task.more.mutexes;

		unlink_owned(mutex);
		(void)tact_mutex_unlock(itron_mutex(mutex));
	}
}

void uitron4_mutexes_disown(struct itron_object *task)
{
	while (task->task.more.mutexes)
		unlink_owned(task->task.more.mutexes);
}

bool uitron4_mutexes_allow(const struct itron_object *task, PRI priority)
{
	const struct itron_object *mutex = task->task.more.mutexes;

	for (; mutex; mutex = mutex->mutex.next)
		if (priority < mutex->mutex.ceiling)
			return false;
	return true;
}

ER del_mtx(ID mtxid)
{
	struct itron_object *mutex;
	ER code = itron_find_to_change(ITRON_MUTEX, mtxid, &mutex);

	if (code)
		return code;
	unlink_owned(mutex);
	return itron_delete(ITRON_MUTEX, mtxid);
}

ER tloc_mtx(ID mtxid, TMO tmout)
{
	struct itron_object *self = itron_self();
	struct itron_object *mutex;
	tact_timeout_t timeout;
	tact_mutex_t native;
	ER code = itron_find(ITRON_MUTEX, mtxid, &mutex);
	int error;

	if (!code && !self)
		code = E_CTX;
	if (!code)
		code = itron_wait(tmout, TTW_MTX, mtxid, &timeout);
	if (code)
		return code;
	native = itron_mutex(mutex);
	error = tact_mutex_lock(native, timeout);
	if (error == -TACT_EOWNERDEAD)
		error = tact_mutex_consistent(native);
	/* A circle is refused, as is a base priority above the ceiling. */
	if (error == -TACT_EDEADLK || error == -TACT_EINVAL)
		return E_ILUSE;
	if (!error)
		link_owned(mutex, self);
	return itron_waited(error, tmout);
}

ER loc_mtx(ID mtxid)
{
	return tloc_mtx(mtxid, TMO_FEVR);
}

ER ploc_mtx(ID mtxid)
{
	return tloc_mtx(mtxid, TMO_POL);
}

ER unl_mtx(ID mtxid)
{
	struct itron_object *self = itron_self();
	struct itron_object *mutex;
	ER code = itron_find(ITRON_MUTEX, mtxid, &mutex);

	if (!code && !self)
		code = E_CTX;
	if (code)
		return code;
	if (mutex->mutex.owner != self)
		return E_ILUSE;
	unlink_owned(mutex);
	return itron_result(tact_mutex_unlock(itron_mutex(mutex)));
}

ER ref_mtx(ID mtxid, T_RMTX *pk_rmtx)
{
	const struct itron_object *owner;
	struct itron_object *mutex;
	ER code;

	if (itron_bad(pk_rmtx))
		return E_PAR;
	code = itron_find(ITRON_MUTEX, mtxid, &mutex);
	if (code)
		return code;
	owner = mutex->mutex.owner;
	pk_rmtx->htskid = owner ? owner->id : TSK_NONE;
	pk_rmtx->wtskid =
		itron_first_waiter(TTW_MTX, mtxid, mutex->attributes ? TA_TPRI : TA_TFIFO);
	return E_OK;
}
