// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU between Linux and the module. Linux takes it down as for hotplug; its idle task ends in
 * smp_ops.play_dead, which is ours while the CPU is being taken, and there the CPU goes over to its
 * core's page tables. It never comes back from there: Linux starts it with INIT and SIPI like any
 * CPU that is offline, wherever it is halted. While it is held, Linux's attempts to start it fail.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <asm/smp.h>

#include "tactus.h"

#define ARRIVAL_MS 1000

static DEFINE_PER_CPU(struct tactus_core *, hold_core);
static DEFINE_RAW_SPINLOCK(hold_lock); /* hold_core, against those who look */
static DEFINE_MUTEX(hold_mutex);       /* one CPU moves at a time */
static struct tactus_core *hold_coming;
static void (*hold_play_dead)(void); /* Linux's */
static void *hold_report_death;      /* play_dead_common() */
static int hold_hotplug_state;
static bool hold_closed;

static void hold_set(unsigned int cpu, struct tactus_core *core)
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
	for_each_possible_cpu(cpu)
	{
		struct tactus_core *core = per_cpu(hold_core, cpu);

		if (core && core->cpu == cpu)
			visit(core, data);
	}
	raw_spin_unlock_irqrestore(&hold_lock, flags);
}

static int hold_may_start(unsigned int cpu)
{
	return READ_ONCE(per_cpu(hold_core, cpu)) ? -EBUSY : 0;
}

/* In the idle task of a CPU that goes down, with interrupts off; RCU does not watch any more. */
static void notrace hold_play_dead_here(void)
{
	struct tactus_core *core = READ_ONCE(hold_coming);
	const struct core_image *image;

	if (!core || core->cpu != raw_smp_processor_id()) {
		hold_play_dead();
		return;
	}
	/* Drops the borrowed address space and reports the death, for which Linux waits. */
	tactus_call(hold_report_death);
	image = core->image;
	tactus_switch(core->box->cr3, tactus_machine_cr4(), image->entry, image->stack);
	BUG();
}

static int hold_remove(unsigned int cpu, struct tactus_core *core)
{
	int error;

	hold_set(cpu, core);
	error = remove_cpu(cpu);
	if (error)
		hold_set(cpu, NULL);
	return error;
}

static int hold_add(unsigned int cpu)
{
	int error;

	hold_set(cpu, NULL);
	error = add_cpu(cpu);
	/* It runs all the same: somebody else has started it. */
	return cpu_online(cpu) ? 0 : error ?: -EIO;
}

static int hold_refuse(int error, char *reason, const char *text, unsigned int cpu)
{
	snprintf(reason, TACT_BARE_REASON, text, cpu);
	return error;
}

static int hold_check(const struct tactus_core *core, char *reason)
{
	unsigned int cpu = core->cpu;

	if (cpu >= nr_cpu_ids || !cpu_possible(cpu))
		return hold_refuse(-ENODEV, reason,
				   "there is no CPU %u: see /sys/devices/system/cpu/present", cpu);
	if (per_cpu(hold_core, cpu))
		return hold_refuse(-EBUSY, reason,
				   "CPU %u is taken already: choose another, or end its program",
				   cpu);
	if (!cpu_online(cpu))
		return hold_refuse(
			-ENODEV, reason,
			"CPU %u is offline: write 1 to its file online in /sys/devices/system/cpu",
			cpu);
	/* INIT sends the first processor to the firmware, not to Linux. */
	if (cpu == 0)
		return hold_refuse(-EPERM, reason,
				   "CPU %u started the machine, and Linux cannot start it anew: "
				   "choose another",
				   cpu);
	if (cpumask_weight(cpu_online_mask) - cpumask_weight(core->siblings) < 2)
		return hold_refuse(
			-EBUSY, reason,
			"CPU %u (with its siblings) is the last one that Linux has: leave it one",
			cpu);
	return 0;
}

static void hold_give_siblings(struct tactus_core *core)
{
	unsigned int cpu;

	for_each_cpu(cpu, core->siblings)
	{
		int error = hold_add(cpu);

		if (error)
			pr_err("CPU %u, a sibling, did not start again (%d): write 1 to its file "
			       "online\n",
			       cpu, error);
	}
	cpumask_clear(core->siblings);
}

static int hold_take_siblings(struct tactus_core *core)
{
	cpumask_var_t wanted;
	unsigned int cpu;
	int error = 0;

	if (!zalloc_cpumask_var(&wanted, GFP_KERNEL))
		return -ENOMEM;
	cpumask_copy(wanted, core->siblings);
	cpumask_clear(core->siblings);
	for_each_cpu(cpu, wanted)
	{
		error = hold_remove(cpu, core);
		if (error)
			break;
		cpumask_set_cpu(cpu, core->siblings);
	}
	free_cpumask_var(wanted);
	if (error)
		hold_give_siblings(core);
	return error;
}

static bool hold_arrived(struct tactus_core *core)
{
	unsigned int ms;

	for (ms = 0; ms < ARRIVAL_MS && tactus_core_state(core) == CORE_COMING; ms++)
		usleep_range(500, 1000);
	return tactus_core_state(core) == CORE_WAITING;
}

