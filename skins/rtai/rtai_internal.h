/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the objects of the skin share: records behind pointers, names, times, error codes.
 *
 * What a program has as SEM *, MBX * or RT_TASK * is no address: it is the id of a record of the
 * runtime (runtime/record.h) with a mark above it. So a pointer of another kind, NULL or a stale
 * one is recognised, and is never followed.
 *
 * A module of the kernel has structures of its own. The first word of one is such a pointer, and
 * the record knows the structure. Only in a process with modules are pointers without a mark
 * followed. So all services are the same for both.
 */
#ifndef RTAI_INTERNAL_H
#define RTAI_INTERNAL_H

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rtai_lxrt.h>
#include <rtai_registry.h>
#include <tactus/tact.h>

#include "rtai_errors.h"
#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/names.h"
#include "runtime/record.h"
#include "runtime/start.h"
#include "runtime/ticks.h"

enum rtai_type {
	RTAI_TASK = 1,
	RTAI_SEM,
	RTAI_RWL,
	RTAI_SPL,
	RTAI_MBX,
	RTAI_BITS,
	RTAI_TBX,
	RTAI_TASKLET,
	RTAI_TYPES,
};

/* What may follow a record. */
#define RTAI_EXTRA_BYTES 512

extern const struct runtime_table rtai_records;
extern const struct runtime_program rtai_program;

/* The mark of a pointer; an id has 48 bits. */
#define RTAI_MARK ((uintptr_t)0x5254 << 48)

static inline void *rtai_pointer(uint64_t id)
{
	return id ? (void *)(RTAI_MARK | (uintptr_t)id) : NULL;
}

/* The id in a pointer; 0: it is none of the skin. */
static inline uint64_t rtai_id(const void *pointer)
{
	const uint64_t id = (uint64_t)((uintptr_t)pointer ^ RTAI_MARK);

	return id >> 48 ? 0 : id;
}

struct rtai_object {
	struct runtime_record record;
	unsigned char extra[RTAI_EXTRA_BYTES];
	void *structure;   /* of a module; NULL: the object has none */
	const void *maker; /* where the module made it */
};

/* A structure of a module was made an object (module_object.c). */
extern _Atomic bool rtai_has_structures;
/* The id of a structure; 0: it is no object, or was copied. */
uint64_t rtai_structure_id(const void *structure);

/* The id of what a service's caller has. */
static inline uint64_t rtai_id_of(const void *pointer)
{
	const uint64_t id = rtai_id(pointer);

	if (id || !atomic_load_explicit(&rtai_has_structures, memory_order_relaxed))
		return id;
	return rtai_structure_id(pointer);
}

static inline struct runtime_record *rtai_find(const void *pointer, enum rtai_type type)
{
	return runtime_find(&rtai_records, rtai_id_of(pointer), type);
}

/* The object as the program has it. */
static inline void *rtai_pointer_of(const struct runtime_record *record)
{
	const struct rtai_object *object = (const struct rtai_object *)record;

	return object->structure
		       ? object->structure
		       : rtai_pointer(atomic_load_explicit(&record->id, memory_order_acquire));
}

