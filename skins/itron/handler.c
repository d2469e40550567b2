/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers of the program: cyclic and alarm handlers, each a native timer. All handlers run on CPU
 * 0, so one runs at a time, and there is one place to which ret_tmr() and the like go back.
 */
#include "core.h"

static struct runtime_call_point point;

struct handler {
	FP entry;
	intptr_t arg;
};

static void call(void *arg)
{
	const struct handler *handler = arg;

	((void (*)(intptr_t))handler->entry)(handler->arg);
}

void itron_call_handler(FP entry, intptr_t arg)
{
	struct handler handler = {entry, arg};

	runtime_call_at(&point, call, &handler);
	itron_leave_handler();
}

/* From a task the return from a handler is the end of the task. */
__attribute__((noreturn)) static void leave(void)
{
	if (tact_mode() == TACT_MODE_HANDLER)
		runtime_return_to(&point);
	ext_tsk();
	tact_task_exit();
}

void itron_return_from_handler(void)
{
	leave();
}

static void run(void *arg)
{
	struct itron_object *object = arg;
	const FP entry = object->handler.entry;
	const intptr_t exinf = object->exinf;
	const uint64_t id = runtime_id(&object->record);

	if (!atomic_load(&object->handler.active))
		return;
	if (object->handler.once) {
		/* From here on the number can be defined anew. */
		itron_release(object);
		if (!runtime_take(&itron_objects, id, object->record.type))
			return;
		(void)tact_timer_discard(itron_timer(object));
		itron_forget(object);
	} else if (!object->handler.period_ns) {
		atomic_store(&object->handler.active, false);
	}
	itron_call_handler(entry, exinf);
}

int itron_handler_make(struct itron_object *object, const char *key, const void *how,
		       tact_object_t *native)
{
	const struct itron_handler_how *handler = how;
	tact_timer_t made = {0};
	int error = tact_timer_create(key, run, object, TACT_ON_CPU(0), &made);

	*native = tact_object(made);
	object->handler.entry = handler->entry;
	object->handler.period_ns = handler->period_ns;
	object->handler.once = handler->once;
	atomic_store(&object->handler.active, handler->active);
	return error;
}

ER itron_handler_start(enum itron_type type, ID id, uint64_t first_ns)
{
	struct itron_object *object;
	ER code = itron_find(type, id, &object);

	return code ? code
		    : itron_result(tact_timer_start(itron_timer(object), tact_in(first_ns),
						    object->handler.period_ns));
}

static ER inquire(const void *packet, enum itron_type type, ID id, struct itron_state *state)
{
	struct tact_timer_info info = {.size = sizeof(info)};
	struct itron_object *handler;
	ER code = itron_inquire(packet, type, id, state, &handler);

	if (!code)
		code = itron_result(tact_timer_inquire(itron_timer(handler), &info));
	if (code)
		return code;
	state->active = atomic_load(&handler->handler.active);
	state->left_ms = info.active ? itron_ms_left(info.next.ns) : 0;
	return E_OK;
}

ER itron_cyclic_inquire(const void *packet, ID id, struct itron_state *state)
{
	return inquire(packet, ITRON_CYCLIC, id, state);
}

ER itron_alarm_inquire(const void *packet, ID id, struct itron_state *state)
{
	return inquire(packet, ITRON_ALARM, id, state);
}
