/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the sources of the skin share: its objects and their numbers, its tick, its errors. */
#ifndef VRTX_INTERNAL_H
#define VRTX_INTERNAL_H

#include <vrtx/vrtx.h>

#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/names.h"
#include "runtime/record.h"
#include "runtime/start.h"
#include "runtime/task.h"
#include "runtime/ticks.h"

#define VRTX_NUMBERS 256

/* Types of records. */
enum vrtx_type {
	VRTX_TASK = 1,
	VRTX_QUEUE,
	VRTX_SEM,
	VRTX_FLAG,
	VRTX_MUTEX,
	VRTX_PARTITION,
	VRTX_HEAP,
	VRTX_TYPES
};

struct vrtx_task {
	struct runtime_task life;
	TCB tcb;
	int number; /* 0: it has none */
	int mode;
	_Atomic int prio;
	void *param;             /* a copy; NULL: none */
	_Atomic bool until_time; /* in sc_adelay() */
};

struct vrtx_queue {
	uint32_t size;          /* messages, without the place of a jammed one */
	_Atomic(char *) jammed; /* the first message, if it was jammed into a full queue */
};

/* Memory that was added to a partition is a pool of its own. */
#define VRTX_EXTENTS 16
struct vrtx_partition {
	tact_pool_t extent[VRTX_EXTENTS]; /* the first is the native object of the record */
	_Atomic uint32_t extents;
	unsigned long block_bytes;
};

struct vrtx_heap {
	_Atomic int allocated, released;
	unsigned log2_page;
};

struct vrtx_object {
	struct runtime_record record;
	union {
		struct vrtx_task task;
		struct vrtx_queue queue;
		struct vrtx_partition partition;
		struct vrtx_heap heap;
	};
};

RUNTIME_TABLE_OF(vrtx_objects, struct vrtx_object);
extern struct runtime_ticks vrtx_ticks;
extern const struct runtime_error *const vrtx_errors;

/* The ids of the objects that have numbers of the program's choice; 0: the number is free. */
struct vrtx_numbers {
	_Atomic uint64_t id[VRTX_NUMBERS];
	uint32_t type;
};
extern struct vrtx_numbers vrtx_tasks, vrtx_queues, vrtx_partitions;

/* Reserve a number; -1: any, from the highest down to 1. Returns it, or -1: it is taken, or none is
 * left. */
int vrtx_number_take(struct vrtx_numbers *numbers, int wanted);
/* The number is that of an object from here on; id 0: it is free again. */
void vrtx_number_set(struct vrtx_numbers *numbers, int number, uint64_t id);
/* NULL: the number is not one of an object. */
struct vrtx_object *vrtx_number_find(const struct vrtx_numbers *numbers, int number);

/* Start the nucleus if need be. RET_OK, VRTX_NOT_HERE, or ER_MEM. */
int vrtx_begin(void);
/* For calls that create nothing, which may be the first of main(). */
void vrtx_begin_quietly(void);

static inline void vrtx_tell(int *errp, int code)
{
	if (errp)
		*errp = code;
}

/* The code for a result of the nucleus. */
static inline int vrtx_code(int result)
{
	return result >= 0 ? RET_OK : runtime_translate(vrtx_errors, result);
}
/* The same for a call that does not wait: an object that is deleted meanwhile does not exist.
 * none: the code for that. */
static inline int vrtx_code_now(int result, int none)
{
	return result == -TACT_EIDRM || result == -TACT_EBADF ? none : vrtx_code(result);
}

/* The record of an id that the skin chose; NULL: no object of this type has it. */
static inline struct vrtx_object *vrtx_find(int id, uint32_t type)
{
	return (struct vrtx_object *)vrtx_objects_find((uint32_t)id, type);
}

/* runtime_create() after vrtx_begin(). Returns the id, or 0 and a code: `none` if no record is
 * left. */
int vrtx_create(uint32_t type, const char *name, runtime_make_t *make, const void *how, int none,
		int *errp);

/* A timeout in ticks; 0 and less: no limit. */
static inline tact_timeout_t vrtx_timeout(long ticks)
{
	return ticks <= 0 ? TACT_FOREVER : runtime_on_tick(&vrtx_ticks, (uint64_t)ticks);
}

/* A call of the nucleus was refused: start it if that is the reason, and say whether to try again.
 */
bool vrtx_try_again(void);

/*
 * The code of a call that may wait. attempt: the call of the nucleus, with the timeout `until`. A
 * handler gets what is there, and VRTX_NOT_HERE if it would have to wait. The usual caller is not
 * asked who it is.
 */
#define VRTX_WAIT(ticks, attempt)                                 \
	({                                                        \
		tact_timeout_t until = vrtx_timeout(ticks);       \
		int result = attempt;                             \
                                                                  \
		if (__builtin_expect(result == -TACT_EPERM, 0)) { \
			if (!vrtx_try_again())                    \
				until = TACT_NOWAIT;              \
			result = attempt;                         \
			if (result == -TACT_EAGAIN)               \
				result = -TACT_EPERM;             \
		}                                                 \
		vrtx_code(result);                                \
	})

/* Does the option of a deletion (0, or 1: in any case) forbid it? RET_OK, ER_IIP, ER_PND,
 * VRTX_NOT_HERE. in_use: whether somebody waits, or has something of the object. */
int vrtx_may_delete(int opt, bool in_use);

#endif
