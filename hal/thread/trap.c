/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The call trap on shadows: those of attached threads whose task was stopped in the middle of the C
 * library's own work. Such a thread ends with its next call that is not part of that work.
 * Meanwhile it may wait for a lock of another thread, for any time, even beyond the stop and the
 * next start. So as long as such threads exist, the handlers stay that catch their calls, and that
 * let setuid()'s signal pass.
 */
#include "trap.h"

#include "back_end.h"
#include "call.h"
#include "program.h"
#include "shadow/record.h"

static _Atomic unsigned trapping;
static _Atomic bool may_trap; /* the handlers are there, and stay */

/*
 * A trap while SIGSYS is blocked ends the program. The task may have blocked it, or one of the
 * program's handlers may block it while it runs. So SIGSYS and our other signals are let in, and
 * signals with a handler of the program are blocked until the thread ends. Signals that end the
 * program are let in unless the task blocks them.
 */
static uint64_t doomed_mask(const struct hal_shadow *shadow)
{
	uint64_t mask = shadow->mask | LINUX_BIT(LINUX_SIGNAL_CANCEL);
	struct kernel_sigaction now;

	for (int signal = 1; signal <= 64; signal++)
		if (backend_handler_of(signal))
			mask &= ~LINUX_BIT(signal);
		else if (!call_sigaction(signal, NULL, &now) && now.handler != (void *)SIG_DFL &&
			 now.handler != (void *)SIG_IGN)
			mask |= LINUX_BIT(signal);
	return mask & SHADOW_PARKED_MASK;
}

/*
 * Dekker, with shadow_traps_end(): either that function sees this thread, or this thread sees that
 * it came too late. In that case its task is stray, and Linux executes its calls. The record is set
 * before the trap is switched, for setuid()'s handler, which may come between the two, here and in
 * backend_trap_off() (setxid.c).
 */
void shadow_trap_on(struct hal_shadow *shadow)
{
	if (atomic_load(&shadow->trap.traps))
		return;
	atomic_fetch_add(&trapping, 1);
	if (!atomic_load(&may_trap)) {
		atomic_fetch_sub(&trapping, 1);
		return;
	}
	shadow->trap.doomed_mask = doomed_mask(shadow);
	shadow->trap.doomed = true;
	atomic_store(&shadow->trap.traps, true);
	call_trap_on();
}

void backend_trap_off(struct hal_shadow *shadow)
{
	if (!atomic_exchange(&shadow->trap.traps, false))
		return;
	call_trap_off();
	atomic_fetch_sub(&trapping, 1);
}

void shadow_traps_begin(void)
{
	atomic_store(&may_trap, true);
}

bool shadow_traps_end(void)
{
	atomic_store(&may_trap, false);
	return !atomic_load(&trapping);
}
