/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups of event flags with rules. Invariant: the rule of a waiter is not met, nor are the bits
 * there that another waiter waits for. Every change of the bits can break that, also a change by a
 * waiter that is released; so waiters are looked at until a pass changes nothing. Each pass but the
 * last releases a waiter.
 */
#include "kernel/sized.h"
#include "sync/event.h"

struct rule_call {
	struct nuc_call call;
	struct tact_event_rule rule;
	uint64_t received;
};

struct change_call {
	struct nuc_call call;
	uint64_t set;
	uint64_t clear;
	uint64_t *before;
};

static struct rule_call *rule_of(struct nuc_call *call)
{
	return base_container_of(call, struct rule_call, call);
}

_Static_assert(TACT_EVENT_ANY_SET == 1 && TACT_EVENT_ALL_CLEAR == 2 && TACT_EVENT_ANY_CLEAR == 3,
	       "of a test, bit 0 says any, and bit 1 says clear");

static inline bool term_is_met(uint64_t bits, const struct tact_event_term *term)
{
	const uint64_t found = (term->test & 2 ? ~bits : bits) & term->bits;

	return term->test & 1 ? found != 0 : found == term->bits;
}

static inline bool rule_is_met(uint64_t bits, const struct tact_event_rule *rule)
{
	const bool first = term_is_met(bits, &rule->term[0]);

	if (rule->join == TACT_EVENT_FIRST)
		return first;
	/* The first term decides if it is met by either, or not by both. */
	if (first == (rule->join == TACT_EVENT_EITHER))
		return first;
	return term_is_met(bits, &rule->term[1]);
}

static void follow_rule(uint64_t *bits, struct rule_call *args)
{
	args->received = *bits;
	*bits |= args->rule.then_set;
	*bits &= ~args->rule.then_clear;
}

static int wait_rule_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);

/* A waiter of the group waits by rule, or by tact_event_wait(), or as an alternative of a choice.
 */
static bool waits_by_rule(const struct nuc_call *waiter)
{
	return waiter->run == wait_rule_run;
}

static bool is_met(uint64_t bits, struct nuc_call *waiter)
{
	return waits_by_rule(waiter) ? rule_is_met(bits, &rule_of(waiter)->rule)
				     : nuc_event_are_set(bits, nuc_event_wait_of(waiter));
}

static void take(uint64_t *bits, struct nuc_call *waiter)
{
	if (waits_by_rule(waiter))
		follow_rule(bits, rule_of(waiter));
	else
		nuc_event_take(bits, nuc_event_wait_of(waiter));
}

/* Look at every waiter once. Returns how many are released. *changed: whether one of them changed
 * the bits, also if another one changed them back. */
static int pass(struct nuc_event *event, struct nuc_over *over, bool *changed)
{
	int released = 0;

	*changed = false;
	base_list_for_each_safe(link, &event->ruled.calls) {
		struct nuc_call *waiter = base_container_of(link, struct nuc_call, link);
		const uint64_t before = event->bits;

		if (!is_met(before, waiter) || !nuc_may_serve(waiter))
			continue;
		take(&event->bits, waiter);
		*changed |= event->bits != before;
		nuc_wait_over(waiter, over);
		released++;
	}
	return released;
}

static int pass_until_rest(struct nuc_event *event, struct nuc_over *over)
{
	int released = 0;
	bool changed;

	do
		released += pass(event, over, &changed);
	while (changed);
	return released;
}

int nuc_event_rules_apply(struct nuc_cpu *cpu, struct nuc_event *event, uint64_t fleeting)
{
	struct nuc_over over;
	int released;

	nuc_over_init(&over, event->releases++);
	released = pass_until_rest(event, &over);
	if (event->bits & fleeting) {
		event->bits &= ~fleeting;
		released += pass_until_rest(event, &over);
	}
	nuc_wake_over(cpu, &event->ruled, &over, 0);
	return released;
}

static int wait_rule_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_event *event = nuc_event_of(object);
	const uint64_t before = event->bits;

	if (!(event->kind & TACT_EVENT_RULES))
		return -TACT_ENOTSUP;
	if (nuc_event_is_busy(event))
		return -TACT_EBUSY;
	if (!rule_is_met(before, &rule_of(call)->rule))
		return nuc_wait(cpu, call, &event->ruled);
	follow_rule(&event->bits, rule_of(call));
	if (event->bits != before)
		(void)nuc_event_rules_apply(cpu, event, 0);
	return 0;
}

static bool term_is_good(const struct tact_event_term *term)
{
	return term->bits && term->test <= TACT_EVENT_ANY_CLEAR && !term->reserved;
}

static bool rule_is_good(const struct tact_event_rule *rule)
{
	return rule->join <= TACT_EVENT_EITHER && term_is_good(&rule->term[0]) &&
	       (rule->join == TACT_EVENT_FIRST || term_is_good(&rule->term[1]));
}

int tact_event_wait_rule(tact_event_t event, const struct tact_event_rule *rule,
			 tact_timeout_t timeout, uint64_t *received)
{
	NUC_CALL(struct rule_call, args, wait_rule_run, NUC_TYPE_EVENT, event.id, NUC_CALL_WAITS);
	int result;

	if (!rule || nuc_sized_read(&args.rule, sizeof(args.rule), sizeof(args.rule), rule) ||
	    !rule_is_good(&args.rule))
		return -TACT_EINVAL;
	result = nuc_call_timeout(&args.call, timeout);
	if (!result && received)
		*received = args.received;
	return result;
}

static int change_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const struct change_call *args = base_container_of(call, struct change_call, call);
	struct nuc_event *event = nuc_event_of(object);

	if (args->before)
		*args->before = event->bits;
	event->bits |= args->set;
	event->bits &= ~args->clear;
	return event->kind & TACT_EVENT_RULES ? nuc_event_rules_apply(cpu, event, 0)
					      : nuc_event_release(cpu, event);
}

int tact_event_change(tact_event_t event, uint64_t set, uint64_t clear, uint64_t *before)
{
	NUC_CALL(struct change_call, args, change_run, NUC_TYPE_EVENT, event.id,
		 before ? 0 : NUC_CALL_CAST);

	args.set = set;
	args.clear = clear;
	args.before = before;
	return nuc_call(&args.call);
}
