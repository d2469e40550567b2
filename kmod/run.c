// SPDX-License-Identifier: GPL-2.0-only
/*
 * START, RUN, STOP. A core runs only while its owner sleeps here, interruptibly: anything that
 * wakes the owner (a signal, a stop, a debugger, the freezer) parks the core before the owner
 * leaves.
 */
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <asm/trapnr.h>

#include "tactus.h"

/* The period of checks, for rings that Linux lost while it moved the doorbell. */
#define LOOK_AGAIN (HZ / 4)

static int run_check(const struct tact_bare_start *start)
{
	unsigned int kind;

	if (start->reserved || !start->ip || start->ip >= TASK_SIZE_MAX ||
	    start->sp >= TASK_SIZE_MAX || start->fs_base >= TASK_SIZE_MAX ||
	    start->gs_base >= TASK_SIZE_MAX)
		return -EINVAL;
	for (kind = 0; kind < TACT_BARE_UP_EVENTS; kind++)
		if (start->entry[kind] >= TASK_SIZE_MAX || start->stack[kind] >= TASK_SIZE_MAX)
			return -EINVAL;
	return 0;
}

/* Here, and not when the core begins: events that come between are kept. */
static void run_reset(struct tact_bare_user *user)
{
	unsigned int kind;

	WRITE_ONCE(user->masked, 1);
	WRITE_ONCE(user->events, 0);
	for (kind = 0; kind < TACT_BARE_UP_EVENTS; kind++)
		WRITE_ONCE(user->frame[kind].busy, 0);
}

int tactus_run_start(struct tactus_program *program, const struct tact_bare_start *start)
{
	struct tactus_core *core = tactus_program_core(program, start->core);
	int error = run_check(start);

	if (!core)
		return -ENXIO;
	if (error)
		goto put;
	error = -EBUSY;
	if (atomic_cmpxchg(&core->owners, 0, 1))
		goto put;
	/* Without an owner, a core that runs is parked. */
	if (tactus_core_state(core) == CORE_RUNNING)
		tactus_request_drop(core);
	else
		tactus_request_no_run(core);
	error = -EIO;
	if (!tactus_core_dead(core)) {
		core->mailbox->start = *start;
		run_reset(core->user);
		core->started = true;
		error = 0;
	}
	atomic_set_release(&core->owners, 0);
put:
	tactus_core_put(core);
	return error;
}

/* The request is cleared after the core has become CORE_RUNNING, so read it first. */
static bool run_has_ended(const struct tactus_core *core)
{
	return !(smp_load_acquire(&core->mailbox->request) & CORE_REQUEST_RUN) &&
	       tactus_core_state(core) == CORE_WAITING;
}

static bool run_must_wake(struct tactus_core *core)
{
	return run_has_ended(core) || tactus_core_dead(core) || atomic_read(&core->stop_asked);
}

static void run_report(const struct tactus_core *core, struct tact_bare_run *run, u32 reason)
{
	const struct core_stop *stop = &core->mailbox->stop;
	const struct core_registers *registers = &stop->registers;

	*run = (struct tact_bare_run){
		.core = core->index,
		.reason = reason,
		.cause = reason == TACT_BARE_STOPPED ? 0 : stop->cause,
		.error = reason == TACT_BARE_FAULT ? registers->error : 0,
		.address = reason == TACT_BARE_FAULT ? stop->address : 0,
		.ip = registers->ip,
		.sp = registers->sp,
		.flags = registers->flags,
		.ax = registers->ax,
		.bx = registers->bx,
		.cx = registers->cx,
		.dx = registers->dx,
		.si = registers->si,
		.di = registers->di,
		.bp = registers->bp,
		.r8 = registers->r8,
		.r9 = registers->r9,
		.r10 = registers->r10,
		.r11 = registers->r11,
		.r12 = registers->r12,
		.r13 = registers->r13,
		.r14 = registers->r14,
		.r15 = registers->r15,
	};
}

static int run_broken(struct tactus_core *core)
{
	const struct core_registers *registers = &core->mailbox->stop.registers;

	if (tactus_core_state(core) != CORE_BROKEN || core->reported)
		return -EIO;
	core->reported = true;
	if (registers->vector == X86_TRAP_MC)
		pr_err("CPU %u had a machine check of its own (status %llx) at ip %llx\n",
		       core->cpu, core->mailbox->stop.address, registers->ip);
	else
		pr_err("CPU %u broke: vector %llu error %llx ip %llx sp %llx address %llx\n",
		       core->cpu, registers->vector, registers->error, registers->ip, registers->sp,
		       core->mailbox->stop.address);
	return -EIO;
}

/* The owner leaves: an end of the run meanwhile has precedence over the signal that woke it. */
static int run_leave(struct tactus_core *core, struct tact_bare_run *run, int result)
{
	tactus_request_park(core);
	if (tactus_core_dead(core))
		return run_broken(core);
	if (run_has_ended(core)) {
		run_report(core, run, core->mailbox->stop.reason);
		return 0;
	}
	if (!result) {
		atomic_set(&core->stop_asked, 0);
		run_report(core, run, TACT_BARE_STOPPED);
	}
	return result;
}

static int run_owned(struct tactus_core *core, struct tact_bare_run *run)
{
	long left = 0;

	if (tactus_core_dead(core))
		return run_broken(core);
	if (tactus_core_state(core) == CORE_RUNNING) {
		tactus_request_unpark(core);
	} else if (READ_ONCE(core->mailbox->request) & CORE_REQUEST_RUN) {
		/* A signal came before the core had begun. */
		tactus_request_unpark(core);
	} else {
		if (!core->started)
			return -ENODATA;
		core->started = false;
		tactus_request_run(core);
	}
	while (!left)
		left = wait_event_interruptible_timeout(tactus_doorbell_wait, run_must_wake(core),
							LOOK_AGAIN);
	return run_leave(core, run, left < 0 ? left : 0);
}

int tactus_run(struct tactus_core *core, struct tact_bare_run *run)
{
	int result;

	if (atomic_cmpxchg(&core->owners, 0, 1))
		return -EBUSY;
	result = run_owned(core, run);
	atomic_set_release(&core->owners, 0);
	return result;
}

int tactus_run_stop(struct tactus_core *core)
{
	atomic_set(&core->stop_asked, 1);
	wake_up_all(&tactus_doorbell_wait);
	return 0;
}
