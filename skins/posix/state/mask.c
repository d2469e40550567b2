/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The signals that a thread blocks in Linux, stored in its cell: mask_cells.h. */
#define _GNU_SOURCE
#include "posix/state/mask.h"

#include <signal.h>

#include "posix/libc/real.h"
#include "posix/state/mask_cells.h"
#include "posix/state/record.h"
#include "posix/state/signal_bits.h"

_Atomic uint64_t posix_timer_signals;

void posix_mask_look(void)
{
	sigset_t now;

	if (posix_real.sigprocmask(SIG_BLOCK, NULL, &now))
		return;
	atomic_store(&posix_me.mask->blocked, posix_signal_bits(&now));
	atomic_store_explicit(&posix_me.mask->confirmed,
			      atomic_load_explicit(&posix_me.mask->doubts, memory_order_relaxed),
			      memory_order_release);
}

/* A signal that is not recorded as blocked counts as not blocked, which is always safe. */
void posix_mask_look_later(uint64_t signals)
{
	if (!(atomic_load_explicit(&posix_me.mask->blocked, memory_order_relaxed) & signals))
		return;
	if (posix_is_task())
		posix_mask_look();
	else
		posix_mask_cell_doubt(posix_me.mask);
}
