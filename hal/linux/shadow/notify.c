/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a parked shadow tells the nucleus: that a file has become readable, or that a signal waits.
 * Of its task it tells while that is there, and whoever takes back what is the task's, or the
 * CPUs', waits for one that is just telling.
 */
#include "shadow/notify.h"

#include "arch/self.h"
#include "call.h"
#include "secondary/priority.h"
#include "shadow/record.h"

#define LOOK_AGAIN_NS 100000u

/* For its task this thread is away: what it tells the nucleus, it tells as any thread of Linux. */
void shadow_notify_watched(struct hal_shadow *shadow, void *key)
{
	hal_arch_self_set(NULL);
	nuc_upcall_watched(key);
	hal_arch_self_set(&shadow->self);
}

/* What it would take is handled as soon as its task goes on: the nucleus hears of that before. */
void shadow_notify_handlers(struct hal_shadow *shadow)
{
	uint64_t pending = 0;

	(void)call_sigpending(&pending);
	hal_arch_self_set(NULL);
	nuc_upcall_handlers(pending & shadow->watched);
	hal_arch_self_set(&shadow->self);
}

/*
 * It may be kept from running at any point here, and more urgent ones end its task meanwhile and
 * make another one in its place. Dekker, all sequentially consistent: it says that it tells and
 * looks whether its task has ended, hal_shadow_destroy() says that and others look here then. The
 * same with the CPUs' records, which shadow_priority_stand_back() looks at.
 */
void shadow_notify_signal(struct hal_shadow *shadow)
{
	atomic_store(&shadow->notifying, true);
	shadow_priority_stand_back(shadow);
	if (!atomic_load(&shadow->ended))
		nuc_upcall_shadow_signal(shadow->owner);
	atomic_store(&shadow->notifying, false);
}

/* Of a record in its next life, yes may be that one's: nobody waits here for long. */
bool hal_shadow_may_signal(const struct hal_shadow *shadow)
{
	return atomic_load(&shadow->notifying);
}

void shadow_await_notified(void)
{
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known)
		while (atomic_load(&shadow->notifying))
			hal_linux_pause(LOOK_AGAIN_NS);
}
