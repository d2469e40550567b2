/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Alarms. A handler of the nucleus's alarms may make no Linux call, while Alchemy's handlers do. So
 * the native handler puts its alarm on a list and wakes a server task, which calls the program's
 * handler.
 *
 * The record of an alarm is dropped with its last reference: the alarm itself is one until it is
 * deleted, and its place on the list is another. Only handlers of CPU 0, the home of all alarms,
 * push to the list, and the server takes it as a whole.
 */
#include <alchemy/alarm.h>

#include <string.h>

#include <alchemy/sem.h>
#include <trank/native/alarm.h>
#undef RT_ALARM_INFO
#undef rt_alarm_create
#undef rt_alarm_inquire

#include "alchemy_internal.h"

#include "runtime/task.h"

struct alarm {
	void (*handler)(void *arg);
	void *arg;
	struct base_inbox_node due_next;
	_Atomic uint32_t due;       /* on the list, */
	_Atomic uint32_t due_epoch; /* for an instant of this epoch */
	_Atomic uint32_t epoch;     /* counts starts and stops: earlier expiries are dropped */
	_Atomic uint32_t references;
	RT_SEM shots; /* what rt_alarm_wait() waits for, if the handler is wake_all() */
};
_Static_assert(sizeof(struct alarm) <= ALCHEMY_EXTRA_BYTES, "an alarm fits into its record");

enum { SERVER_NONE, SERVER_MAKING, SERVER_READY };

static _Atomic uint32_t server_state;
static tact_sem_t server_wakes;
static struct base_inbox list;
static struct runtime_record *_Atomic running;

static struct alarm *alarm_of(struct runtime_record *object)
{
	return runtime_extra(object);
}

static struct runtime_record *record_of(struct base_inbox_node *node)
{
	return (struct runtime_record *)((char *)node - offsetof(struct alarm, due_next)) - 1;
}

static void put(struct runtime_record *object)
{
	if (atomic_fetch_sub_explicit(&alarm_of(object)->references, 1, memory_order_acq_rel) == 1)
		runtime_drop(object);
}

/* In handler context on CPU 0. */
static void expire(void *arg)
{
	struct runtime_record *object = arg;
	struct alarm *alarm = alarm_of(object);

	atomic_store_explicit(&alarm->due_epoch, atomic_load(&alarm->epoch), memory_order_relaxed);
	if (atomic_exchange_explicit(&alarm->due, 1, memory_order_acq_rel))
		return;
	atomic_fetch_add_explicit(&alarm->references, 1, memory_order_relaxed);
	(void)base_inbox_push(&list, &alarm->due_next);
	(void)tact_sem_post(server_wakes);
}

static void call(struct runtime_record *object)
{
	struct alarm *alarm = alarm_of(object);

	/* rt_alarm_delete() makes the handle stale and then looks at `running`: the opposite
	 * order. */
	atomic_store(&running, object);
	atomic_store(&alarm->due, 0);
	if (atomic_load(&object->id) &&
	    atomic_load(&alarm->due_epoch) == atomic_load(&alarm->epoch)) {
		runtime_handler_begins();
		alarm->handler(alarm->arg);
		runtime_handler_ends();
	}
	atomic_store(&running, NULL);
	put(object);
}

static void serve(void *unused)
{
	(void)unused;
	while (tact_sem_wait(server_wakes, TACT_FOREVER) != -TACT_EIDRM) {
		struct base_inbox_node *node = base_inbox_take(&list);

		while (node) {
			struct base_inbox_node *next = node->next;

			call(record_of(node));
			node = next;
		}
	}
}

static int make_server(void)
{
	struct tact_task_attr attr = {.name = "alchemy:alarms",
				      .priority = TACT_PRIORITY_MAX,
				      .flags = TACT_TASK_NO_JOIN | TACT_ON_CPU(0)};
	tact_task_t task;
	int error = tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &server_wakes);

	if (error)
		return error;
	error = runtime_task_create(&attr, &task);
	if (!error)
		error = tact_task_start(task, serve, NULL);
	if (error)
		(void)tact_sem_delete(server_wakes);
	else
		runtime_runs_handlers(task);
	return error;
}

