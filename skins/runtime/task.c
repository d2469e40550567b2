/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of tasks: their creation, the function that they run in, and their ends. See task.h. */
#include "runtime/task.h"

#include <pthread.h>
#include <signal.h>
#include <tactus/restart.h>

#include <tactus/restart.h>

#include "runtime/deferred_free.h"
#include "runtime/start.h"
#include "task_map.h"

#define SWEEP_EACH 32u
/* Rounds of destructors of thread-local data. In the first round the program's destructors may
 * still use the task. The task of the nucleus ends in a later round. */
#define ROUNDS 2

static _Atomic uint32_t created;
static _Atomic uint32_t alive;  /* published, and not ended */
static pthread_key_t ends_with; /* of the thread of a task, which its destructor ends */
static bool has_key;

/* The skins that have had a task, in the order of their first ones. */
#define SKINS 16u
static const struct runtime_table *_Atomic skin[SKINS];

/* A task of any skin in one word: the number of the skin in `skin`, and the id of the task. */
#define ID_BITS 48u
_Static_assert(sizeof(uintptr_t) == sizeof(uint64_t), "one word for a skin and an id");

static tact_task_t task_native(const struct runtime_record *record)
{
	return (tact_task_t){runtime_native(record).id};
}

/*
 * Linux delivers a signal to the program to a thread that does not block it. Programs wait for
 * signals in main(), in pause() for instance, while a task would usually get the signal first. So
 * tasks start with these signals blocked. Signals that are sent to one thread, by a fault for
 * instance, are not among them.
 */
int runtime_task_create(const struct tact_task_attr *attr, tact_task_t *task)
{
	static const int for_main[] = {SIGHUP,  SIGINT,    SIGQUIT, SIGUSR1, SIGUSR2,
				       SIGALRM, SIGTERM,   SIGCHLD, SIGTSTP, SIGCONT,
				       SIGURG,  SIGVTALRM, SIGPROF, SIGIO,   SIGWINCH};
	sigset_t set;
	sigset_t before;
	int error;

	sigemptyset(&set);
	for (unsigned int i = 0; i < sizeof(for_main) / sizeof(for_main[0]); i++)
		sigaddset(&set, for_main[i]);
	/* A task inherits the mask of its creator. */
	pthread_sigmask(SIG_BLOCK, &set, &before);
	error = tact_task_create(attr, task);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error;
}

int runtime_task_publish(struct runtime_record *record, tact_task_t native)
{
	int error = task_map_enter(native, record);

	if (error)
		return error;
	atomic_fetch_add(&alive, 1);
	(void)runtime_publish(record, tact_object(native));
	return 0;
}

uint32_t runtime_task_count(void)
{
	return atomic_load(&alive);
}

static void count_end(void)
{
	atomic_fetch_sub(&alive, 1);
	runtime_stay_again();
}

static struct runtime_record *find(const struct runtime_table *table, uint64_t id)
{
	return runtime_find(table, id, table->task_type);
}

static struct runtime_record *take(const struct runtime_table *table, uint64_t id)
{
	return runtime_take(table, id, table->task_type);
}

static void ends(const struct runtime_table *table)
{
	if (table->hooks->task_ends)
		table->hooks->task_ends();
}

/* NULL: there are too many skins, or the id is 0. */
static void *word_of(const struct runtime_table *table, uint64_t id)
{
	for (uint64_t i = 0; id && i < SKINS; i++) {
		const struct runtime_table *there = NULL;

		if (atomic_compare_exchange_strong(&skin[i], &there, table) || there == table)
			return (void *)(uintptr_t)(i << ID_BITS | id);
	}
	return NULL;
}

static const struct runtime_table *table_in(const void *word)
{
	return atomic_load(&skin[(uintptr_t)word >> ID_BITS]);
}

static uint64_t id_in(const void *word)
{
	return (uintptr_t)word & (((uint64_t)1 << ID_BITS) - 1);
}

/* The argument has an id, because a task that is deleted while it is in Linux may return when its
 * record is used for another object. */
