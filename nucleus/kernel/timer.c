/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers. Each clock has its own queue, so that setting the wall clock moves all its timers at once
 * by a change of the offset. A timer fires before its deadline by the lead of its context: the
 * gravity, and NUC_PATH_NS. A task that is made ready early is held back by the switch until the
 * deadline (nuc_task.not_before_ns).
 */
#include "kernel/timer.h"

int nuc_timer_reserve(struct nuc_cpu *cpu)
{
	int result = base_timerq_reserve(&cpu->timers[NUC_CLOCK_MONOTONIC]);

	if (result)
		return result;
	result = base_timerq_reserve(&cpu->timers[NUC_CLOCK_WALL]);
	if (result)
		base_timerq_unreserve(&cpu->timers[NUC_CLOCK_MONOTONIC]);
	return result;
}

void nuc_timer_unreserve(struct nuc_cpu *cpu)
{
	base_timerq_unreserve(&cpu->timers[NUC_CLOCK_MONOTONIC]);
	base_timerq_unreserve(&cpu->timers[NUC_CLOCK_WALL]);
}

int nuc_timer_reserve_monotonic(struct nuc_cpu *cpu, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		int result = base_timerq_reserve(&cpu->timers[NUC_CLOCK_MONOTONIC]);

		if (result) {
			nuc_timer_unreserve_monotonic(cpu, i);
			return result;
		}
	}
	return 0;
}

void nuc_timer_unreserve_monotonic(struct nuc_cpu *cpu, unsigned count)
{
	while (count--)
		base_timerq_unreserve(&cpu->timers[NUC_CLOCK_MONOTONIC]);
}

void nuc_timer_init(struct nuc_timer *timer,
		    void (*fire)(struct nuc_cpu *cpu, struct nuc_timer *timer),
		    enum nuc_context context)
{
	base_timer_init(&timer->node);
	timer->fire = fire;
	timer->clock = NUC_CLOCK_MONOTONIC;
	timer->context = (uint8_t)context;
	timer->level = NUC_LEVELS;
}

void nuc_timer_arm(struct nuc_cpu *cpu, struct nuc_timer *timer, enum nuc_clock clock,
		   uint64_t deadline_ns)
{
	if (timer->clock != clock)
		nuc_timer_cancel(cpu, timer);
	timer->clock = (uint8_t)clock;
	if (base_timerq_arm(&cpu->timers[clock], &timer->node, deadline_ns))
		cpu->dirty |= NUC_DIRTY_SHOT;
}

void nuc_timer_cancel(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	if (!nuc_timer_armed(timer))
		return;
	/* A shot for a cancelled timer would only cost a look at the timers, but the back end may
	 * keep the processor awake for it. */
	if (base_timerq_cancel(&cpu->timers[timer->clock], &timer->node))
		cpu->dirty |= NUC_DIRTY_SHOT;
}

static struct nuc_timer *timer_of(struct base_timer *node)
{
	return base_container_of(node, struct nuc_timer, node);
}

static uint64_t to_monotonic(const struct nuc_cpu *cpu, enum nuc_clock clock, uint64_t instant_ns)
{
	if (clock == NUC_CLOCK_MONOTONIC)
		return instant_ns;
	if (cpu->wall_offset_ns > 0 && instant_ns < (uint64_t)cpu->wall_offset_ns)
		return 0;
	return instant_ns - (uint64_t)cpu->wall_offset_ns;
}

static struct nuc_timer *next_timer(struct nuc_cpu *cpu, uint64_t *deadline_ns)
{
	struct nuc_timer *next = NULL;

	*deadline_ns = HAL_NO_DEADLINE;
	for (enum nuc_clock clock = 0; clock < NUC_CLOCKS; clock++) {
		struct base_timer *head = base_timerq_head(&cpu->timers[clock]);
		uint64_t deadline;

		if (!head)
			continue;
		deadline = to_monotonic(cpu, clock, head->deadline_ns);
		if (deadline < *deadline_ns) {
			*deadline_ns = deadline;
			next = timer_of(head);
		}
	}
	return next;
}

uint64_t nuc_timer_next(struct nuc_cpu *cpu, uint32_t *lead_ns)
{
	uint64_t deadline;
	struct nuc_timer *timer = next_timer(cpu, &deadline);

	*lead_ns = timer ? cpu->lead_ns[timer->context] : 0;
	return deadline;
}

static bool matters(const struct base_timer *node, const void *priority)
{
	return base_container_of(node, const struct nuc_timer, node)->level >
	       *(const uint32_t *)priority;
}

struct wanted {
	uint32_t priority;
	bool *matters; /* set if one of the timers looked at matters */
};

static bool matters_surely(const struct base_timer *node, const void *context)
{
	const struct wanted *wanted = context;

	*wanted->matters = matters(node, &wanted->priority);
	return *wanted->matters;
}

