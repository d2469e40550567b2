/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the skins of µITRON 3.02 and of µITRON 4.0 share. The sources of this folder are compiled
 * once for each of them, against its itron_version.h, which has the types, codes and constants of
 * that version. Calls that have the same parameters in both versions are defined here; the others
 * are defined in the folders of the versions, on the functions below.
 *
 * All objects have CPU 0 as their home. So a task with locked handlers (struct itron_key) is alone
 * with what it reads and writes, and handlers are alone anyway.
 */
#ifndef ITRON_CORE_H
#define ITRON_CORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#include "itron_version.h"

#include "runtime/call_point.h"
#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/number.h"
#include "runtime/record.h"
#include "runtime/start.h"
#include "runtime/task.h"
#include "runtime/ticks.h"

enum itron_type {
	ITRON_TASK = 1,
	ITRON_SEM,
	ITRON_FLAG,
	ITRON_MAILBOX,
	ITRON_BUFFER,
	ITRON_PORT,
	ITRON_POOL, /* of blocks of one size */
	ITRON_HEAP, /* of blocks of any size */
	ITRON_CYCLIC,
	ITRON_ALARM,
	ITRON_DATA,
	ITRON_MUTEX,
	ITRON_ROUTINE, /* of an interrupt */
	ITRON_TYPES,
};

/* What a task has locked. */
#define ITRON_DISPATCH 1u /* dis_dsp() */
#define ITRON_CPU      2u /* loc_cpu() */

struct itron_object;

struct itron_task {
	FP entry;
	PRI initial;
	INT stack_bytes;
	intptr_t code; /* the first parameter of the entry */
	tact_sem_t wake;
	_Atomic uint32_t active; /* 0: dormant */
	_Atomic uint32_t activations;
	bool begun;  /* the native task was started */
	bool shadow; /* an attached thread */
	bool ends;   /* exd_tsk() */
	uint32_t locked;
	struct runtime_call_point point; /* where the entry was called */
	/* What it waits for, if the native task waits; written before each wait. */
	uint32_t kind;
	ID object;
	uint32_t stamp;
	uint64_t until_ns; /* 0: for ever */
	/* The rendezvous that it has called. */
	tact_port_t port;
	uint64_t request;
	uint32_t rendezvous; /* counts them */
	uint32_t reply_bytes;
	bool orphan; /* the port was deleted meanwhile */
	struct itron_task_more more;
};

/* A message of a mailbox, or what names one. */
struct itron_node {
	struct itron_node *next;
};

struct itron_mailbox {
	struct itron_node *first;
	struct itron_mailbox_more more;
};

struct itron_buffer {
	uint32_t message_bytes; /* longest message */
	bool direct;            /* no memory: the native object is a queue */
};

struct itron_port {
	uint32_t call_bytes;
	uint32_t reply_bytes;
};

struct itron_memory {
	void *own;    /* of a pool of blocks of one size */
	size_t bytes; /* of a pool of blocks of any size */
};

/* A cyclic or alarm handler, or a routine of an interrupt. */
struct itron_handler {
	FP entry;
	uint64_t period_ns; /* 0: once */
	bool once;          /* its definition ends when it has run */
	_Atomic bool active;
	uint32_t interrupt;
	struct itron_object *next;
};

struct itron_object {
	struct runtime_record record;
	struct runtime_task life; /* of a task */
	ID id;
	ATR attributes;
	intptr_t exinf;
	union {
		struct itron_task task;
		struct itron_mailbox mailbox;
		struct itron_buffer buffer;
		struct itron_port port;
		struct itron_memory memory;
		struct itron_handler handler;
		struct itron_mutex mutex;
	};
};

RUNTIME_TABLE_OF(itron_objects, struct itron_object);

#define ITRON_ID_MAX 32767
extern const struct runtime_numbers itron_numbers[ITRON_TYPES]
	__attribute__((visibility("hidden")));