static void run(void *arg)
{
	const struct runtime_table *table = table_in(arg);
	const uint64_t id = id_in(arg);
	struct runtime_record *record = find(table, id);
	const struct runtime_task *task;

	if (!record)
		return;
	task = runtime_task_of(record);
	/* After a fault the task would end without freeing its record. */
	(void)runtime_task_end_with_thread(table, id);
	if (table->hooks->task_begins)
		table->hooks->task_begins(record);
	task->entry(task->arg);
	ends(table);
	runtime_task_end(table, id);
}

int runtime_task_start(struct runtime_record *record, void (*entry)(void *arg), void *arg)
{
	struct runtime_task *task = runtime_task_of(record);
	void *word = word_of(record->table, runtime_id(record));

	if (!word)
		return -TACT_ENOMEM;
	task->entry = entry;
	task->arg = arg;
	return tact_task_start(task_native(record), run, word);
}

int runtime_task_restart(struct runtime_record *record)
{
	return tact_task_restart(task_native(record), word_of(record->table, runtime_id(record)));
}

/* The record cannot be found any more. */
static void forget(struct runtime_record *record)
{
	(void)tact_delete(runtime_task_of(record)->ends_too);
	task_map_leave(task_native(record));
	runtime_drop(record);
	count_end();
}

static void sweep_one(struct runtime_record *record)
{
	uint64_t id = atomic_load_explicit(&record->id, memory_order_acquire);

	if (tact_task_inquire(task_native(record), NULL) == -TACT_EIDRM &&
	    !runtime_task_of(record)->joinable && take(record->table, id))
		forget(record);
}

void runtime_task_sweep(const struct runtime_table *table)
{
	if (atomic_fetch_add_explicit(&created, 1, memory_order_relaxed) % SWEEP_EACH ==
	    SWEEP_EACH - 1)
		runtime_each(table, table->task_type, sweep_one);
}

void runtime_task_sweep_all(const struct runtime_table *table)
{
	runtime_each(table, table->task_type, sweep_one);
	runtime_free_deferred();
}

void runtime_task_end(const struct runtime_table *table, uint64_t id)
{
	struct runtime_record *record = find(table, id);
	struct runtime_task *task;

	if (!record)
		return;
	task = runtime_task_of(record);
	if (task->joinable) {
		task_map_leave(task_native(record));
		(void)tact_delete(task->ends_too);
		/* It ends once: by its return or by its deletion. */
		if (!atomic_exchange_explicit(&task->over, 1, memory_order_acq_rel))
			count_end();
	} else if (take(table, id)) {
		forget(record);
	}
}

bool runtime_task_joined(const struct runtime_table *table, uint64_t id)
{
	struct runtime_record *record = take(table, id);

	if (!record)
		return false;
	/* After a fault what ends too and the entry of the task are still there. */
	if (!atomic_load_explicit(&runtime_task_of(record)->over, memory_order_acquire))
		forget(record);
	else
		runtime_drop(record);
	return true;
}

/*
 * Tasks whose messages an ended task has not received are woken. The record of a task that is to be
 * joined is kept, and may be freed at this moment: what was read from a record that is stale
 * meanwhile is not used.
 */
static void clear_remains(const struct runtime_table *table, uint64_t id)
{
	struct runtime_record *record = find(table, id);
	tact_object_t ends_too;

	if (!record)
		return;
	ends_too = runtime_task_of(record)->ends_too;
	if (!runtime_task_of(record)->joinable)
		runtime_task_end(table, id);
	else if (find(table, id))
		(void)tact_delete(ends_too);
}

/* Runs in the thread of a task. The thread may still be the task. If the task returned from its
 * entry, the record is not found any more. */
static void thread_ends(void *arg)
{
	const struct runtime_table *table = table_in(arg);
	struct runtime_record *record = find(table, id_in(arg));

	if (!record)
		return;
	if (record == runtime_task_current(table)) {
		if (++runtime_task_of(record)->rounds < ROUNDS &&
		    !pthread_setspecific(ends_with, arg))
			return;
		ends(table);
	}
	clear_remains(table, id_in(arg));
}

__attribute__((constructor)) static void make_key(void)
{
	has_key = !pthread_key_create(&ends_with, thread_ends);
}

int runtime_task_end_with_thread(const struct runtime_table *table, uint64_t id)
{
	void *word = word_of(table, id);

	if (!has_key)
		return 0;
	return (id && !word) || pthread_setspecific(ends_with, word) ? -TACT_ENOMEM : 0;
}
