/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locks for readers and a writer, and locks of which RTAI's waiters spin. Locks of the nucleus do
 * the work; what they do not have is that an owner locks again, which is counted here.
 */
#include "rtai_task.h"

#include <rtai_rwl.h>
#include <rtai_spl.h>

#define READERS 32u

struct owner {
	tact_task_t task; /* 0: free */
	uint32_t depth;
};

struct rwl {
	bool recursive;
	struct owner writer;
	struct owner reader[READERS];
};
_Static_assert(sizeof(struct rwl) <= RTAI_EXTRA_BYTES, "a lock fits into its record");

static int make_rwl(struct runtime_record *record, const char *key, const void *how,
		    tact_object_t *native)
{
	struct rwl *rwl = runtime_extra(record);
	tact_rwlock_t made = {0};
	int error = tact_rwlock_create(key, READERS, TACT_PRIO | TACT_RWLOCK_FAIR, &made);

	rwl->recursive = *(const int *)how == RESEM_RECURS;
	*native = tact_object(made);
	return error;
}

RWL *rt_typed_rwl_init(unsigned long name, int type)
{
	return rtai_create(RTAI_RWL, name, make_rwl, &type);
}

RWL *rt_rwl_init(unsigned long name)
{
	return rt_typed_rwl_init(name, RESEM_RECURS);
}

RWL *rt_named_rwl_init(const char *name)
{
	const int type = RESEM_RECURS;

	return rtai_create_shared(RTAI_RWL, nam2num(name), make_rwl, &type);
}

static int erase(void *pointer, enum rtai_type type)
{
	struct runtime_record *record = rtai_take(pointer, type);

	if (!record)
		return -EFAULT;
	(void)tact_delete(runtime_native(record));
	runtime_drop(record);
	return 1;
}

static int erase_rwl(void *pointer)
{
	return erase(pointer, RTAI_RWL);
}

int rt_rwl_delete(RWL *rwl)
{
	return erase_rwl(rwl);
}

int rt_named_rwl_delete(RWL *rwl)
{
	return rtai_release_shared(rwl, RTAI_RWL, erase_rwl);
}

/* The place of a reader; of task 0 a free one. NULL: there is none. */
static struct owner *reader_of(struct rwl *rwl, tact_task_t task)
{
	for (uint32_t i = 0; i < READERS; i++)
		if (tact_same(rwl->reader[i].task, task))
			return &rwl->reader[i];
	return NULL;
}

/* The nucleus says that the caller owns the lock already. */
static int lock_again(struct rwl *rwl, bool write)
{
	struct owner *reader = reader_of(rwl, tact_task_self());

	if (!write && reader) {
		reader->depth++;
		return 0;
	}
	if (!write)
		return RTE_RWLINV;
	if (reader || !rwl->recursive)
		return RTE_DEADLOK;
	rwl->writer.depth++;
	return 0;
}

static bool has_ended(tact_task_t task)
{
	struct tact_task_info info = {0};

	return tact_task_inquire(task, &info) || info.state & TACT_TASK_STATE_ENDED;
}

/* A reader that ended has left its place taken. */
static struct owner *free_place(struct rwl *rwl)
{
	struct owner *place = reader_of(rwl, (tact_task_t){0});

	for (uint32_t i = 0; i < READERS && !place; i++)
		if (has_ended(rwl->reader[i].task))
			place = &rwl->reader[i];
	return place;
}

static void note_owner(struct rwl *rwl, bool write)
{
	struct owner *place = write ? &rwl->writer : free_place(rwl);

	/* A place is free: the nucleus has let no more readers in. */
	if (place)
		*place = (struct owner){tact_task_self(), 1};
}

/* Returns 0, or a code of RTAI; -1: it is not free, and the caller does not wait. */
static int lock(RWL *pointer, bool write, tact_timeout_t timeout)
{
	struct runtime_record *record = rtai_find(pointer, RTAI_RWL);
	struct runtime_record *self;
	struct rwl *rwl;
	int error;

	if (!record)
		return RTE_OBJINV;
	rwl = runtime_extra(record);
	self = rtai_waits(RT_SCHED_SEMAPHORE |
			  (timeout.kind == TACT_TIMEOUT_FOREVER ? 0 : RT_SCHED_DELAYED));
	error = write ? tact_rwlock_write(rtai_native_rwlock(record), timeout)
		      : tact_rwlock_read(rtai_native_rwlock(record), timeout);
	rtai_waited(self);
	if (error == -TACT_EOWNERDEAD)
		error = write ? tact_rwlock_consistent(rtai_native_rwlock(record)) : 0;
	if (!error)
		note_owner(rwl, write);
	if (error == -TACT_EDEADLK)
		return lock_again(rwl, write);
	return error == -TACT_EAGAIN ? -1 : rtai_result(error);
}

