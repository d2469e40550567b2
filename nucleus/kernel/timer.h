/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers of one CPU: exact order by deadline, then by arming. Context: the owning CPU, stalled.
 */
#ifndef NUC_TIMER_H
#define NUC_TIMER_H

#include "kernel/cpu.h"

struct nuc_timer {
	struct base_timer node;
	void (*fire)(struct nuc_cpu *cpu, struct nuc_timer *timer);
	uint8_t clock;   /* enum nuc_clock */
	uint8_t context; /* enum nuc_context: selects the gravity */
	/* Its expiry can only matter while a task below this level runs; NUC_LEVELS: always. */
	uint16_t level;
};

/* Reserve room for one more timer on both clocks; 0 or -TACT_ENOMEM. Each reservation is undone
 * once. */
int nuc_timer_reserve(struct nuc_cpu *cpu);
void nuc_timer_unreserve(struct nuc_cpu *cpu);

/* The same for count timers that are armed on the monotonic clock only; all of them or none. */
int nuc_timer_reserve_monotonic(struct nuc_cpu *cpu, unsigned count);
void nuc_timer_unreserve_monotonic(struct nuc_cpu *cpu, unsigned count);

void nuc_timer_init(struct nuc_timer *timer,
		    void (*fire)(struct nuc_cpu *cpu, struct nuc_timer *timer),
		    enum nuc_context context);

/* Arm or re-arm at an instant of the clock. */
void nuc_timer_arm(struct nuc_cpu *cpu, struct nuc_timer *timer, enum nuc_clock clock,
		   uint64_t deadline_ns);
void nuc_timer_cancel(struct nuc_cpu *cpu, struct nuc_timer *timer);

static inline bool nuc_timer_armed(const struct nuc_timer *timer)
{
	return base_timer_armed(&timer->node);
}

/*
 * How many timers fire in one section. A timer that fires wakes a task or queues a handler, some
 * 100 ns. A burst then delays messages and more urgent tasks by no more than a few switches, and
 * the other costs of a section (an event, a decision, a shot) are small compared with its work.
 */
#define NUC_TIMER_BATCH 8

/*
 * Fire the timers that are due by now plus reach (what the back end anticipated), in order, a batch
 * at most. True: more timers are due. Their shot, nuc_timer_next_above(), comes at once if one of
 * them is known to matter to the running task. Under a handler it comes when the queued handlers
 * have run. Otherwise it comes after the running task has had as long as the batch took, so that a
 * burst of timers that have to wait leaves the task half of the processor.
 */
bool nuc_timer_expire(struct nuc_cpu *cpu, uint32_t reach_ns);

/*
 * The next deadline that concerns a CPU on which a task of this priority runs. A release that has
 * to wait for that task is passed over, because an interruption for it would only cost time. A
 * timer that is passed over is served by nuc_timer_catch_up_one() at the next call of the running
 * task, and by nuc_timer_catch_up() at the next event, before anything else, so that the order is
 * the same. Only a message may come between two batches.
 */
uint64_t nuc_timer_next_above(struct nuc_cpu *cpu, uint32_t priority, uint32_t *lead_ns);
/* Fire the timers that were passed over and are due, `most` at most. True: more are due. */
bool nuc_timer_serve_skipped(struct nuc_cpu *cpu, uint32_t most);

/* Is a timer due that was passed over? If any was passed over, due or not, the shot is computed
 * again. */
static inline bool nuc_timer_skipped_due(struct nuc_cpu *cpu)
{
	if (__builtin_expect(cpu->expiry.skipped_ns == HAL_NO_DEADLINE, 1))
		return false;
	cpu->dirty |= NUC_DIRTY_SHOT;
	return hal_now_ns() >= cpu->expiry.skipped_ns;
}

/* True: more timers than a batch are due. */
static inline bool nuc_timer_catch_up(struct nuc_cpu *cpu)
{
	return nuc_timer_skipped_due(cpu) && nuc_timer_serve_skipped(cpu, NUC_TIMER_BATCH);
}

/* True: one timer has fired, and the section of a call may not last longer. The caller ends the
 * section and tries again. */
static inline bool nuc_timer_catch_up_one(struct nuc_cpu *cpu)
{
	if (!nuc_timer_skipped_due(cpu))
		return false;
	(void)nuc_timer_serve_skipped(cpu, 1);
	return true;
}

/* The next deadline, on the monotonic clock; HAL_NO_DEADLINE: none. *lead_ns: how early it
 * fires. */
uint64_t nuc_timer_next(struct nuc_cpu *cpu, uint32_t *lead_ns);

/* The instant at which a wait that ends now was due to end. Another task may have delayed the
 * end. */
uint64_t nuc_wake_up_ns(const struct nuc_cpu *cpu);

#endif
