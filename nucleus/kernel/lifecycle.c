/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What start, stop and the calls of Linux threads know of each other: see lifecycle.h. */
#include "kernel/lifecycle.h"

#include "base/error.h"
#include "hal/hal.h"
#include "hal/linux.h"

bool nuc_started;
_Atomic uint32_t nuc_open;
_Atomic bool nuc_changing;
_Atomic bool nuc_making;
_Atomic uint32_t nuc_life;

_Atomic uint32_t nuc_linux_callers;

/* Linux threads between nuc_maker_begin() and nuc_maker_end(). */
static _Atomic uint32_t makers;

int nuc_maker_begin(void)
{
	/* Count first, then look: stop() stores nuc_making first, then waits. */
	atomic_fetch_add_explicit(&makers, 1, memory_order_seq_cst);
	if (atomic_load_explicit(&nuc_making, memory_order_seq_cst) && hal_linux_caller_ok())
		return 0;
	nuc_maker_end();
	return -TACT_EPERM;
}

void nuc_maker_end(void)
{
	atomic_fetch_sub_explicit(&makers, 1, memory_order_release);
}

void nuc_makers_await(void)
{
	for (int round = 0; round < 1000; round++) {
		if (!atomic_load_explicit(&makers, memory_order_seq_cst))
			return;
		hal_linux_pause(1000000);
	}
}

int nuc_linux_begin(void)
{
	/* Count first, then look: stop() stores nuc_open first, then waits. */
	atomic_fetch_add_explicit(&nuc_linux_callers, 1, memory_order_seq_cst);
	if (atomic_load_explicit(&nuc_open, memory_order_seq_cst))
		return 0;
	nuc_linux_end();
	return -TACT_EPERM;
}

void nuc_linux_end(void)
{
	atomic_fetch_sub_explicit(&nuc_linux_callers, 1, memory_order_release);
}