static int read_lock(RWL *rwl, tact_timeout_t timeout)
{
	return lock(rwl, false, timeout);
}

static int write_lock(RWL *rwl, tact_timeout_t timeout)
{
	return lock(rwl, true, timeout);
}

RTAI_TIMED(int, rt_rwl_rdlock, read_lock, (rwl), RWL *rwl)
RTAI_TIMED(int, rt_rwl_wrlock, write_lock, (rwl), RWL *rwl)

static int lock_if(RWL *rwl, bool write)
{
	const int error = lock(rwl, write, TACT_NOWAIT);

	return error && error != RTE_OBJINV ? -1 : error;
}

int rt_rwl_rdlock_if(RWL *rwl)
{
	return lock_if(rwl, false);
}

int rt_rwl_wrlock_if(RWL *rwl)
{
	return lock_if(rwl, true);
}

int rt_rwl_unlock(RWL *pointer)
{
	struct runtime_record *record = rtai_find(pointer, RTAI_RWL);
	const tact_task_t self = tact_task_self();
	struct owner *owner;
	struct rwl *rwl;

	if (!record)
		return RTE_OBJINV;
	rwl = runtime_extra(record);
	if (!self.id)
		return RTE_PERM;
	owner = tact_same(rwl->writer.task, self) ? &rwl->writer : reader_of(rwl, self);
	if (!owner)
		return RTE_PERM;
	if (--owner->depth)
		return 0;
	owner->task = (tact_task_t){0};
	return rtai_result_now(tact_rwlock_unlock(rtai_native_rwlock(record)));
}

static int make_spl(struct runtime_record *record, const char *key, const void *how,
		    tact_object_t *native)
{
	tact_mutex_t made = {0};
	int error = tact_mutex_create(key, TACT_PRIO | TACT_MUTEX_RECURSIVE, 0, &made);

	(void)record;
	(void)how;
	*native = tact_object(made);
	return error;
}

SPL *rt_spl_init(unsigned long name)
{
	return rtai_create(RTAI_SPL, name, make_spl, NULL);
}

SPL *rt_named_spl_init(const char *name)
{
	return rtai_create_shared(RTAI_SPL, nam2num(name), make_spl, NULL);
}

static int erase_spl(void *pointer)
{
	return erase(pointer, RTAI_SPL);
}

int rt_spl_delete(SPL *spl)
{
	return erase_spl(spl);
}

int rt_named_spl_delete(SPL *spl)
{
	return rtai_release_shared(spl, RTAI_SPL, erase_spl);
}

static int lock_spl(SPL *spl, tact_timeout_t timeout)
{
	const struct runtime_record *record = rtai_find(spl, RTAI_SPL);
	struct runtime_record *self;
	int error;

	if (!record)
		return -TACT_EBADF;
	self = rtai_waits(RT_SCHED_SEMAPHORE);
	error = tact_mutex_lock(rtai_native_mutex(record), timeout);
	rtai_waited(self);
	return error == -TACT_EOWNERDEAD ? tact_mutex_consistent(rtai_native_mutex(record)) : error;
}

int rt_spl_lock(SPL *spl)
{
	return rtai_result(lock_spl(spl, TACT_FOREVER));
}

int rt_spl_lock_if(SPL *spl)
{
	const int error = lock_spl(spl, TACT_NOWAIT);

	return error == -TACT_EBADF ? RTE_OBJINV : error ? -1 : 0;
}

int rt_spl_lock_timed(SPL *spl, unsigned long ns)
{
	const int error = lock_spl(spl, tact_in(ns > RUNTIME_NS_MAX ? RUNTIME_NS_MAX : ns));

	return error == -TACT_ETIMEDOUT ? -1 : rtai_result(error);
}

int rt_spl_unlock(SPL *spl)
{
	const struct runtime_record *record = rtai_find(spl, RTAI_SPL);

	if (!record)
		return RTE_OBJINV;
	return tact_mutex_unlock(rtai_native_mutex(record)) ? -1 : 0;
}
