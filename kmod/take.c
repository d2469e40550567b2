// SPDX-License-Identifier: GPL-2.0-only
/*
 * TAKE: a CPU goes from Linux to a core. Linux takes it offline as for hotplug. Its idle task ends
 * in smp_ops.play_dead, which is the module's own function while the CPU is being taken; there the
 * CPU changes to its core's page tables.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/uidgid.h>
#include <asm/desc.h>
#include <asm/msr.h>
#include <asm/smp.h>

#include "compat.h"
#include "tactus.h"

#define ARRIVAL_MS 1000

/*
 * The CPU that is awaited, and its core. The side that takes the pointer out decides: if the CPU
 * does, it becomes the core; if TAKE does, the CPU never comes. Linux may take the same CPU offline
 * at that very time (by a write to its file online), so the result of remove_cpu() does not say
 * where the CPU went.
 */
static unsigned int take_cpu = UINT_MAX;
static struct tactus_core *take_coming;
static void (*take_play_dead)(void); /* that of Linux */
static void *take_report_death;      /* play_dead_common() */

/* The state of Linux on its first processor, for tactus_switch_home(). */
struct take_home {
	struct desc_ptr gdt;
	u8 reserved0[6];
	struct desc_ptr idt;
	u8 reserved1[6];
	u64 gs_base;
} __packed __aligned(8); /* the stack begins here */
static_assert(offsetof(struct take_home, idt) == 16 && offsetof(struct take_home, gs_base) == 32);

/* Linux's first processor waits in its own loop, in which an NMI wakes it; an INIT would send it to
 * the firmware. So this processor returns into such a loop, on the stack that it left. */
static void notrace take_remember(struct tactus_core *core, struct take_home *home)
{
	struct core_home *of_core = &core->mailbox->home;
	/* The writable one: the processor marks its task segment as busy there, which must not be
	 * so yet. Linux writes the segment anew when it starts the CPU. */
	struct desc_struct *gdt = get_cpu_gdt_rw(core->cpu);

	((tss_desc *)&gdt[GDT_ENTRY_TSS])->type = DESC_TSS;
	home->gdt = (struct desc_ptr){GDT_SIZE - 1, (unsigned long)gdt};
	store_idt(&home->idt);
	home->gs_base = __rdmsr(MSR_GS_BASE); /* without its tracepoint */
	of_core->entry = (u64)tactus_switch_home;
	of_core->cr3 = read_cr3_pa();
	of_core->cr4 = __read_cr4();
	of_core->stack = (u64)home;
}

/* The end of tactus_switch_home(), where all state is Linux's. */
void noinstr tactus_take_home(void)
{
	for (;;) {
		compat_wake_first();
		native_halt();
	}
}

/* Runs in the idle task of a CPU that goes offline, with interrupts off; RCU no longer watches
 * it. */
static void notrace take_play_dead_here(void)
{
	const struct core_image *image;
	struct tactus_core *core;
	struct take_home home;

	if (READ_ONCE(take_cpu) != raw_smp_processor_id() || !(core = xchg(&take_coming, NULL))) {
		take_play_dead();
		return;
	}
	/* Drops the borrowed address space, and reports the death, for which Linux waits. */
	tactus_call(take_report_death);
	image = core->image;
	if (core->cpu == 0)
		take_remember(core, &home);
	tactus_switch(core->mailbox->cr3, tactus_machine_cr4(), image->entry, image->stack);
	BUG();
}

/* A CPU that Linux itself has taken offline meanwhile does not become a core (remove_cpu() returns
 * 1). */
static int take_remove(unsigned int cpu)
{
	int error = remove_cpu(cpu);

	return error > 0 ? -ENODEV : error;
}

static int take_refuse(int error, char *reason, const char *text, unsigned int cpu)
{
	snprintf(reason, TACT_BARE_REASON, text, cpu);
	return error;
}

int tactus_take_known(unsigned int cpu, char *reason)
{
	if (cpu < nr_cpu_ids && cpu_possible(array_index_nospec(cpu, nr_cpu_ids)))
		return 0;
	return take_refuse(-ENODEV, reason,
			   "there is no CPU %u: see /sys/devices/system/cpu/present", cpu);
}

static int take_check(const struct tactus_core *core, const struct cpumask *allowed, char *reason)
{
	unsigned int cpu = core->cpu;

	if (tactus_hold_core(cpu))
		return take_refuse(
			-EBUSY, reason,
			"CPU %u is already taken: choose another, or end the program that has it",
			cpu);
	if (!cpu_online(cpu))
		return take_refuse(
			-ENODEV, reason,
			"CPU %u is offline: write 1 to its file online in /sys/devices/system/cpu",
			cpu);
	if (cpu == 0 && !compat_parts_with_first())
		return take_refuse(
			-EPERM, reason,
			"CPU %u started the machine, and Linux keeps it: choose another, or "
			"boot Linux 6.1 to 6.4 with cpu0_hotplug on an Intel processor",
			cpu);
	if (cpumask_weight(cpu_online_mask) - cpumask_weight(core->siblings) < 2)
		return take_refuse(
			-EBUSY, reason,
			"CPU %u (with its siblings) is the last CPU of Linux, which needs one",
			cpu);
	return tactus_permit(core, allowed, reason);
}

