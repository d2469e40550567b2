/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags. Invariant: the bits that a waiter waits for are not set. Without TACT_EVENT_RULES
 * only setting bits can change that, and it looks at every waiter once, in queue order. With rules
 * see event_rule.c.
 */
#include "sync/event.h"

struct event_create_call {
	struct nuc_call call;
	uint64_t initial;
	uint32_t flags;
};

struct event_bits_call {
	struct nuc_call call;
	uint64_t bits;
	uint64_t keep; /* bits that stay set; those of the others that were clear before are cleared
			  again */
	uint64_t *before;
};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct event_create_call *args = base_container_of(call, struct event_create_call, call);
	struct nuc_event *event;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_EVENT, sizeof(*event), &error);
	if (!object)
		return error;
	event = nuc_event_of(object);
	nuc_waitq_init(&event->waiters, object, args->flags);
	nuc_waitq_init(&event->ruled, object, args->flags);
	event->bits = args->initial;
	event->kind = (uint8_t)args->flags & (TACT_EVENT_SINGLE | TACT_EVENT_RULES);
	call->handle = object->handle;
	return 0;
}

int tact_event_create(const char *name, uint64_t initial, uint32_t flags, tact_event_t *event)
{
	NUC_CALL(struct event_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	args.initial = initial;
	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO | TACT_EVENT_SINGLE | TACT_EVENT_RULES,
			  NUC_ID_OF(event));
}

static int end_waits(struct nuc_cpu *cpu, struct nuc_event *event, int result)
{
	return (int)(nuc_wake_all(cpu, &event->waiters, result) +
		     nuc_wake_all(cpu, &event->ruled, result));
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	(void)end_waits(cpu, nuc_event_of(object), -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

static bool is_wait(uint64_t bits, uint32_t how)
{
	return bits && !(how & ~(TACT_EVENT_ALL | TACT_EVENT_CONSUME | TACT_EVENT_CLEAR_ALL)) &&
	       !(how & TACT_EVENT_CONSUME && how & TACT_EVENT_CLEAR_ALL);
}

/* In a group with a flag. Not inline: the usual case has no registers to save. */
static __attribute__((noinline)) int wait_specially(struct nuc_cpu *cpu, struct nuc_event *event,
						    struct nuc_call *call)
{
	const bool rules = event->kind & TACT_EVENT_RULES;

	if (nuc_event_is_busy(event))
		return -TACT_EBUSY;
	if (!nuc_event_are_set(event->bits, nuc_event_wait_of(call)))
		return nuc_wait(cpu, call, rules ? &event->ruled : &event->waiters);
	nuc_event_take(&event->bits, nuc_event_wait_of(call));
	if (rules)
		(void)nuc_event_rules_apply(cpu, event, 0);
	return 0;
}

static int wait_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_event *event = nuc_event_of(object);

	if (__builtin_expect(event->kind, 0))
		return wait_specially(cpu, event, call);
	if (nuc_event_are_set(event->bits, nuc_event_wait_of(call))) {
		nuc_event_take(&event->bits, nuc_event_wait_of(call));
		return 0;
	}
	return nuc_wait(cpu, call, &event->waiters);
}

static int choose(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
		  const struct tact_wait_item *item)
{
	const struct nuc_event *event = nuc_event_of(object);
	struct nuc_event_wait_call *args = nuc_event_wait_of(call);

	if (!is_wait(item->bits, item->how) || item->buffer || item->size)
		return -TACT_EINVAL;
	args->bits = item->bits;
	args->how = item->how;
	if (!nuc_event_is_busy(event) && nuc_event_are_set(event->bits, args) &&
	    !nuc_alternative_claim(call))
		return NUC_LOST;
	return wait_run(cpu, object, call);
}

static uint64_t chosen_value(const struct nuc_call *call)
{
	return base_container_of(call, const struct nuc_event_wait_call, call)->received;
}

_Static_assert(sizeof(struct nuc_event_wait_call) <= NUC_ALTERNATIVE_BYTES, "room for the record");

static const struct nuc_choice_ops choice_ops = {.take = choose, .value = chosen_value};

const struct nuc_type_ops nuc_event_type = {
	.name = "event flags",
	.destroy = destroy,
	.choice = &choice_ops,
};

int tact_event_delete(tact_event_t event)
{
	return nuc_delete(event.id, NUC_TYPE_EVENT);
}

int tact_event_wait(tact_event_t event, uint64_t bits, uint32_t how, tact_timeout_t timeout,
		    uint64_t *received)
{
	NUC_CALL(struct nuc_event_wait_call, args, wait_run, NUC_TYPE_EVENT, event.id,
		 NUC_CALL_WAITS);
	int result;

	if (!is_wait(bits, how))
		return -TACT_EINVAL;
	args.bits = bits;
	args.how = how;
	result = nuc_call_timeout(&args.call, timeout);
	if (!result && received)
		*received = args.received;
	return result;
}

static __attribute__((noinline)) bool release_cross_cpu(struct nuc_event *event,
							struct nuc_call *waiter,
							struct nuc_over *over)
{
	if (!nuc_alternative_claim(waiter))
		return false;
	nuc_event_take(&event->bits, nuc_event_wait_of(waiter));
	nuc_wait_over(waiter, over);
	return true;
}

static __attribute__((always_inline)) inline int release(struct nuc_cpu *cpu,
							 struct nuc_event *event, uint64_t fleeting)
{
	struct nuc_over over;
	int released = 0;

	nuc_over_init(&over, event->releases++);
	base_list_for_each_safe(link, &event->waiters.calls) {
		struct nuc_call *waiter = base_container_of(link, struct nuc_call, link);

		if (!nuc_event_are_set(event->bits, nuc_event_wait_of(waiter)))
			continue;
		if (__builtin_expect(waiter->is_cross_cpu, 0)) {
			released += release_cross_cpu(event, waiter, &over);
			continue;
		}
		nuc_event_take(&event->bits, nuc_event_wait_of(waiter));
		nuc_wait_over_near(waiter, &over);
		released++;
	}
	event->bits &= ~fleeting;
	nuc_wake_over(cpu, &event->waiters, &over, 0);
	return released;
}

int nuc_event_release(struct nuc_cpu *cpu, struct nuc_event *event)
{
	return event->waiters.count ? release(cpu, event, 0) : 0;
}

/* Nobody waits, or it is a group with rules. */
static __attribute__((noinline)) int unwaited(struct nuc_cpu *cpu, struct nuc_event *event,
					      uint64_t fleeting)
{
	if (event->kind & TACT_EVENT_RULES)
		return nuc_event_rules_apply(cpu, event, fleeting);
	event->bits &= ~fleeting;
	return 0;
}

static int set_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct event_bits_call *args = base_container_of(call, struct event_bits_call, call);
	struct nuc_event *event = nuc_event_of(object);
	uint64_t fleeting = args->bits & ~event->bits & ~args->keep;

	event->bits |= args->bits;
	if (!event->waiters.count)
		return unwaited(cpu, event, fleeting);
	return release(cpu, event, fleeting);
}