/* rtai_native_sem(record) and the like: the native object as a handle of that type. */
#define RTAI_NATIVE(type)                                                                     \
	static inline tact_##type##_t rtai_native_##type(const struct runtime_record *record) \
	{                                                                                     \
		return (tact_##type##_t){runtime_native(record).id};                          \
	}

RTAI_NATIVE(task)
RTAI_NATIVE(sem)
RTAI_NATIVE(mutex)
RTAI_NATIVE(rwlock)
RTAI_NATIVE(buffer)
RTAI_NATIVE(event)

/*
 * Create an object with a name of the registry; 0: a name is made up. Returns its pointer; NULL:
 * the name is taken, there is no memory, or the caller is a handler. Context: task, linux.
 */
void *rtai_create(enum rtai_type type, unsigned long name, runtime_make_t *make, const void *how);
/* The same, but if an object of this type has the name, it is used once more (rt_named_x_init()).
 */
void *rtai_create_shared(enum rtai_type type, unsigned long name, runtime_make_t *make,
			 const void *how);
/* Take the record out of the table and its name out of the registry, or NULL. The caller deletes
 * what belongs to it and drops the record. */
struct runtime_record *rtai_take(const void *pointer, enum rtai_type type);
/* The service rt_named_x_delete(): the number of uses that are left, 0 for the last one, which then
 * calls erase; -EFAULT: no object of this type. */
int rtai_release_shared(const void *pointer, enum rtai_type type, int (*erase)(void *pointer));

/* The registry (registry.c). IS_TASK … IS_TBX of a type. */
int rtai_registry_type(enum rtai_type type);
bool rtai_register(unsigned long name, void *pointer, int type);
void rtai_deregister(const void *pointer);
/* One use more, or less, of a registered object. Return the uses, -EFAULT: none is registered. */
int rtai_use(unsigned long name, int type, void **pointer);
int rtai_unuse(const void *pointer);
/* The first registered object that matches; NULL: there is none. */
void *rtai_registry_search(bool (*matches)(void *pointer, int type, void *arg), void *arg);
/* A name that no object has. */
unsigned long rtai_free_name(void);
/* The six letters of a name, or its number; text has RTAI_NAME_TEXT bytes. Returns text. */
#define RTAI_NAME_TEXT 20
const char *rtai_name_text(unsigned long name, char *text);

/* The code of RTAI for a result of the nucleus; 0 and more are returned unchanged. */
static inline int rtai_result(int result)
{
	return runtime_result(rtai_wait_errors, result);
}
/* The same for a call that does not wait: an object that is deleted meanwhile does not exist. */
static inline int rtai_result_now(int result)
{
	return result == -TACT_EIDRM ? RTE_OBJINV : rtai_result(result);
}

/* Times. A count is one ns of the nucleus's clock; an instant of the wall clock is recognised,
 * because it is later than any of the other clock. */
tact_timeout_t rtai_until(RTIME time);
tact_timeout_t rtai_in(RTIME delay);

/*
 * Define rt_x(), rt_x_until() and rt_x_timed() by one function: service(passed, timeout). passed:
 * the names of the parameters, in brackets.
 */
#define RTAI_BARE(...) __VA_ARGS__
#define RTAI_TIMED(result, rt_x, service, passed, ...)              \
	result rt_x(__VA_ARGS__)                                    \
	{                                                           \
		return service(RTAI_BARE passed, TACT_FOREVER);     \
	}                                                           \
	result rt_x##_until(__VA_ARGS__, RTIME time)                \
	{                                                           \
		return service(RTAI_BARE passed, rtai_until(time)); \
	}                                                           \
	result rt_x##_timed(__VA_ARGS__, RTIME delay)               \
	{                                                           \
		return service(RTAI_BARE passed, rtai_in(delay));   \
	}

/* A timeout for a caller that may not wait: it then fails at once, as with NOWAIT. */
static inline tact_timeout_t rtai_as_caller(tact_timeout_t timeout)
{
	bool may_wait;

	return runtime_wait_as(timeout, &may_wait);
}

/* No other task of this CPU runs between the two, unless the caller waits. */
static inline void rtai_hold(void)
{
	(void)tact_task_lock_scheduler();
}

static inline void rtai_let_go(void)
{
	(void)tact_task_unlock_scheduler();
}

/* Memory of the skin's heaps (memory.c), for callers in any mode; NULL: there is none. */
void *rtai_alloc(size_t bytes);
void rtai_free_block(void *block);

/* rt_printk(): the length, -EINVAL: no text, or the caller is a handler. */
int rtai_vprint(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static inline int rtai_begin(void)
{
	return runtime_begin(&rtai_program);
}

#endif
