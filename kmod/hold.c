// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which CPUs are held, and how they go back. A core never returns to Linux by itself: Linux starts
 * the CPU with INIT and SIPI like any offline CPU, wherever it is halted. Only the first CPU, CPU
 * 0, is woken by an NMI, at which the core returns (take.c). While a CPU is held, Linux's attempts
 * to start it fail.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/percpu.h>

#include "tactus.h"

/* More than the time from the thaw of programs to the end of the resume. */
#define SLEEP_MS 5000
#define HALT_US  1000

static DEFINE_PER_CPU(struct tactus_core *, hold_core);
static DEFINE_RAW_SPINLOCK(hold_lock); /* protects hold_core for readers */
DEFINE_MUTEX(tactus_hold_mutex);
static int hold_hotplug_state;
static struct workqueue_struct *hold_again; /* work that runs here keeps the module's code */
bool tactus_hold_closed;

void tactus_hold_set(unsigned int cpu, struct tactus_core *core)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&hold_lock, flags);
	per_cpu(hold_core, cpu) = core;
	raw_spin_unlock_irqrestore(&hold_lock, flags);
}

void tactus_hold_each(void (*visit)(struct tactus_core *core, void *data), void *data)
{
	unsigned long flags;
	unsigned int cpu;

	raw_spin_lock_irqsave(&hold_lock, flags);
	for_each_possible_cpu(cpu) {
		struct tactus_core *core = per_cpu(hold_core, cpu);

		if (core && core->cpu == cpu)
			visit(core, data);
	}
	raw_spin_unlock_irqrestore(&hold_lock, flags);
}

struct tactus_core *tactus_hold_core(unsigned int cpu)
{
	return READ_ONCE(per_cpu(hold_core, cpu));
}

/* INIT ends whatever a CPU does, but the first CPU goes back only if it has halted. */
static bool hold_is_lost(const struct tactus_core *core)
{
	return core->cpu == 0 && READ_ONCE(core->unknown) && !tactus_core_halted(core);
}

static int hold_may_start(unsigned int cpu)
{
	struct tactus_core *core;
	unsigned long flags;
	bool lost;

	raw_spin_lock_irqsave(&hold_lock, flags);
	core = per_cpu(hold_core, cpu);
	lost = core && hold_is_lost(core);
	raw_spin_unlock_irqrestore(&hold_lock, flags);
	if (lost)
		pr_err("CPU %u does not answer, and only a reset of the machine would stop it\n",
		       cpu);
	return core ? -EBUSY : 0;
}

static int hold_add(unsigned int cpu)
{
	unsigned int ms;
	int error;

	tactus_hold_set(cpu, NULL);
	/* -EBUSY: Linux moves no CPU while the machine suspends or resumes. */
	for (ms = 0; (error = add_cpu(cpu)) == -EBUSY && ms < SLEEP_MS; ms += 20)
		msleep(20);
	/* It was started, by this call or (1) by another, after which it may have gone offline
	 * again. */
	return error >= 0 || cpu_online(cpu) ? 0 : error;
}

void tactus_hold_give_siblings(struct tactus_core *core)
{
	unsigned int cpu;

	for_each_cpu(cpu, core->siblings) {
		int error = hold_add(cpu);

		if (error)
			pr_err("CPU %u, a sibling, did not start again (%d): write 1 to its file "
			       "online\n",
			       cpu, error);
	}
	cpumask_clear(core->siblings);
}

static int hold_give(struct tactus_core *core)
{
	int error;

	lockdep_assert_held(&tactus_hold_mutex);
	if (!core->held)
		return 0;
	tactus_request_exit(core);
	if (hold_is_lost(core)) {
		/* One that is still under way has no handler for it, and is requested to end. */
		if (tactus_core_state(core) != CORE_COMING)
			tactus_interrupt_nmi(core);
		return -EBUSY;
	}
	tactus_image_may_leave(core);
	error = hold_add(core->cpu);
	if (error) {
		tactus_hold_set(core->cpu, core);
		return error;
	}
	/* Linux runs the CPU, so that its former work has ended. */
	core->held = false;
	core->unknown = false;
	tactus_hold_give_siblings(core);
	tactus_affinity_restore(core);
	pr_info("CPU %u is back with Linux\n", core->cpu);
	return 0;
}