/*
 * When to fire the timers that a full batch left. Under a handler not by a shot: the switch away
 * from the server computes the shot again.
 */
static __attribute__((noinline)) uint64_t rest_due(struct nuc_cpu *cpu, uint32_t priority,
						   uint64_t deadline_ns)
{
	bool known = false;
	const struct wanted wanted = {priority, &known};

	if (priority == NUC_LEVEL_SERVER)
		return HAL_NO_DEADLINE;
	for (enum nuc_clock clock = 0; clock < NUC_CLOCKS && !known; clock++)
		(void)base_timerq_next_wanted_ns(&cpu->timers[clock], matters_surely, &wanted);
	return known ? deadline_ns : cpu->expiry.rest_ns;
}

uint64_t nuc_timer_next_above(struct nuc_cpu *cpu, uint32_t priority, uint32_t *lead_ns)
{
	uint64_t next = nuc_timer_next(cpu, lead_ns);
	uint64_t above = HAL_NO_DEADLINE;

	cpu->expiry.skipped_ns = HAL_NO_DEADLINE;
	if (next == HAL_NO_DEADLINE)
		return next;
	for (enum nuc_clock clock = 0; clock < NUC_CLOCKS; clock++) {
		uint64_t deadline =
			base_timerq_next_wanted_ns(&cpu->timers[clock], matters, &priority);

		if (deadline != HAL_NO_DEADLINE)
			deadline = to_monotonic(cpu, clock, deadline);
		if (deadline < above)
			above = deadline;
	}
	if (__builtin_expect(above < cpu->expiry.rest_ns, 0))
		above = rest_due(cpu, priority, above);
	if (above > next)
		cpu->expiry.skipped_ns = next;
	/* Whichever timer it is: the longest lead is enough for all. */
	*lead_ns = cpu->lead_ns[NUC_CONTEXT_TASK];
	return above;
}

/* Put the rest off by as much time as the batch took. The shot will be anticipated by its lead and
 * by the preemption, so both are added. */
static __attribute__((noinline)) void put_off_rest(struct nuc_cpu *cpu, uint64_t begin_ns)
{
	uint64_t now = hal_now_ns();

	cpu->expiry.rest_ns = now + (now - begin_ns) + cpu->lead_ns[NUC_CONTEXT_TASK] +
			      hal_gravity_preempt_ns(&cpu->hal);
}

static bool expire(struct nuc_cpu *cpu, uint32_t reach_ns, uint32_t most)
{
	uint64_t now = hal_now_ns();

	cpu->expiry.looked_ns = now;
	cpu->expiry.looked_ticks = hal_ticks();
	for (uint32_t left = most;; left--) {
		uint64_t deadline;
		struct nuc_timer *timer = next_timer(cpu, &deadline);

		/* The slice ends in its order among the timers, and never early. */
		if (__builtin_expect(cpu->dispatch.slice_ns <= now &&
					     cpu->dispatch.slice_ns <= deadline,
				     0)) {
			nuc_sched_slice_over(cpu);
			timer = next_timer(cpu, &deadline);
		}
		if (!timer)
			return false;
		if (deadline > now + cpu->lead_ns[timer->context] + reach_ns) {
			now = hal_now_ns();
			if (deadline > now + cpu->lead_ns[timer->context] + reach_ns)
				return false;
		}
		if (!left) {
			put_off_rest(cpu, now);
			return true;
		}
		nuc_timer_cancel(cpu, timer);
		/* A task that this makes ready must not begin before the deadline. */
		cpu->expiry.earliest_ns = deadline > now ? deadline : 0;
		cpu->hold_ns =
			cpu->expiry.earliest_ns ? deadline - cpu->gravity_ns[timer->context] : 0;
		/* A timer that was passed over is late. On the wall clock lateness says nothing,
		 * because the clock may have been set beyond the deadline. */
		cpu->expiry.due_ns =
			timer->clock == NUC_CLOCK_MONOTONIC ? deadline : cpu->expiry.earliest_ns;
		timer->fire(cpu, timer);
		cpu->expiry.due_ns = 0;
		cpu->expiry.earliest_ns = 0;
		cpu->hold_ns = 0;
	}
}

bool nuc_timer_expire(struct nuc_cpu *cpu, uint32_t reach_ns)
{
	return expire(cpu, reach_ns, NUC_TIMER_BATCH);
}

bool nuc_timer_serve_skipped(struct nuc_cpu *cpu, uint32_t most)
{
	cpu->expiry.skipped_ns = HAL_NO_DEADLINE;
	return expire(cpu, 0, most);
}

uint64_t nuc_wake_up_ns(const struct nuc_cpu *cpu)
{
	uint64_t now_ns;

	if (cpu->expiry.earliest_ns)
		return cpu->expiry.earliest_ns;
	now_ns = hal_now_ns();
	return cpu->expiry.due_ns && cpu->expiry.due_ns < now_ns ? cpu->expiry.due_ns : now_ns;
}
