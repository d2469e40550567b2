/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Learn how long the path from an idle CPU to a hold takes, although single paths are disturbed. */
#include "kernel/idle_lead.h"

/* A path that was longer adds LONGER_NS, a shorter one takes SHORTER_NS back. */
#define LONGER_NS  200u
#define SHORTER_NS 10u

/* For what hal_idle() did before it returned, which is part of the path, too. */
#define MARGIN_NS 500u

/* No path takes that long: the processor was taken away, or tasks ran before the hold. */
#define LONGEST_NS 50000u

void nuc_idle_lead_learn(struct nuc_cpu *cpu)
{
	uint64_t path_ns = hal_ticks_to_ns(hal_ticks() - cpu->idle_lead.end_ticks) + MARGIN_NS;

	cpu->idle_lead.end_ticks = 0;
	if (path_ns > LONGEST_NS)
		return;
	if (path_ns > NUC_PATH_NS + cpu->idle_lead.ns)
		cpu->idle_lead.ns += LONGER_NS;
	else
		cpu->idle_lead.ns -=
			cpu->idle_lead.ns < SHORTER_NS ? cpu->idle_lead.ns : SHORTER_NS;
	if (cpu->idle_lead.ns > NUC_IDLE_LEAD_MOST_NS)
		cpu->idle_lead.ns = NUC_IDLE_LEAD_MOST_NS;
}
