/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The public call of choices: call/choice.h does the work. */
#include <tactus/select.h>

#include "call/call.h"
#include "call/choice.h"
#include "task/mode.h"

/* Most callers wait for few objects: these need no stack for the maximum. */
#define FEW 4u

/* The CPU that holds the call: that of the calling task, where its timeout and its end come from.
 * For a Linux thread, that of the first object. */
static uint32_t home_for(const struct tact_wait_item *items)
{
	const uint32_t first = nuc_handle_cpu(items[0].object.id);

	if (tact_mode() != TACT_MODE_NONE)
		return nuc_handle_of_cpu(nuc_caller_cpu());
	return nuc_handle_of_cpu(first < nuc_cpu_count ? first : 0);
}

static int wait_any(struct tact_wait_item *items, uint32_t count, tact_timeout_t timeout,
		    struct tact_wait_item **taken, struct nuc_alternative *alternatives)
{
	const struct nuc_alternative *alternative;
	struct nuc_choice choice;
	uint32_t number;
	int result;

	nuc_choice_init(&choice, home_for(items), items, alternatives, count);
	result = nuc_call_timeout(&choice.call, timeout);
	number = atomic_load_explicit(&choice.taken, memory_order_relaxed);
	if (number == NUC_CHOICE_OPEN || number == NUC_CHOICE_BREAK)
		return result;
	alternative = &alternatives[number - 1];
	if (result >= 0 && alternative->ops->value)
		items[number - 1].value = alternative->ops->value(&alternative->call);
	if (taken)
		*taken = &items[number - 1];
	return result > 0 && alternative->ops->returns_0 ? 0 : result;
}

static __attribute__((noinline)) int wait_few(struct tact_wait_item *items, uint32_t count,
					      tact_timeout_t timeout, struct tact_wait_item **taken)
{
	struct nuc_alternative alternatives[FEW];

	return wait_any(items, count, timeout, taken, alternatives);
}

static __attribute__((noinline)) int wait_many(struct tact_wait_item *items, uint32_t count,
					       tact_timeout_t timeout,
					       struct tact_wait_item **taken)
{
	struct nuc_alternative alternatives[TACT_WAIT_ITEMS_MAX];

	return wait_any(items, count, timeout, taken, alternatives);
}

int tact_wait_any(struct tact_wait_item *items, uint32_t count, tact_timeout_t timeout,
		  struct tact_wait_item **taken)
{
	if (taken)
		*taken = NULL;
	if (!items || !count || count > TACT_WAIT_ITEMS_MAX)
		return -TACT_EINVAL;
	return count <= FEW ? wait_few(items, count, timeout, taken)
			    : wait_many(items, count, timeout, taken);
}
