/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the objects of the skin share: records behind descriptors, names, timeouts, error codes and
 * the question who calls.
 *
 * A descriptor holds the handle of a record: its place in a table and a generation, so that the
 * descriptor of a deleted object is known as such. Records are never given back to Linux, so a
 * stale handle reads memory that is still a record. The record names the object of the nucleus
 * that does the work; what an object of the skin has beyond that is in `extra`.
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
	_Atomic tact_handle_t native; /* the nucleus's object that carries the name */
	/* Of one that is dropped: what Linux has of it beside its name; or NULL. */
	void (*give_back)(struct alchemy_object *object);
	struct alchemy_object *next;  /* of those that are left to Linux */
	char name[XNOBJECT_NAME_LEN]; /* for memcpy(): handlers have no stdio */
	_Alignas(16) unsigned char extra[ALCHEMY_EXTRA_BYTES];
};

/*
 * Records (object.c).
 *
 * Creation is: alchemy_begin(), alchemy_reserve(), make the native object under alchemy_key(),
 * alchemy_publish(); alchemy_drop() undoes a reservation. Deletion is: alchemy_take(), which one
 * caller wins, delete what the nucleus has of it, say in give_back how to give back what Linux has,
 * alchemy_drop().
 */

/* A record of the type with this name, or one made up. NULL: no memory. Its extra is zeroed. */
struct alchemy_object *alchemy_reserve(enum alchemy_type type, const char *name);
/* What the handle of a reserved record will be. */
uintptr_t alchemy_handle(const struct alchemy_object *object);
/* From here on the handle is good, */
uintptr_t alchemy_show(struct alchemy_object *object, tact_handle_t native);
/* and who waits for its name is told. */
uintptr_t alchemy_publish(struct alchemy_object *object, tact_handle_t native);
/* The record goes, with its name in the session: now, or soon if a task in primary mode would have
 * to go to Linux for it (deferred_free.c). */
void alchemy_drop(struct alchemy_object *object);
/* It goes now. Context: linux, if Linux has something of it. */
void alchemy_free(struct alchemy_object *object);

/* The record of a descriptor, whose first member is the handle; NULL: not one of this type. */
struct alchemy_object *alchemy_find(const void *descriptor, enum alchemy_type type);
/* The same, and from here on it is nobody else's: its handle is stale. */
struct alchemy_object *alchemy_take(const void *descriptor, enum alchemy_type type);
/* The published record of a native object; NULL: there is none. Cost: O(records). */
struct alchemy_object *alchemy_find_native(tact_handle_t native, enum alchemy_type type);
/* Call visit for each published record of the type. */
void alchemy_each(enum alchemy_type type, void (*visit)(struct alchemy_object *object));

static inline tact_handle_t alchemy_native(const struct alchemy_object *object)
{
	return atomic_load_explicit(&object->native, memory_order_relaxed);
}

/* A pointer that cannot be one. */
static inline bool alchemy_bad_pointer(const void *pointer)
{
	return (uintptr_t)pointer < 4096 || (uintptr_t)pointer % sizeof(uintptr_t);
}

/*
 * What is left to Linux (deferred_free.c).
 */

/* From here on there is a thread for it, if there can be one. Context: linux. */
void alchemy_deferred_free_begin(void);
/* Leave it to the thread that alchemy_free() is called; false: the caller is to do that. */
bool alchemy_defer_free(struct alchemy_object *object);
/* Nothing that was left until now is when this returns. Context: linux. */
void alchemy_free_deferred(void);

/*
 * What most objects do with the above (life.c).
 */

/* Makes the native object of a reserved record, called key in the nucleus's registry. */
typedef int alchemy_make_t(struct alchemy_object *object, const char *key, const void *how,
			   tact_handle_t *native);
/* From a name to a descriptor, in whose first member the handle comes; how: make's. What a service
 * returns; after alchemy_begin(), and checks of the arguments. */
int alchemy_create(enum alchemy_type type, const char *name, alchemy_make_t *make, const void *how,
		   void *descriptor);
/* By main(), which has started a task: it goes on when the task has run until it waits, even where
 * the task was in Linux meanwhile to make an object. */
void alchemy_let_makers_go_first(void);
/* A service rt_x_delete(): remove is the nucleus's. */
int alchemy_delete(enum alchemy_type type, const void *descriptor,
		   int (*remove)(tact_handle_t native));

/*
 * Names (names.c). Types have name spaces of their own, while the nucleus has one for all: its name
 * of an object is `type:name`, and of a task, which tools show, the name alone.
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
/* Wait a little for another thread to finish what it has begun. 0; -TACT_EINTR: it was broken. */
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
/* Ticks to ns, at most 2^62 - 1: as long as the nucleus can count. */
uint64_t alchemy_ns(RTIME ticks);
/* The same for dates and delays, of which a negative one has passed: 1 ns. */
uint64_t alchemy_until_ns(RTIME ticks);

/* A result of the nucleus in the words of Alchemy; 0 and more stay (error.c). */
int alchemy_result(int result);
/* The same for a lock: who was told that its last owner ended has it, in good order (mutex.c). */
int alchemy_owned(int result, tact_mutex_t native);

/*
 * Who calls (start.c).
 */

/* At the head of each service that creates or binds: 0 once the nucleus is started, by this call
 * if need be, else what the service returns. -EPERM from handlers. */
int alchemy_begin(void);
/* In an alarm's handler, where nothing waits, is created or deleted. */
bool alchemy_in_handler(void);
bool alchemy_is_alarm_server(tact_task_t task);
/* A task, or main(). */
bool alchemy_may_wait(void);
/* The weakest task, which main() is unless it has become another one. */
bool alchemy_is_main(void);
/* tact_task_create(), for a task that leaves the signals of the whole program to main(). */
int alchemy_task_make(const struct tact_task_attr *attr, tact_task_t *task);
/* tact_task_adopt(), also for main(), which is a task already but none of the program's. */
int alchemy_adopt(const struct tact_task_attr *attr, tact_task_t *task);
/* A semaphore that nobody posts, for main() to sleep with; 0: it could not be made. */
tact_sem_t alchemy_never(void);

/*
 * The pattern of a waiting service: try, and wait if that does not help and the caller may.
 * Who may not wait is told so only when it would have to.
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