static void hold_try_again(struct work_struct *work)
{
	struct tactus_core *core = container_of(to_delayed_work(work), struct tactus_core, again);
	int error;

	mutex_lock(&tactus_hold_mutex);
	error = hold_give(core);
	core->retried = error;
	mutex_unlock(&tactus_hold_mutex);
	if (error) {
		queue_delayed_work(hold_again, &core->again, HZ);
		return;
	}
	pr_info("CPU %u has started again\n", core->cpu);
	tactus_core_put(core);
	module_put(THIS_MODULE);
}

/* If Linux cannot start a CPU now (while it suspends, for example), the start is tried again each
 * second. Until then the module and the memory of the CPU are kept. */
int tactus_hold_give(struct tactus_core *core)
{
	int error;

	mutex_lock(&tactus_hold_mutex);
	error = hold_give(core);
	if (error && !core->retried) {
		core->retried = true;
		pr_err("CPU %u does not start (%d): its memory is kept, and the start is tried "
		       "again\n",
		       core->cpu, error);
		__module_get(THIS_MODULE);
		tactus_core_get(core);
		INIT_DELAYED_WORK(&core->again, hold_try_again);
		queue_delayed_work(hold_again, &core->again, HZ);
	}
	mutex_unlock(&tactus_hold_mutex);
	return error;
}

void tactus_hold_give_everything(void)
{
	unsigned int cpu;

	mutex_lock(&tactus_hold_mutex);
	tactus_hold_closed = true;
	/* All cores end before Linux gets the first CPU, because they may kick each other. The
	 * mutex keeps them: a core that is held is not freed. */
	for_each_possible_cpu(cpu) {
		struct tactus_core *core = per_cpu(hold_core, cpu);

		if (core && core->cpu == cpu && core->held)
			tactus_request_exit(core);
	}
	for_each_possible_cpu(cpu) {
		struct tactus_core *core = per_cpu(hold_core, cpu);

		if (core && core->cpu == cpu && hold_give(core))
			pr_err("CPU %u does not start\n", cpu);
	}
	mutex_unlock(&tactus_hold_mutex);
	wake_up_all(&tactus_doorbell_wait);
}

/* Without locks: the panic may have stopped their holder. */
void tactus_hold_halt_everything(void)
{
	unsigned int cpu, us;

	for_each_possible_cpu(cpu) {
		struct tactus_core *core = tactus_hold_core(cpu);

		if (!core || core->cpu != cpu || !READ_ONCE(core->held))
			continue;
		WRITE_ONCE(core->mailbox->halt_at_nmi, 1);
		tactus_interrupt_nmi(core);
		for (us = 0; us < HALT_US && !tactus_core_dead(core); us++)
			udelay(1);
		pr_emerg("CPU %u, which was held, is %shalted\n", cpu,
			 tactus_core_dead(core) ? "" : "not ");
	}
}

static void hold_count_one(struct tactus_core *core, void *data)
{
	++*(unsigned int *)data;
}

unsigned int tactus_hold_count(void)
{
	unsigned int count = 0;

	tactus_hold_each(hold_count_one, &count);
	return count;
}

unsigned int tactus_hold_cpus(void)
{
	unsigned int cpu, count = 0;

	for_each_possible_cpu(cpu)
		count += tactus_hold_core(cpu) != NULL;
	return count;
}

int tactus_hold_start(void)
{
	hold_again = alloc_workqueue("tactus", WQ_UNBOUND, 0);
	if (!hold_again)
		return -ENOMEM;
	hold_hotplug_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "tactus:hold",
						       hold_may_start, NULL);
	if (hold_hotplug_state >= 0)
		return 0;
	destroy_workqueue(hold_again);
	return hold_hotplug_state;
}

void tactus_hold_stop(void)
{
	cpuhp_remove_state_nocalls(hold_hotplug_state);
	/* Waits until the last work has returned. */
	destroy_workqueue(hold_again);
}