/* The native object as a handle of that type: itron_sem(object). */
#define ITRON_NATIVE(type)                                                            \
	static inline tact_##type##_t itron_##type(const struct itron_object *object) \
	{                                                                             \
		return (tact_##type##_t){runtime_native(&object->record).id};         \
	}
ITRON_NATIVE(task)
ITRON_NATIVE(sem)
ITRON_NATIVE(event)
ITRON_NATIVE(mailbox)
ITRON_NATIVE(buffer)
ITRON_NATIVE(queue)
ITRON_NATIVE(port)
ITRON_NATIVE(pool)
ITRON_NATIVE(heap)
ITRON_NATIVE(timer)
ITRON_NATIVE(mutex)

/* Is this no address of a packet, of a result or of a function? */
static inline bool itron_bad(const void *pointer)
{
	return (uintptr_t)pointer < 4096 || pointer == (void *)(intptr_t)-1;
}

/* The code of this version for a result of the nucleus; 0 and more are returned unchanged. */
static inline ER itron_result(int result)
{
	return runtime_result(ITRON_ERRORS, result);
}
static inline ER itron_done(int result)
{
	return result > 0 ? E_OK : itron_result(result);
}
/* The same for a call that waits unless tmout is TMO_POL: the object may have been deleted under
 * it. For all other calls an object that is deleted meanwhile does not exist. */
static inline ER itron_waited(int result, TMO tmout)
{
	return result == -TACT_EIDRM && tmout != TMO_POL ? E_DLT : itron_result(result);
}
static inline ER itron_waited_done(int result, TMO tmout)
{
	return result > 0 ? E_OK : itron_waited(result, tmout);
}

/* Locks (system.c). */

/* The task that has locked the CPU by loc_cpu(), or ITRON_HANDLERS_LOCKED. */
extern struct itron_object *_Atomic itron_locker;
#define ITRON_HANDLERS_LOCKED ((struct itron_object *)&itron_locker)
/* Has the caller locked the CPU? locker: who has. */
bool itron_is_locker(const struct itron_object *locker);
static inline bool itron_cpu_locked(void)
{
	const struct itron_object *locker =
		atomic_load_explicit(&itron_locker, memory_order_relaxed);

	return locker && itron_is_locker(locker);
}
/* How many locks tasks have, by loc_cpu() and dis_dsp(). */
extern _Atomic uint32_t itron_locks;

/* Objects (object.c). */

/* The object with this ID; NULL: there is none. The record may be that of an object with another ID
 * by now (runtime/number.h). */
static inline struct itron_object *itron_object_of(enum itron_type type, ID id)
{
	struct itron_object *object =
		(struct itron_object *)runtime_number_record(&itron_numbers[type], id);

	/* Acquire: pairs with the release of runtime_show(), the record is whole there. */
	return object && atomic_load_explicit(&object->record.id, memory_order_acquire) &&
			       object->record.type == type && object->id == id
		       ? object
		       : NULL;
}
/* Why there is no object that the caller may use: E_ID, E_NOEXS, or E_CTX if this version refuses
 * the call while the CPU is locked. E_OK: there is one, and another caller has locked the CPU. */
ER itron_find_error(enum itron_type type, ID id);
/* The object with this ID. Returns as itron_find_error(). */
static inline ER itron_find(enum itron_type type, ID id, struct itron_object **object)
{
	const bool locked =
		ITRON_LOCKED_REFUSES && atomic_load_explicit(&itron_locker, memory_order_relaxed);

	*object = itron_object_of(type, id);
	return __builtin_expect(*object && !locked, 1) ? E_OK : itron_find_error(type, id);
}
/* The same for a task, which may be TSK_SELF: E_ID if the caller is no task. */
ER itron_find_task(ID id, struct itron_object **object);
/* Is this the start of a call that creates or deletes? Starts the nucleus. Returns E_OK, E_CTX,
 * E_NOMEM. */
ER itron_begin(void);

/* Makes the native object; how: what the call has. */
typedef int itron_make_t(struct itron_object *object, const char *key, const void *how,
			 tact_object_t *native);
struct itron_making {
	enum itron_type type;
	ID id; /* 0: any */
	ATR attributes;
	intptr_t exinf;
	itron_make_t *make;
	const void *how;
};
/* Create an object. Returns its ID, E_ID, E_OBJ, E_NOMEM, E_CTX, E_NOID (any), or the code of what
 * make returns. */
ER itron_create(const struct itron_making *making);
/* The same for calls that have an ID, and return E_OK; 0 is E_ID. */
ER itron_create_as(struct itron_making making, ID id);
/* The object, if the caller may delete or replace it. Returns E_OK, E_ID, E_NOEXS, E_CTX. */
ER itron_find_to_change(enum itron_type type, ID id, struct itron_object **object);
/* Delete an object. Returns E_OK, E_ID, E_NOEXS, E_CTX. */
ER itron_delete(enum itron_type type, ID id);
/* Free the record of a deleted object whose give_back is NULL. */
void itron_forget(struct itron_object *object);
/* The parts of itron_create() for objects that are more than that. */
ER itron_claim(enum itron_type type, ID *id);
void itron_bind(struct itron_object *object);
void itron_unclaim(enum itron_type type, ID id);
void itron_release(struct itron_object *object);
/* `type:number`, the name of an object in tools. */
const char *itron_name(enum itron_type type, ID id, char *name);
/* TACT_FIFO or TACT_PRIO, and CPU 0. */
static inline uint32_t itron_order(ATR attributes)
{
	return (attributes & TA_TPRI ? TACT_PRIO : TACT_FIFO) | TACT_ON_CPU(0);
}

/* What inquiries tell. Each version copies what its packets have. */
struct itron_state {
	intptr_t exinf;
	ID waiter;            /* the first task that waits to take or to call; 0: none */
	ID other;             /* of a buffer: the first that waits to send; of a port: to accept */
	uint32_t count;       /* units, bits, messages, free blocks */
	uint32_t next_bytes;  /* of the next message; 0: none */
	uint64_t free_bytes;  /* of a buffer or heap */
	uint64_t block_bytes; /* largest block of a heap */
	void *message;        /* the next one of a mailbox; NULL: none */
	bool active;          /* of a handler */
	uint64_t left_ms;     /* until the timer of a handler expires; 0: it does not run */
};
/* Each call is in the source of the objects. packet: of the program. Returns E_OK, E_PAR (packet is
 * no address), or as itron_find(). */
typedef ER itron_inquire_t(const void *packet, ID id, struct itron_state *state);
itron_inquire_t itron_sem_inquire;
itron_inquire_t itron_flag_inquire;
itron_inquire_t itron_mailbox_inquire;
itron_inquire_t itron_buffer_inquire;
itron_inquire_t itron_port_inquire;
itron_inquire_t itron_pool_inquire;
itron_inquire_t itron_heap_inquire;
itron_inquire_t itron_cyclic_inquire;
itron_inquire_t itron_alarm_inquire;
/* What they begin with. Returns E_OK, E_PAR, or as itron_find(). */
ER itron_inquire(const void *packet, enum itron_type type, ID id, struct itron_state *state,
		 struct itron_object **object);

/* Waiting (wait.c). */

#define ITRON_NS_MS 1000000ull
/* The nucleus's longest time is longer. */
#define ITRON_TIME_MAX_MS (1ll << 42)

extern struct runtime_ticks itron_ticks;

/* The data word of the native tasks of this skin is the address of the record, below a mark that
 * other words do not have. */
#define ITRON_WORD_MARK ((uint64_t)0x17a0 << 48)
static inline uint64_t itron_word(const struct itron_object *task)
{
	return ITRON_WORD_MARK | (uintptr_t)task;
}
/* Of the calling task; NULL: none of this skin, or a handler. */
static inline struct itron_object *itron_self(void)
{
	const uint64_t word = tact_task_data();

	return word >> 48 == ITRON_WORD_MARK >> 48
		       ? (struct itron_object *)(uintptr_t)(word ^ ITRON_WORD_MARK)
		       : NULL;
}
/*
 * To be called before each wait. kind, object: what is waited for. Returns E_OK; E_PAR: tmout out
 * of range; E_CTX: the caller may not wait, unless tmout is TMO_POL.
 */
ER itron_wait(TMO tmout, uint32_t kind, ID object, tact_timeout_t *timeout);
/*
 * The usual wait for a semaphore or for event flags is that of a task, without a limit and without
 * a lock. It is made with RUNTIME_FOREVER and without itron_wait(): of these waits the nucleus
 * knows what is waited for. If it returns -TACT_EPERM, the caller is no task, and itron_wait()
 * tells what to do. After a wait with itron_wait(), itron_wait_over() follows.
 */
static inline bool itron_waits_as_usual(void)
{
	return !atomic_load_explicit(&itron_locks, memory_order_relaxed) &&
	       !runtime_task_handler_runs();
}
void itron_wait_over(void);
/* The first task of those that wait for a semaphore or for event flags; 0: none waits. */
ID itron_next_served(const struct itron_object *object);
/* What a task waits for that waits natively. */
void itron_wait_of(const struct itron_object *task, const struct tact_task_info *info,
		   uint32_t *kind, ID *object);
/* The first task of those that wait for another object; 0: none waits. attributes: of the object.
 */
ID itron_first_waiter(uint32_t kind, ID object, ATR attributes);
/* Call visit for each task that waits for an object. */
void itron_each_waiter(uint32_t kind, ID object, void (*visit)(struct itron_object *task));
static inline uint64_t itron_ms_left(uint64_t until_ns)
{
	const uint64_t now = tact_now().ns;

	return until_ns > now ? (until_ns - now + 999999u) / 1000000u : 0;
}

/* Between the two calls, handlers and other tasks do not run, unless the caller waits. */
struct itron_key {
	int locks; /* negative: the caller is no task, and nothing is locked */
};
static inline struct itron_key itron_lock(void)
{
	return (struct itron_key){tact_task_lock_handlers()};
}
static inline void itron_unlock(struct itron_key key)
{
	if (key.locks >= 0)
		(void)tact_task_restore_handlers((uint32_t)key.locks);
}

/* Undo all locks of the calling task. */
void itron_unlock_all(struct itron_object *self);

/* Tasks (task.c). */

struct itron_task_how {
	ATR attributes;
	intptr_t exinf;
	FP entry;
	PRI priority;
	INT stack_bytes;
};
static inline uint32_t itron_native_priority(PRI priority)
{
	return (uint32_t)(TMAX_TPRI + 1 - priority);
}
static inline PRI itron_priority(uint32_t native)
{
	return (PRI)(TMAX_TPRI + 1 - (int)native);
}
/* id: 0: any. Returns the ID, or as itron_create(). */
ER itron_task_create(ID id, const struct itron_task_how *how);
/* The task is dormant: it begins with this code. Returns E_OK, E_OBJ (not dormant), E_NOMEM. */
ER itron_task_activate(struct itron_object *task, intptr_t code);
/* The calling thread becomes a task. */
ER itron_task_shadow(ID id, const struct itron_task_how *how);

struct itron_task_state {
	UINT state; /* TTS_x */
	UINT wait;  /* TTW_x, or 0 */
	ID object;
	PRI priority;
	PRI base;
	UINT wakeups;
	UINT suspensions;
	TMO left;
};
/* Returns E_OK, E_CTX (a handler), E_NOEXS. */
ER itron_task_state(struct itron_object *task, struct itron_task_state *state);
/* For a packet of the program. Returns also E_PAR, or as itron_find_task(). */
ER itron_task_inquire(const void *packet, ID id, struct itron_object **task,
		      struct itron_task_state *state);
/* Number of requests that were taken away. */
int itron_task_cancel_wakeups(struct itron_object *task);
/* dly_tsk(). 0: other tasks of the same priority go first. */
ER itron_delay(uint64_t ms);
/* Of a version (task_more.c): the calling task ends; another task is about to be ended; what the
 * next native task of a task keeps; may the task have this base priority? */
void itron_task_ends(struct itron_object *self);
void itron_task_ended(struct itron_object *task);
void itron_task_keep_more(struct itron_object *next, const struct itron_object *task);
ER itron_priority_allowed(const struct itron_object *task, PRI priority);
/* Is the calling task in a routine that it called for an exception? */
bool itron_task_in_routine(const struct itron_object *self);

/* Services of objects. */
struct itron_sem_how {
	uint32_t initial;
	uint32_t maximum;
};
itron_make_t itron_sem_make;

itron_make_t itron_flag_make; /* how: uint32_t */
ER itron_flag_wait(ID id, uint32_t bits, uint32_t how, TMO tmout, uint32_t *received);

itron_make_t itron_mailbox_make; /* how: unused */
ER itron_mailbox_send(struct itron_object *box, struct itron_node *node);
ER itron_mailbox_receive(ID id, TMO tmout, void **message);
/* Of a version: the message that a node names, which is not on the list any more; INT
 * itron_node_priority(node) and void *itron_node_message(node) are in itron_version.h. */
void *itron_node_take(struct itron_object *box, struct itron_node *node);

struct itron_buffer_how {
	uint32_t bytes;
	uint32_t message_bytes;
};
itron_make_t itron_buffer_make;
/* Of a message buffer or a data queue. Returns what the native call does. */
int itron_stream_send(const struct itron_object *stream, const void *data, uint32_t bytes,
		      tact_timeout_t timeout);
int itron_stream_receive(const struct itron_object *stream, void *data, uint32_t bytes,
			 tact_timeout_t timeout);
/* Returns the length of the message. */
ER itron_buffer_receive(ID id, void *message, TMO tmout);

itron_make_t itron_port_make; /* how: struct itron_port */
/* whole: tmout is for the whole rendezvous, not only for its begin. Returns the length of the
 * reply. */
ER itron_port_call(ID id, uint32_t pattern, void *message, uint32_t bytes, TMO tmout, bool whole);
/* Returns the length of the message. */
ER itron_port_accept(ID id, uint32_t pattern, RNO *rendezvous, void *message, TMO tmout);

/* The task that waits for the end of a rendezvous; 0: there is no such rendezvous. */
ID itron_rendezvous_caller(RNO rendezvous);

struct itron_pool_how {
	uint32_t blocks;
	size_t block_bytes;
};
itron_make_t itron_pool_make;
ER itron_pool_get(ID id, void **block, TMO tmout);
ER itron_pool_put(ID id, void *block);
itron_make_t itron_heap_make; /* how: size_t, the size of the heap */
ER itron_heap_get(ID id, uint32_t bytes, void **block, TMO tmout);
ER itron_heap_put(ID id, void *block);

/* Handlers (handler.c). */
struct itron_handler_how {
	FP entry;
	uint64_t period_ns;
	bool once;
	bool active; /* the timer calls the handler */
};
itron_make_t itron_handler_make;
/* Start the timer of a handler. Returns E_OK, or as itron_find(). */
ER itron_handler_start(enum itron_type type, ID id, uint64_t first_ns);
/* Call a handler of the program, which may leave by ret_tmr(), ret_int() or ret_wup(). */
void itron_call_handler(FP entry, intptr_t arg);
/* ret_tmr() and the like. */
void itron_return_from_handler(void) __attribute__((noreturn));
/* The handler has returned: what it has locked is free (system.c). */
void itron_leave_handler(void);

/* Interrupts (interrupt.c). */
#define ITRON_INTERRUPTS 256u
/* entry NULL: none. Returns E_OK, E_PAR, E_CTX, E_NOMEM. */
ER itron_define_interrupt(uint32_t number, FP entry, intptr_t arg);

/* Definitions, extended SVCs and exceptions (define.c). */
/* The function of a packet that defines one: T_DSVC, T_DEXC and the like, whose members are an
 * attribute and the function. *entry NULL: the packet ends the definition (ITRON_NO_PACKET).
 * Returns E_OK, E_PAR (no address), E_RSATR. */
ER itron_defined(const void *packet, FP *entry);
ER itron_define_svc(FN code, FP entry);
ER itron_define_exception(uint32_t kind, FP entry);

/* Time (time.c). */
extern _Atomic int64_t itron_time_offset_ms;
int64_t itron_time_ms(void);

extern const struct runtime_program itron_program;

#endif
