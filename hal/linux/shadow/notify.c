/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a parked shadow reports to the nucleus: that a file has become readable, or that a signal is
 * pending. It reports about its task only while the task exists. A thread that takes back the
 * memory of the task or of the CPUs waits for reports that are under way.
 */
#include "shadow/notify.h"

#include "arch/self.h"
#include "call.h"
#include "secondary/priority.h"
#include "shadow/record.h"

#define LOOK_AGAIN_NS 100000u

/* The task runs elsewhere: this thread calls the nucleus as a plain Linux thread. */
void shadow_notify_watched(struct hal_shadow *shadow, void *key)
{
	hal_arch_self_set(NULL);
	nuc_upcall_watched(key);
	hal_arch_self_set(&shadow->self);
}

/* The task handles its pending signals as soon as it goes on. The nucleus is told of that
 * before. */
void shadow_notify_handlers(struct hal_shadow *shadow)
{
	uint64_t pending = 0;

	(void)call_sigpending(&pending);
	hal_arch_self_set(NULL);
	nuc_upcall_handlers(pending & shadow->wait.watched);
	hal_arch_self_set(&shadow->self);
}

/*
 * The thread may be preempted at any point here, while more urgent threads end its task and make
 * another one in its place. Dekker, all sequentially consistent: this thread sets `notifying`, then
 * reads `ended`; hal_shadow_destroy() sets `ended`, and others read `notifying` after that. The
 * same protects the records of the CPUs, which shadow_priority_stand_back() reads.
 */
void shadow_notify_signal(struct hal_shadow *shadow)
{
	atomic_store(&shadow->notify.notifying, true);
	shadow_priority_stand_back(shadow);
	if (!atomic_load(&shadow->notify.ended))
		nuc_upcall_shadow_signal(shadow->owner);
	atomic_store(&shadow->notify.notifying, false);
}

/* Once the record has another shadow, a yes may be that one's. No caller waits for it for long. */
bool hal_shadow_may_signal(const struct hal_shadow *shadow)
{
	return atomic_load(&shadow->notify.notifying);
}

void shadow_await_notified(void)
{
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known)
		while (atomic_load(&shadow->notify.notifying))
			hal_linux_pause(LOOK_AGAIN_NS);
}
