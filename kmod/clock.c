// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock page: CLOCK_MONOTONIC for programs on cores, where the vDSO's data page is not mapped.
 * If the time-stamp counter is Linux's clock, the page holds Linux's own factors, with each change
 * of them, as guests of KVM get them. If Linux has another clock (kvm-clock, HPET), the counter is
 * made to follow that one (follow.c).
 */
#include <linux/clocksource.h>
#include <linux/gfp.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/pvclock_gtod.h>
#include <linux/spinlock.h>
#include <linux/timekeeper_internal.h>
#include <asm/tsc.h>

#include "tactus.h"

struct tact_bare_clock *tactus_clock_page;

static DEFINE_RAW_SPINLOCK(clock_writer);
static bool clock_is_counter;

/* Context: with the writer's lock. */
static void clock_write(const struct tactus_slope *slope, bool valid)
{
	struct tact_bare_clock *page = tactus_clock_page;

	WRITE_ONCE(page->sequence, page->sequence + 1);
	smp_wmb();
	page->valid = valid;
	page->base_ticks = slope->ticks;
	page->base_ns = slope->ns;
	page->base_fraction = slope->fraction;
	page->mult = slope->mult;
	page->shift = slope->shift;
	smp_wmb();
	WRITE_ONCE(page->sequence, page->sequence + 1);
}

/* Linux has its own lock around this, for which reading the time would wait. */
static int clock_changed(struct notifier_block *block, unsigned long was_set, void *data)
{
	const struct timekeeper *keeper = data;
	const struct tk_read_base *base = &keeper->tkr_mono;
	const struct tactus_slope slope = {
		.ticks = base->cycle_last,
		.ns = ktime_to_ns(base->base),
		.fraction = base->xtime_nsec,
		.mult = base->mult,
		.shift = base->shift,
	};
	unsigned long flags;
	bool was_counter;

	raw_spin_lock_irqsave(&clock_writer, flags);
	was_counter = clock_is_counter;
	WRITE_ONCE(clock_is_counter, base->clock->vdso_clock_mode == VDSO_CLOCKMODE_TSC);
	/* The word is aligned and means something alone: no reader pairs it with another word. */
	WRITE_ONCE(tactus_clock_page->wall_offset_ns, ktime_to_ns(keeper->offs_real));
	if (clock_is_counter)
		clock_write(&slope, true);
	raw_spin_unlock_irqrestore(&clock_writer, flags);
	if (was_counter && !clock_is_counter)
		tactus_follow_wake();
	return NOTIFY_OK;
}

static struct notifier_block clock_notifier = {.notifier_call = clock_changed};

bool tactus_clock_is_counter(void)
{
	return READ_ONCE(clock_is_counter);
}

void tactus_clock_set(const struct tactus_slope *slope)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&clock_writer, flags);
	/* Linux may have returned to the counter meanwhile. */
	if (!clock_is_counter)
		clock_write(slope, true);
	raw_spin_unlock_irqrestore(&clock_writer, flags);
}

void tactus_clock_lose(void)
{
	struct tact_bare_clock *page = tactus_clock_page;
	unsigned long flags;
	bool lost;

	raw_spin_lock_irqsave(&clock_writer, flags);
	lost = !clock_is_counter && page->valid;
	if (lost) {
		const struct tactus_slope last = {page->base_ticks, page->base_ns,
						  page->base_fraction, page->mult, page->shift};

		clock_write(&last, false);
	}
	raw_spin_unlock_irqrestore(&clock_writer, flags);
	if (lost)
		pr_err("Linux found that the time-stamp counters go wrong: running programs "
		       "continue with the last known rate, and no program can start. Boot with "
		       "tsc=reliable if the counters are right\n");
}

u64 tactus_clock_reported(void)
{
	const struct tact_bare_clock *page = tactus_clock_page;
	unsigned long flags;
	u64 reported;

	raw_spin_lock_irqsave(&clock_writer, flags);
	reported = page->base_ns +
		   (((rdtsc_ordered() - page->base_ticks) * page->mult + page->base_fraction) >>
		    page->shift);
	raw_spin_unlock_irqrestore(&clock_writer, flags);
	return reported;
}

int tactus_clock_start(void)
{
	int error;

	tactus_clock_page = (void *)get_zeroed_page(GFP_KERNEL);
	if (!tactus_clock_page)
		return -ENOMEM;
	error = pvclock_gtod_register_notifier(&clock_notifier);
	if (error) {
		free_page((unsigned long)tactus_clock_page);
		return error;
	}
	tactus_follow_start();
	return 0;
}

void tactus_clock_stop(void)
{
	pvclock_gtod_unregister_notifier(&clock_notifier);
	tactus_follow_stop();
	free_page((unsigned long)tactus_clock_page);
}