static int server_begin(void)
{
	uint32_t state = SERVER_NONE;
	int error = 0;

	while (!atomic_compare_exchange_strong(&server_state, &state, SERVER_MAKING)) {
		if (state == SERVER_READY)
			return 0;
		(void)runtime_nap();
		state = SERVER_NONE;
	}
	error = make_server();
	atomic_store(&server_state, error ? SERVER_NONE : SERVER_READY);
	return error;
}

struct how {
	void (*handler)(void *arg);
	void *arg;
	RT_SEM shots;
};

static void wake_all(void *arg)
{
	(void)rt_sem_broadcast(&((struct alarm *)arg)->shots);
}

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *alarm = how;
	tact_timer_t made = {0};
	int error;

	alarm_of(object)->handler = alarm->handler;
	alarm_of(object)->arg = alarm->handler == wake_all ? alarm_of(object) : alarm->arg;
	alarm_of(object)->shots = alarm->shots;
	atomic_store(&alarm_of(object)->references, 1);
	error = tact_timer_create(key, expire, object, TACT_ON_CPU(0), &made);
	*native = tact_object(made);
	return error;
}

int rt_alarm_create(RT_ALARM *alarm, const char *name, void (*handler)(void *arg), void *arg)
{
	struct how how = {.handler = handler, .arg = arg};
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(alarm) || !handler)
		return -EINVAL;
	error = server_begin();
	if (error)
		return alchemy_result(error);
	return alchemy_create(true, ALCHEMY_ALARM, name, make, &how, alarm);
}

int rt_alarm_create_waited(RT_ALARM *alarm, const char *name)
{
	struct how how = {.handler = wake_all};
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(alarm))
		return -EINVAL;
	error = alchemy_result(server_begin());
	if (!error)
		error = rt_sem_create(&how.shots, NULL, 0, S_PRIO);
	if (error)
		return error;
	error = alchemy_create(true, ALCHEMY_ALARM, name, make, &how, alarm);
	if (error)
		(void)rt_sem_delete(&how.shots);
	return error;
}

int rt_alarm_wait(RT_ALARM *alarm)
{
	struct runtime_record *object = alchemy_find(alarm, ALCHEMY_ALARM);
	RT_SEM shots;

	if (!object || alarm_of(object)->handler != wake_all)
		return -EINVAL;
	shots = alarm_of(object)->shots;
	return rt_sem_p(&shots, TM_INFINITE);
}

int rt_alarm_delete(RT_ALARM *alarm)
{
	struct runtime_record *object;

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_take(alarm, ALCHEMY_ALARM);
	if (!object)
		return -EINVAL;
	(void)tact_timer_delete(alchemy_timer(object));
	while (atomic_load(&running) == object)
		(void)runtime_nap();
	if (alarm_of(object)->handler == wake_all)
		(void)rt_sem_delete(&alarm_of(object)->shots);
	put(object);
	return 0;
}

int rt_alarm_start(RT_ALARM *alarm, RTIME value, RTIME interval)
{
	struct runtime_record *object = alchemy_find(alarm, ALCHEMY_ALARM);

	if (!object)
		return -EINVAL;
	atomic_fetch_add(&alarm_of(object)->epoch, 1);
	return alchemy_result(tact_timer_start(
		alchemy_timer(object), tact_in(alchemy_until_ns(value)), alchemy_ns(interval)));
}

int rt_alarm_stop(RT_ALARM *alarm)
{
	struct runtime_record *object = alchemy_find(alarm, ALCHEMY_ALARM);
	int error = object ? tact_timer_stop(alchemy_timer(object)) : -TACT_EBADF;

	if (!error)
		atomic_fetch_add(&alarm_of(object)->epoch, 1);
	return alchemy_result(error);
}

int rt_alarm_inquire(RT_ALARM *alarm, RT_ALARM_INFO *info)
{
	const struct runtime_record *object = alchemy_find(alarm, ALCHEMY_ALARM);
	struct tact_timer_info native = {0};
	int error = object ? tact_timer_inquire(alchemy_timer(object), &native) : -TACT_EBADF;

	if (error || !info)
		return alchemy_result(error);
	info->expiries = native.expiries;
	info->active = (int)native.active;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}