static int set(tact_event_t event, uint64_t bits, uint64_t keep)
{
	NUC_CALL(struct event_bits_call, args, set_run, NUC_TYPE_EVENT, event.id, NUC_CALL_CAST);

	args.bits = bits;
	args.keep = keep;
	return nuc_call(&args.call);
}

int tact_event_set(tact_event_t event, uint64_t bits)
{
	return set(event, bits, bits);
}

int tact_event_pulse(tact_event_t event, uint64_t bits)
{
	return set(event, bits, 0);
}

static int clear_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct event_bits_call *args = base_container_of(call, struct event_bits_call, call);
	struct nuc_event *event = nuc_event_of(object);

	if (args->before)
		*args->before = event->bits;
	event->bits &= ~args->bits;
	if (event->kind & TACT_EVENT_RULES)
		(void)nuc_event_rules_apply(cpu, event, 0);
	return 0;
}

int tact_event_clear(tact_event_t event, uint64_t bits, uint64_t *before)
{
	NUC_CALL(struct event_bits_call, args, clear_run, NUC_TYPE_EVENT, event.id,
		 before ? 0 : NUC_CALL_CAST);

	args.bits = bits;
	args.before = before;
	return nuc_call(&args.call);
}

static int flush_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)call;
	return end_waits(cpu, nuc_event_of(object), -TACT_ECANCELED);
}

int tact_event_flush(tact_event_t event)
{
	NUC_CALL(struct nuc_plain_call, args, flush_run, NUC_TYPE_EVENT, event.id, NUC_CALL_CAST);

	return nuc_call(&args.call);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_event *event = base_container_of(object, struct nuc_event, object);
	struct tact_event_info *info = result;

	(void)cpu;
	info->bits = event->bits;
	info->waiters = event->waiters.count + event->ruled.count;
}

int tact_event_inquire(tact_event_t event, struct tact_event_info *info)
{
	return nuc_inquire(event.id, NUC_TYPE_EVENT, info, sizeof(*info), fill_info);
}
