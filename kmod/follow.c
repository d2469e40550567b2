// SPDX-License-Identifier: GPL-2.0-only
/*
 * CLOCK_MONOTONIC from the time-stamp counter while Linux reads another clock, as in many virtual
 * machines. Both are read together ten times a second. The line by which cores compute the time has
 * the rate of the last 8 to 16 seconds, and is bent by an eighth of its error. It bends where it
 * ended, so time does not jump, and at most to half the rate, so time never runs backwards. If
 * Linux is ahead by more than drift explains, the line steps forward; it steps backwards only when
 * the machine has slept, while nothing runs on a core. A reading that a host made last much longer
 * than others is not believed, and the line continues straight.
 *
 * A counter that Linux found to go wrong is not used on a physical machine. In a virtual machine it
 * is used: the host provides the same counter to all processors, and Linux's doubts there are about
 * idle states and late readings.
 */
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/timer.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "compat.h"
#include "tactus.h"

#define FOLLOW_MS 100
#define SETTLE_NS (8ll * FOLLOW_MS * NSEC_PER_MSEC)
#define STEP_NS   (5ll * NSEC_PER_MSEC)
#define WINDOW_S  8ull
#define TRIES     4
/* A line begins with a reading at least as good as this, or with the best of many. */
#define FIRST_NS    50000
#define FIRST_TRIES 20
/* A mult of 31 bits for a counter of 1 GHz and more; a slower counter has a smaller shift. */
#define SHIFT 31

struct follow_pair {
	u64 ticks, ns;
	u64 took; /* ticks */
};

static struct tactus_slope follow_slope;              /* mult 0: there is no line */
static struct follow_pair follow_older, follow_newer; /* the readings at which the windows of the
						       * rate begin */
static u32 follow_rate;                               /* of the line, before it was bent */
static u64 follow_usual;                              /* the usual duration of a reading */
static ktime_t follow_slept;                          /* the time that the machine has slept
						       * since it started */
static void follow_again(struct timer_list *timer);
static DEFINE_TIMER(follow_timer, follow_again);
static void follow_woken(struct irq_work *work);
static struct irq_work follow_work = IRQ_WORK_INIT(follow_woken);

/* The quickest of several tries: the host may interrupt a reading. */
static struct follow_pair follow_read(unsigned int tries, u64 enough)
{
	struct follow_pair best = {.took = U64_MAX};
	unsigned int i;

	for (i = 0; i < tries && best.took > enough; i++) {
		unsigned long flags;
		u64 before, after, ns;

		local_irq_save(flags);
		before = rdtsc_ordered();
		ns = ktime_get_ns();
		after = rdtsc_ordered();
		local_irq_restore(flags);
		if (after - before >= best.took)
			continue;
		best.took = after - before;
		best.ticks = before + best.took / 2;
		best.ns = ns;
	}
	return best;
}

/* The usual duration rises by an eighth with each longer reading, so that no clock is disbelieved
 * for long. */
static bool follow_believes(const struct follow_pair *now)
{
	bool usual = now->took <= 2 * follow_usual;

	if (now->took < follow_usual)
		follow_usual = now->took;
	else
		follow_usual += follow_usual / 8 + 1;
	return usual;
}

static u64 follow_reported(u64 ticks)
{
	return follow_slope.ns +
	       mul_u64_u32_shr(ticks - follow_slope.ticks, follow_slope.mult, follow_slope.shift);
}

static void follow_begin(void)
{
	const struct follow_pair now =
		follow_read(FIRST_TRIES, (u64)tsc_khz * FIRST_NS / NSEC_PER_MSEC);
	u32 shift = SHIFT;

	while (((u64)NSEC_PER_MSEC << shift) / tsc_khz > U32_MAX / 2)
		shift--;
	follow_slope = (struct tactus_slope){
		.ticks = now.ticks,
		.ns = now.ns,
		.mult = ((u64)NSEC_PER_MSEC << shift) / tsc_khz,
		.shift = shift,
	};
	follow_rate = follow_slope.mult;
	follow_usual = now.took;
	follow_slept = ktime_mono_to_any(0, TK_OFFS_BOOT);
	follow_older = follow_newer = now;
}

static void follow_bend(const struct follow_pair *now)
{
	u64 reported = follow_reported(now->ticks);
	s64 error = (s64)(now->ns - reported);

	follow_slope.ticks = now->ticks;
	follow_slope.ns = reported;
	follow_slope.mult = follow_rate;
	if (!follow_believes(now))
		return;
	if (error > STEP_NS + (s64)(now->took / 2 * NSEC_PER_MSEC / tsc_khz)) {
		follow_begin();
		return;
	}
	/* The rate is no better than the reading at which its window began. */
	if (now->took < follow_older.took / 2)
		follow_older = follow_newer = *now;
	if (now->ticks - follow_older.ticks >= (u64)tsc_khz * FOLLOW_MS)
		follow_rate =
			mul_u64_u64_div_u64(now->ns - follow_older.ns, 1ull << follow_slope.shift,
					    now->ticks - follow_older.ticks);
	if (now->ticks - follow_newer.ticks >= (u64)tsc_khz * MSEC_PER_SEC * WINDOW_S) {
		follow_older = follow_newer;
		follow_newer = *now;
	}
	/* As far back as half the rate reaches in that time. */
	error = max(error, -SETTLE_NS / 2);
	follow_slope.mult = follow_rate + div64_s64(follow_rate * (error / 16), SETTLE_NS / 16);
}

/* Returns whether there is a clock to follow. */
static bool follow(void)
{
	if (tactus_clock_is_counter()) {
		follow_slope.mult = 0;
		return false;
	}
	if (!tsc_khz || (check_tsc_unstable() && !boot_cpu_has(X86_FEATURE_HYPERVISOR))) {
		follow_slope.mult = 0;
		tactus_clock_lose();
		return false;
	}
	if (follow_slope.mult && follow_slept == ktime_mono_to_any(0, TK_OFFS_BOOT)) {
		const struct follow_pair now = follow_read(TRIES, 0);

		follow_bend(&now);
	} else {
		follow_begin();
	}
	tactus_clock_set(&follow_slope);
	return true;
}

/* If Linux changes to the other clock after this check, its notification starts this anew. */
static void follow_again(struct timer_list *timer)
{
	if (follow())
		mod_timer(&follow_timer, jiffies + msecs_to_jiffies(FOLLOW_MS));
}

static void follow_woken(struct irq_work *work)
{
	mod_timer(&follow_timer, jiffies);
}

void tactus_follow_wake(void)
{
	irq_work_queue(&follow_work);
}

void tactus_follow_start(void)
{
	follow_again(&follow_timer);
}

void tactus_follow_stop(void)
{
	irq_work_sync(&follow_work);
	compat_timer_stop(&follow_timer);
}
