/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Interrupts. A program in Linux has no interrupt of its own, so its drivers raise them by
 * vras_int(): the handler then runs in a native timer that is due at once. Requests before the
 * handler runs are one request, as those of a line are. A request for a disabled interrupt is
 * pending until the interrupt is enabled.
 */
#include "core.h"

static struct interrupt {
	FP entry;
	intptr_t arg;
	_Atomic tact_timer_t timer;
	_Atomic bool disabled;
	_Atomic bool pending;
} interrupts[ITRON_INTERRUPTS];

static void run(void *arg)
{
	const struct interrupt *interrupt = arg;

	if (interrupt->entry)
		itron_call_handler(interrupt->entry, interrupt->arg);
}

ER itron_define_interrupt(uint32_t number, FP entry, intptr_t arg)
{
	struct interrupt *interrupt = &interrupts[number % ITRON_INTERRUPTS];
	struct itron_key key;
	tact_timer_t made;
	ER code = number < ITRON_INTERRUPTS ? itron_begin() : E_PAR;
	int error;

	if (code)
		return code;
	made = atomic_load(&interrupt->timer);
	if (!made.id) {
		error = tact_timer_create(NULL, run, interrupt, TACT_ON_CPU(0), &made);
		if (error)
			return itron_result(error);
		atomic_store(&interrupt->timer, made);
	}
	key = itron_lock();
	interrupt->entry = entry;
	interrupt->arg = arg;
	itron_unlock(key);
	return E_OK;
}

static ER fire(struct interrupt *interrupt)
{
	return itron_result(tact_timer_start(atomic_load(&interrupt->timer), tact_in(0), 0));
}

ER vras_int(ITRON_INTNO intno)
{
	struct interrupt *interrupt = &interrupts[intno % ITRON_INTERRUPTS];

	if (intno >= ITRON_INTERRUPTS)
		return E_PAR;
	if (!interrupt->entry)
		return E_NOEXS;
	if (!atomic_load(&interrupt->disabled))
		return fire(interrupt);
	atomic_store(&interrupt->pending, true);
	return E_OK;
}

ER dis_int(ITRON_INTNO intno)
{
	if (intno >= ITRON_INTERRUPTS)
		return E_PAR;
	atomic_store(&interrupts[intno].disabled, true);
	return E_OK;
}

ER ena_int(ITRON_INTNO intno)
{
	struct interrupt *interrupt = &interrupts[intno % ITRON_INTERRUPTS];

	if (intno >= ITRON_INTERRUPTS)
		return E_PAR;
	atomic_store(&interrupt->disabled, false);
	return atomic_exchange(&interrupt->pending, false) ? fire(interrupt) : E_OK;
}
