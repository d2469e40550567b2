// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock page: Linux's own factors of CLOCK_MONOTONIC, for programs on cores, where the vDSO's
 * data page is not mapped. Linux calls with each change of them, as it does for guests of KVM.
 */
#include <linux/clocksource.h>
#include <linux/gfp.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/timekeeper_internal.h>

#include "tactus.h"

struct tact_bare_clock *tactus_clock_page;

/* Linux has its own lock around this: there is one writer. */
static int clock_changed(struct notifier_block *block, unsigned long was_set, void *data)
{
	const struct timekeeper *keeper = data;
	const struct tk_read_base *base = &keeper->tkr_mono;
	struct tact_bare_clock *page = tactus_clock_page;

	WRITE_ONCE(page->sequence, page->sequence + 1);
	smp_wmb();
	page->valid = base->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC;
	page->base_ticks = base->cycle_last;
	page->base_ns = ktime_to_ns(base->base);
	page->base_fraction = base->xtime_nsec;
	page->wall_offset_ns = ktime_to_ns(keeper->offs_real);
	page->mult = base->mult;
	page->shift = base->shift;
	smp_wmb();
	WRITE_ONCE(page->sequence, page->sequence + 1);
	return NOTIFY_OK;
}

static struct notifier_block clock_notifier = {.notifier_call = clock_changed};

int tactus_clock_start(void)
{
	int error;

	tactus_clock_page = (void *)get_zeroed_page(GFP_KERNEL);
	if (!tactus_clock_page)
		return -ENOMEM;
	error = pvclock_gtod_register_notifier(&clock_notifier);
	if (error)
		free_page((unsigned long)tactus_clock_page);
	return error;
}

void tactus_clock_stop(void)
{
	pvclock_gtod_unregister_notifier(&clock_notifier);
	free_page((unsigned long)tactus_clock_page);
}