int tactus_hold_take(struct tactus_core *core, bool siblings, char *reason)
{
	int error;

	mutex_lock(&hold_mutex);
	if (siblings && core->cpu < nr_cpu_ids && cpu_possible(core->cpu)) {
		cpumask_and(core->siblings, topology_sibling_cpumask(core->cpu), cpu_online_mask);
		cpumask_clear_cpu(core->cpu, core->siblings);
	}
	error = hold_closed ? hold_refuse(-EBUSY, reason,
					  "the machine is going down: CPU %u stays with Linux",
					  core->cpu)
			    : hold_check(core, reason);
	if (error) {
		cpumask_clear(core->siblings);
		goto unlock;
	}
	error = hold_take_siblings(core);
	if (error) {
		hold_refuse(error, reason,
			    "Linux will not part with a sibling of CPU %u: see the kernel log",
			    core->cpu);
		goto unlock;
	}
	core->apic_id = per_cpu(x86_cpu_to_apicid, core->cpu);
	tactus_bell_tell(core);
	WRITE_ONCE(hold_coming, core);
	hold_play_dead = smp_ops.play_dead;
	WRITE_ONCE(smp_ops.play_dead, hold_play_dead_here);
	error = hold_remove(core->cpu, core);
	WRITE_ONCE(smp_ops.play_dead, hold_play_dead);
	if (error) {
		hold_refuse(error, reason, "Linux will not part with CPU %u: see the kernel log",
			    core->cpu);
		hold_give_siblings(core);
		goto forget;
	}
	core->held = true;
	if (!hold_arrived(core)) {
		tactus_interrupt_init(core);
		atomic_set(&core->given_up, 1);
		core->unknown = true;
		error = hold_refuse(-EIO, reason,
				    "CPU %u left Linux and did not arrive: see the kernel log",
				    core->cpu);
		goto forget;
	}
	tactus_image_arrived(core);
forget:
	WRITE_ONCE(hold_coming, NULL);
unlock:
	mutex_unlock(&hold_mutex);
	return error;
}

static int hold_give(struct tactus_core *core)
{
	int error;

	lockdep_assert_held(&hold_mutex);
	if (!core->held)
		return 0;
	tactus_ask_exit(core);
	error = hold_add(core->cpu);
	if (error) {
		hold_set(core->cpu, core);
		return error;
	}
	/* Linux runs it: whatever it was doing before, it does no more. */
	core->held = false;
	core->unknown = false;
	hold_give_siblings(core);
	return 0;
}

static void hold_try_again(struct work_struct *work)
{
	struct tactus_core *core = container_of(to_delayed_work(work), struct tactus_core, again);
	int error;

	mutex_lock(&hold_mutex);
	error = hold_give(core);
	mutex_unlock(&hold_mutex);
	if (error) {
		schedule_delayed_work(&core->again, HZ);
		return;
	}
	pr_info("CPU %u has started again\n", core->cpu);
	tactus_core_put(core);
	module_put(THIS_MODULE);
}

/* A CPU that Linux cannot start now (while it suspends, say) is tried again each second, and holds
 * the module and its own memory until it starts. */
int tactus_hold_give(struct tactus_core *core)
{
	int error;

	mutex_lock(&hold_mutex);
	error = hold_give(core);
	if (error) {
		pr_err("CPU %u does not start (%d): its memory is kept, and it is tried again\n",
		       core->cpu, error);
		__module_get(THIS_MODULE);
		tactus_core_get(core);
		INIT_DELAYED_WORK(&core->again, hold_try_again);
		schedule_delayed_work(&core->again, HZ);
	}
	mutex_unlock(&hold_mutex);
	return error;
}

void tactus_hold_give_everything(void)
{
	unsigned int cpu;

	mutex_lock(&hold_mutex);
	hold_closed = true;
	for_each_possible_cpu(cpu)
	{
		/* The mutex keeps it: a core that is held is not freed. */
		struct tactus_core *core = per_cpu(hold_core, cpu);

		if (core && core->cpu == cpu && hold_give(core))
			pr_err("CPU %u does not start\n", cpu);
	}
	mutex_unlock(&hold_mutex);
	wake_up_all(&tactus_bell_wait);
}

/* Without locks: whoever had them may have been stopped by the panic. */
void tactus_hold_halt_everything(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
	{
		struct tactus_core *core = READ_ONCE(per_cpu(hold_core, cpu));

		if (!core || core->cpu != cpu || !READ_ONCE(core->held))
			continue;
		WRITE_ONCE(core->box->halt_at_nmi, 1);
		tactus_interrupt_nmi(core);
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

int tactus_hold_start(void)
{
	/* The address of a function that is not exported. */
	struct kprobe probe = {.symbol_name = "play_dead_common"};
	int error = register_kprobe(&probe);

	if (error) {
		pr_err("this kernel has no play_dead_common() (%d): it is not supported\n", error);
		return error;
	}
	hold_report_death = probe.addr;
	unregister_kprobe(&probe);
	hold_hotplug_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "tactus:hold",
						       hold_may_start, NULL);
	return hold_hotplug_state < 0 ? hold_hotplug_state : 0;
}

void tactus_hold_stop(void)
{
	cpuhp_remove_state_nocalls(hold_hotplug_state);
}
