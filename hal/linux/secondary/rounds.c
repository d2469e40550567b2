/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the housekeeper does in each round, and when it is woken: the only file that knows all
 * parts. */
#include "back_end.h"
#include "print.h"
#include "secondary/housekeeper.h"
#include "secondary/priority.h"
#include "secondary/signal_storm.h"
#include "shadow/attach.h"

static void do_round(void)
{
	signal_storm_round();
	shadow_priority_round();
	shadow_stacks_lock_round();
	backend_round();
}

const struct linux_rounds linux_rounds = {
	.round = do_round,
	.woken = signal_storm_notify,
	.drain = linux_print_drain,
};
