/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the objects of the skin share: records behind descriptors, names, timeouts, error codes and
 * the kinds of callers.
 *
 * A descriptor holds the handle of a record. The handle is the record's place in a table and a
 * generation, by which the descriptor of a deleted object is recognised. Records are never given
 * back to Linux, so a stale handle reads memory that is still a record. The record names the object
 * of the nucleus
 * that does the work; what else an object of the skin has is in `extra`.
 */
#ifndef ALCHEMY_INTERNAL_H
#define ALCHEMY_INTERNAL_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <alchemy/timer.h>
#include <tactus/tact.h>

enum alchemy_type {
	ALCHEMY_TASK = 1,
	ALCHEMY_SEM,
	ALCHEMY_MUTEX,
	ALCHEMY_COND,
	ALCHEMY_EVENT,
	ALCHEMY_ALARM,
	ALCHEMY_QUEUE,
	ALCHEMY_HEAP,
	ALCHEMY_BUFFER,
	ALCHEMY_PIPE,
	ALCHEMY_TYPES,
};

#define ALCHEMY_EXTRA_BYTES 512

struct alchemy_object {
	_Atomic uintptr_t handle; /* 0: reserved or free */
	_Atomic uint32_t taken;   /* 0: free */
	uint32_t generation;
	uint32_t type;
	bool announced;               /* in the session */
	_Atomic tact_object_t native; /* the nucleus's object that carries the name */
	/* Called when the record is dropped, to free what the object has in Linux except its name;
	 * or NULL. */
	void (*give_back)(struct alchemy_object *object);
	struct alchemy_object *next;  /* in the list of deferred_free.c */
	char name[XNOBJECT_NAME_LEN]; /* copied by memcpy(), as handlers have no stdio */
	_Alignas(16) unsigned char extra[ALCHEMY_EXTRA_BYTES];
};

/*
 * Records (object.c).
 *
 * Creation: alchemy_begin(), alchemy_reserve(), make the native object under alchemy_key(),
 * alchemy_publish(); alchemy_drop() undoes a reservation. Deletion: alchemy_take(), which succeeds
 * for one caller; delete the native object; set give_back if Linux has something of the object;
 * alchemy_drop().
 */

/* A record of the type with this name; NULL and "": a name is made up. Returns NULL if there is no
 * memory. Its extra is zeroed. */
struct alchemy_object *alchemy_reserve(enum alchemy_type type, const char *name);
/* The handle that a reserved record will have. */
uintptr_t alchemy_handle(const struct alchemy_object *object);
/* From here on the handle is valid. */
uintptr_t alchemy_show(struct alchemy_object *object, tact_object_t native);
/* The same, and the tasks that wait for its name are woken. */
uintptr_t alchemy_publish(struct alchemy_object *object, tact_object_t native);
/* Free the record and its name in the session: now, or soon if a task in primary mode would have to
 * go to Linux for that (deferred_free.c). */
void alchemy_drop(struct alchemy_object *object);
/* Free it now. Context: linux, if Linux has something of it. */
void alchemy_free(struct alchemy_object *object);

/* The record of a descriptor, whose first member is the handle; NULL: no record of this type. */
struct alchemy_object *alchemy_find(const void *descriptor, enum alchemy_type type);
/* The same, and from here on the record belongs to the caller alone: its handle is stale. */
struct alchemy_object *alchemy_take(const void *descriptor, enum alchemy_type type);
/* The published record of a native object; NULL: there is none. Cost: O(records). */
struct alchemy_object *alchemy_find_native(tact_object_t native, enum alchemy_type type);
/* Call visit for each published record of the type. */
void alchemy_each(enum alchemy_type type, void (*visit)(struct alchemy_object *object));

static inline tact_object_t alchemy_native(const struct alchemy_object *object)
{
	return atomic_load_explicit(&object->native, memory_order_relaxed);
}

