// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests to a core. Everything that ring 3 does, and every wait of a core's ring 0, can be
 * interrupted, so that a core answers within microseconds. A core that has not answered after
 * tactus.answer_ms gets an NMI, which halts it for good. If it does not take the NMI, it gets an
 * INIT, after which a processor runs nothing. But an INIT has no answer, so nothing that the core
 * could reach is freed until Linux has started the CPU anew. The first processor gets no INIT, and
 * is lost until it takes the NMI.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/printk.h>

#include "tactus.h"

#define SPIN_NS 50000

u32 tactus_core_state(const struct tactus_core *core)
{
	return smp_load_acquire(&core->mailbox->state);
}

bool tactus_core_halted(const struct tactus_core *core)
{
	u32 state = tactus_core_state(core);

	return state == CORE_GONE || state == CORE_BROKEN;
}

bool tactus_core_dead(const struct tactus_core *core)
{
	/* Pairs with request_give_up(): a reader that sees it also sees `unknown`. */
	return tactus_core_halted(core) || atomic_read_acquire(&core->given_up);
}

typedef bool (*request_predicate)(const struct tactus_core *core, u32 what);

static bool request_wait(const struct tactus_core *core, request_predicate is_answered, u32 what)
{
	u64 start = ktime_get_ns();

	for (;;) {
		u64 passed = ktime_get_ns() - start;

		if (is_answered(core, what))
			return true;
		if (passed > (u64)tactus_answer_ms * NSEC_PER_MSEC)
			return is_answered(core, what);
		if (passed < SPIN_NS)
			cpu_relax();
		else
			usleep_range(50, 100);
	}
}

static bool request_is_halted(const struct tactus_core *core, u32 what)
{
	return tactus_core_halted(core);
}

static void request_end(struct tactus_core *core)
{
	WRITE_ONCE(core->mailbox->halt_at_nmi, 1);
	tactus_interrupt_nmi(core);
	if (request_wait(core, request_is_halted, 0)) {
		pr_err("CPU %u did not answer; an NMI halted it\n", core->cpu);
	} else {
		WRITE_ONCE(core->unknown, true);
		if (tactus_interrupt_init(core))
			pr_err("CPU %u answered no NMI either; it got an INIT, and its memory is "
			       "kept until it has started anew\n",
			       core->cpu);
		else
			pr_err("CPU %u answered no NMI either, and an INIT would send it to the "
			       "firmware: the CPU and its memory are lost until it answers\n",
			       core->cpu);
	}
}

/* A second caller waits for the first one: until that has ended the core, the core may run, and an
 * INIT after the CPU has gone back would reset a CPU of Linux. */
static void request_give_up(struct tactus_core *core)
{
	mutex_lock(&core->giving_up);
	if (!tactus_core_dead(core)) {
		request_end(core);
		atomic_set_release(&core->given_up, 1);
	}
	mutex_unlock(&core->giving_up);
	wake_up_all(&tactus_doorbell_wait);
}

/* Wait for the answer, which a dead core does not give. */
static void request_send(struct tactus_core *core, request_predicate is_answered, u32 what)
{
	if (tactus_core_dead(core))
		return;
	tactus_interrupt_attention(core);
	if (!request_wait(core, is_answered, what) && !tactus_core_halted(core))
		request_give_up(core);
}

static void request_set(struct tactus_core *core, u32 request)
{
	atomic_or(request, (atomic_t *)&core->mailbox->request);
}

static bool request_is_parked(const struct tactus_core *core, u32 park)
{
	return smp_load_acquire(&core->mailbox->parked) == park;
}

/* The next number that is odd (park) or even. Returns it. */
static u32 request_next_park(struct tactus_core *core, u32 odd)
{
	atomic_t *park = (atomic_t *)&core->mailbox->park;
	int now = atomic_read(park);

	while ((now & 1) != odd && !atomic_try_cmpxchg(park, &now, now + 1))
		;
	return atomic_read(park);
}

void tactus_request_park(struct tactus_core *core)
{
	request_send(core, request_is_parked, request_next_park(core, 1));
}

void tactus_request_unpark(struct tactus_core *core)
{
	request_next_park(core, 0);
	tactus_interrupt_attention(core);
}

void tactus_request_run(struct tactus_core *core)
{
	request_set(core, CORE_REQUEST_RUN);
	tactus_request_unpark(core);
}

static bool request_is_done(const struct tactus_core *core, u32 request)
{
	return !(smp_load_acquire(&core->mailbox->request) & request) || tactus_core_halted(core);
}

/* A run that has not begun, because its owner woke before; the core is parked. */
void tactus_request_no_run(struct tactus_core *core)
{
	atomic_andnot(CORE_REQUEST_RUN, (atomic_t *)&core->mailbox->request);
}

/* Only for a core that is parked within a run. */
void tactus_request_drop(struct tactus_core *core)
{
	request_set(core, CORE_REQUEST_DROP);
	request_send(core, request_is_done, CORE_REQUEST_DROP);
}

void tactus_request_exit(struct tactus_core *core)
{
	request_set(core, CORE_REQUEST_EXIT);
	request_send(core, request_is_halted, 0);
	/* A sender that had seen the core alive has finished: its interrupt or INIT may have been
	 * under way when the core ended by the NMI after all. */
	spin_lock(&core->sending);
	spin_unlock(&core->sending);
	mutex_lock(&core->giving_up);
	mutex_unlock(&core->giving_up);
}

static bool request_is_flushed(const struct tactus_core *core, u32 wanted)
{
	return (s32)(smp_load_acquire(&core->mailbox->flushed) - wanted) >= 0 ||
	       tactus_core_halted(core);
}

static void request_flush_core(struct tactus_core *core, void *data)
{
	bool *safe = data;

	/* Pairs with core_flush(): the entries are cleared before the demand is visible. */
	request_send(core, request_is_flushed,
		     atomic_inc_return((atomic_t *)&core->mailbox->flush));
	if (READ_ONCE(core->unknown))
		*safe = false;
}

bool tactus_request_flush(struct tactus_program *program)
{
	bool safe = true;

	tactus_program_each(program, request_flush_core, &safe);
	return safe;
}
