/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the objects of the skin share: records behind descriptors, names, timeouts, error codes.
 *
 * A descriptor holds the id of a record of the runtime (runtime/record.h). What an object of the
 * skin has beside the object of the nucleus follows its record.
 */
#ifndef ALCHEMY_INTERNAL_H
#define ALCHEMY_INTERNAL_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <alchemy/timer.h>
#include <tactus/tact.h>

#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/names.h"
#include "runtime/start.h"
#include "runtime/ticks.h"

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

/* What may follow a record. */
#define ALCHEMY_EXTRA_BYTES 512

struct alchemy_object {
	struct runtime_record record;
	unsigned char extra[ALCHEMY_EXTRA_BYTES];
};
RUNTIME_TABLE_OF(alchemy_records, struct alchemy_object);
/* Of records of other processes' objects, too (proxy.c). */
const char *alchemy_type_name(uint32_t type);

/* Is this no valid pointer? */
static inline bool alchemy_bad_pointer(const void *pointer)
{
	return (uintptr_t)pointer < 4096 || (uintptr_t)pointer % sizeof(uintptr_t);
}

/* The record of a descriptor, whose first member is the handle; NULL: no record of this type. */
static inline struct runtime_record *alchemy_find(const void *descriptor, enum alchemy_type type)
{
	return __builtin_expect(alchemy_bad_pointer(descriptor), 0)
		       ? NULL
		       : alchemy_records_find(*(const uint64_t *)descriptor, type);
}
/* The same, and from here on the record belongs to the caller alone: its handle is stale. */
struct runtime_record *alchemy_take(const void *descriptor, enum alchemy_type type);
/*
 * Create an object, and write its id into the first member of the descriptor. To be called at the
 * head of the service. valid: are the other arguments? how: passed to make. Returns what the
 * service returns.
 */
int alchemy_create(bool valid, enum alchemy_type type, const char *name, runtime_make_t *make,
		   const void *how, void *descriptor);
/* In a task of this API that begins and that ends (task.c). */
void alchemy_task_begins(struct runtime_record *object);
void alchemy_task_ends(void);
/* The service rt_x_delete(). */
int alchemy_delete(enum alchemy_type type, const void *descriptor);

/* alchemy_sem(object) and the like: the native object as a handle of that type. */
#define ALCHEMY_NATIVE(type)                                                              \
	static inline tact_##type##_t alchemy_##type(const struct runtime_record *object) \
	{                                                                                 \
		return (tact_##type##_t){runtime_native(object).id};                      \
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

/* The service rt_x_bind(). descriptor: its first member receives the handle. */
int alchemy_bind(enum alchemy_type type, void *descriptor, const char *name, RTIME timeout);
/* The service rt_x_unbind(). */
int alchemy_unbind(void *descriptor);
/* Define rt_x_bind() and rt_x_unbind(). */
#define ALCHEMY_BOUND(x, type, RT_X)                                         \
	int rt_##x##_bind(RT_X *descriptor, const char *name, RTIME timeout) \
	{                                                                    \
		return alchemy_bind(type, descriptor, name, timeout);        \
	}                                                                    \
	int rt_##x##_unbind(RT_X *descriptor)                                \
	{                                                                    \
		return alchemy_unbind(descriptor);                           \
	}

/* Timeouts (timeout.c). */
extern struct runtime_ticks alchemy_ticks;
tact_timeout_t alchemy_relative(RTIME timeout);
tact_timeout_t alchemy_absolute(RTIME timeout);
/* Returns 0, or -EINVAL. */
int alchemy_timespec(const struct timespec *abs_timeout, tact_timeout_t *timeout);
/* Ticks to ns, at most the longest time of the nucleus. */
static inline uint64_t alchemy_ns(RTIME ticks)
{
	return runtime_ticks_ns(&alchemy_ticks, ticks);
}
/* The same for dates and delays; a negative one has passed, and becomes 1 ns. */
uint64_t alchemy_until_ns(RTIME ticks);

/*
 * Define rt_x(), rt_x_until() and rt_x_timed(), which differ in their last parameter, by one
 * function: service(passed, timeout). The parameters before the timeout come last; passed: their
 * names, in brackets. No limit is the usual timeout, for which the compiler passes constants.
 */
#define ALCHEMY_BARE(...) __VA_ARGS__
#define ALCHEMY_TIMED(result, rt_x, service, passed, ...)                       \
	result rt_x(__VA_ARGS__, RTIME timeout)                                 \
	{                                                                       \
		if (timeout == TM_INFINITE)                                     \
			return service(ALCHEMY_BARE passed, TACT_FOREVER);      \
		return service(ALCHEMY_BARE passed, alchemy_relative(timeout)); \
	}                                                                       \
	result rt_x##_until(__VA_ARGS__, RTIME timeout)                         \
	{                                                                       \
		return service(ALCHEMY_BARE passed, alchemy_absolute(timeout)); \
	}                                                                       \
	result rt_x##_timed(__VA_ARGS__, const struct timespec *abs_timeout)    \
	{                                                                       \
		tact_timeout_t timeout;                                         \
		int error = alchemy_timespec(abs_timeout, &timeout);            \
                                                                                \
		return error ? error : service(ALCHEMY_BARE passed, timeout);   \
	}

/* The code of Alchemy for a result of the nucleus; 0 and more are returned unchanged (error.c). */
extern const struct runtime_error alchemy_errors[] __attribute__((visibility("hidden")));
static inline int alchemy_result(int result)
{
	return runtime_result(alchemy_errors, result);
}
/* The same for a service that returns 0 where the nucleus tells a number. */
static inline int alchemy_done(int result)
{
	return result < 0 ? alchemy_result(result) : 0;
}
/* The same for a lock. If its last owner has ended, the caller gets -EOWNERDEAD and owns the lock,
 * which is made consistent (mutex.c). */
int alchemy_owned(int result, tact_mutex_t native);

/* The start of the nucleus by this skin (start.c). */
extern const struct runtime_program alchemy_program;
/* Called at the head of each service that creates or binds. Returns 0, or the error that the
 * service returns. -EPERM from handlers. */
static inline int alchemy_begin(void)
{
	return runtime_begin(&alchemy_program);
}

/* What a waiting service returns, whose caller may or may not wait (runtime_wait_as()). */
static inline int alchemy_waited(int result, bool may_wait)
{
	return result == -TACT_EAGAIN && !may_wait ? -EPERM : alchemy_result(result);
}

#endif