static int take_siblings(struct tactus_core *core)
{
	cpumask_var_t wanted;
	unsigned int cpu;
	int error = 0;

	if (!zalloc_cpumask_var(&wanted, GFP_KERNEL))
		return -ENOMEM;
	cpumask_copy(wanted, core->siblings);
	cpumask_clear(core->siblings);
	for_each_cpu(cpu, wanted) {
		tactus_hold_set(cpu, core);
		error = take_remove(cpu);
		if (error) {
			tactus_hold_set(cpu, NULL);
			break;
		}
		cpumask_set_cpu(cpu, core->siblings);
	}
	free_cpumask_var(wanted);
	if (error)
		tactus_hold_give_siblings(core);
	return error;
}

/* Linux gives up the CPU. Returns whether it came here. */
static bool take_fetch(struct tactus_core *core, int *error)
{
	tactus_hold_set(core->cpu, core);
	/* From here on, the core is told of each move. */
	tactus_doorbell_notify();
	WRITE_ONCE(take_coming, core);
	WRITE_ONCE(take_cpu, core->cpu);
	take_play_dead = smp_ops.play_dead;
	WRITE_ONCE(smp_ops.play_dead, take_play_dead_here);
	*error = take_remove(core->cpu);
	WRITE_ONCE(smp_ops.play_dead, take_play_dead);
	core->held = !xchg(&take_coming, NULL);
	WRITE_ONCE(take_cpu, UINT_MAX);
	if (core->held)
		return true;
	tactus_hold_set(core->cpu, NULL);
	if (!*error) {
		/* The CPU went another way. */
		add_cpu(core->cpu);
		*error = -EIO;
	}
	return false;
}

static bool take_arrived(struct tactus_core *core)
{
	unsigned int ms;

	for (ms = 0; ms < ARRIVAL_MS && tactus_core_state(core) == CORE_COMING; ms++)
		usleep_range(500, 1000);
	return tactus_core_state(core) == CORE_WAITING;
}

static void take_report(const struct tactus_core *core)
{
	char name[TASK_COMM_LEN];

	get_task_comm(name, current);
	/* Escaped, because a name may contain any character. */
	pr_info("CPU %u%s taken by %*pE (pid %d, uid %u)\n", core->cpu,
		cpumask_empty(core->siblings) ? "" : " with its siblings", (int)strlen(name), name,
		task_tgid_nr(current), from_kuid(&init_user_ns, current_uid()));
}

int tactus_take(struct tactus_core *core, bool siblings, const struct cpumask *allowed,
		char *reason)
{
	int error;

	mutex_lock(&tactus_hold_mutex);
	if (siblings) {
		cpumask_and(core->siblings, topology_sibling_cpumask(core->cpu), cpu_online_mask);
		cpumask_clear_cpu(core->cpu, core->siblings);
	}
	error = tactus_hold_closed
			? take_refuse(-EBUSY, reason,
				      "the machine is shutting down: CPU %u stays with Linux",
				      core->cpu)
			: take_check(core, allowed, reason);
	if (error) {
		cpumask_clear(core->siblings);
		goto unlock;
	}
	error = tactus_affinity_save(core);
	if (error) {
		cpumask_clear(core->siblings);
		goto unlock;
	}
	error = take_siblings(core);
	if (error) {
		tactus_affinity_restore(core);
		take_refuse(error, reason,
			    "Linux does not give up a sibling of CPU %u: see the kernel log",
			    core->cpu);
		goto unlock;
	}
	core->apic_id = per_cpu(x86_cpu_to_apicid, core->cpu);
	tactus_speed_fill(core);
	error = tactus_machine_speculation(core);
	if (error || !take_fetch(core, &error)) {
		take_refuse(error, reason, "Linux does not give up CPU %u: see the kernel log",
			    core->cpu);
		tactus_hold_give_siblings(core);
		tactus_affinity_restore(core);
		goto unlock;
	}
	error = 0;
	tactus_affinity_taken(core);
	take_report(core);
	if (!take_arrived(core)) {
		core->unknown = true;
		tactus_interrupt_init(core);
		atomic_set_release(&core->given_up, 1);
		error = take_refuse(
			-EIO, reason,
			"CPU %u left Linux, but did not arrive in the core: see the kernel log",
			core->cpu);
		goto unlock;
	}
	tactus_image_arrived(core);
unlock:
	mutex_unlock(&tactus_hold_mutex);
	return error;
}

int tactus_take_start(void)
{
	/* The address of a function that is not exported. */
	struct kprobe probe = {.symbol_name = "play_dead_common"};
	int error = register_kprobe(&probe);

	if (error) {
		if (error == -ENOENT)
			pr_err("this kernel has no play_dead_common(), through which a CPU leaves "
			       "Linux: use an older kernel\n");
		else if (error == -EOPNOTSUPP || error == -ENOSYS)
			pr_err("this kernel has no kprobes: build it with CONFIG_KPROBES\n");
		else
			pr_err("this kernel refuses a kprobe (%d): if it is locked down, boot "
			       "without lockdown=confidentiality\n",
			       error);
		return -ENODEV;
	}
	take_report_death = probe.addr;
	unregister_kprobe(&probe);
	return 0;
}