/* alchemy_sem(object) and the like: the same as a handle of that type. */
#define ALCHEMY_NATIVE(type)                                                              \
	static inline tact_##type##_t alchemy_##type(const struct alchemy_object *object) \
	{                                                                                 \
		return (tact_##type##_t){alchemy_native(object).id};                      \
	}

ALCHEMY_NATIVE(task)
ALCHEMY_NATIVE(sem)
ALCHEMY_NATIVE(mutex)
ALCHEMY_NATIVE(cond)
ALCHEMY_NATIVE(event)
ALCHEMY_NATIVE(timer)
ALCHEMY_NATIVE(zqueue)
ALCHEMY_NATIVE(heap)
ALCHEMY_NATIVE(buffer)

/* Is this no valid pointer? */
static inline bool alchemy_bad_pointer(const void *pointer)
{
	return (uintptr_t)pointer < 4096 || (uintptr_t)pointer % sizeof(uintptr_t);
}

/*
 * Deletions that are left to a Linux thread (deferred_free.c).
 */

/* Make the thread, if there is none and it can be made. Context: linux. */
void alchemy_deferred_free_begin(void);
/* Leave the call of alchemy_free() to the thread. False: the caller is to call it. */
bool alchemy_defer_free(struct alchemy_object *object);
/* Free all that was left until now, or wait until it is freed. Context: linux. */
void alchemy_free_deferred(void);

/*
 * Creation and deletion of most objects (life.c).
 */

/* Makes the native object of a reserved record, called key in the nucleus's registry. */
typedef int alchemy_make_t(struct alchemy_object *object, const char *key, const void *how,
			   tact_object_t *native);
/* Create an object, and write its handle into the first member of the descriptor. how: passed to
 * make. To be called after alchemy_begin() and the checks of the arguments. Returns what the
 * service returns. */
int alchemy_create(enum alchemy_type type, const char *name, alchemy_make_t *make, const void *how,
		   void *descriptor);
/* For main(), which has started a task: wait until the task has run until it waits, even if it was
 * in Linux meanwhile to make an object. */
void alchemy_let_makers_go_first(void);
/* The service rt_x_delete(). */
int alchemy_delete(enum alchemy_type type, const void *descriptor);

/*
 * Names (names.c). Each type has a name space of its own, while the nucleus has one for all types.
 * So the nucleus's name of an object is `type:name`; of a task, which tools show, it is the name
 * alone.
 */

const char *alchemy_type_name(uint32_t type);
/* Returns key, which has TACT_NAME_BYTES. */
const char *alchemy_key(enum alchemy_type type, const char *name, char *key);
/* Fill in a record's name; make one up for NULL and "". */
void alchemy_name(struct alchemy_object *object, const char *name);
/* The service rt_x_bind(). descriptor: its first member receives the handle. */
int alchemy_bind(enum alchemy_type type, void *descriptor, const char *name, RTIME timeout);
/* The service rt_x_unbind(). */
int alchemy_unbind(void *descriptor);
/* Wait a little, so that another thread can finish what it has begun. 0; -TACT_EINTR: the wait was
 * broken. */
int alchemy_nap(void);

/* Timeouts (timeout.c). */
extern _Atomic uint64_t alchemy_tick;
static inline uint64_t alchemy_tick_ns(void)
{
	return atomic_load_explicit(&alchemy_tick, memory_order_relaxed);
}
tact_timeout_t alchemy_relative(RTIME timeout);
tact_timeout_t alchemy_absolute(RTIME timeout);
/* Returns 0, or -EINVAL. */
int alchemy_timespec(const struct timespec *abs_timeout, tact_timeout_t *timeout);
/* Ticks to ns, at most 2^62 - 1, which is the longest time of the nucleus. */
uint64_t alchemy_ns(RTIME ticks);
/* The same for dates and delays; a negative one has passed, and becomes 1 ns. */
uint64_t alchemy_until_ns(RTIME ticks);

/* The code of Alchemy for a result of the nucleus; 0 and more are returned unchanged (error.c). */
int alchemy_result(int result);
/* The same for a lock. If its last owner has ended, the caller gets -EOWNERDEAD and owns the lock,
 * which is made consistent (mutex.c). */
int alchemy_owned(int result, tact_mutex_t native);

/*
 * The kinds of callers (start.c).
 */

/* Called at the head of each service that creates or binds: starts the nucleus if it is not
 * started.
 * Returns 0, or the error that the service returns. -EPERM from handlers. */
int alchemy_begin(void);
/* Is this an alarm's handler? There no service may wait, create or delete. */
bool alchemy_in_handler(void);
bool alchemy_is_alarm_server(tact_task_t task);
/* Is the caller a task or main()? */
bool alchemy_may_wait(void);
/* Is the caller the weakest task? main() is, unless it has become another one. */
bool alchemy_is_main(void);
/* tact_task_create() for a task that leaves signals to the program to main(). */
int alchemy_task_make(const struct tact_task_attr *attr, tact_task_t *task);
/* tact_task_attach(), also for main(), which is a task already, though not one that the program
 * made. */
int alchemy_attach(const struct tact_task_attr *attr, tact_task_t *task);
/* A semaphore that is never posted, for main() to sleep at; TACT_NONE: it could not be made. */
tact_sem_t alchemy_never(void);

/*
 * The pattern of a waiting service: try, and if that fails, wait, if the caller may wait. A caller
 * that may not wait gets its error only if it would have to wait.
 */
static inline tact_timeout_t alchemy_wait_as(tact_timeout_t timeout, bool *may_wait)
{
	*may_wait = timeout.kind == TACT_TIMEOUT_NOWAIT || alchemy_may_wait();
	return *may_wait ? timeout : TACT_NOWAIT;
}

static inline int alchemy_waited(int result, bool may_wait)
{
	return result == -TACT_EAGAIN && !may_wait ? -EPERM : alchemy_result(result);
}

#endif
