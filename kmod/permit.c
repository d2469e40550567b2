// SPDX-License-Identifier: GPL-2.0-only
/* Which CPUs a program may take: those that the administrator allows (cpus=, max_cpus=), on which
 * the program may run, and of which a machine check reaches only the core. */
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <asm/mce.h>
#include <asm/processor.h>

#include "compat.h"
#include "tactus.h"

static struct cpumask permit_cpus; /* under tactus_hold_mutex */
static bool permit_cpus_given;

static int permit_set_cpus(const char *text, const struct kernel_param *parameter)
{
	cpumask_var_t mask;
	int error;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	error = cpulist_parse(text, mask);
	if (!error) {
		mutex_lock(&tactus_hold_mutex);
		cpumask_copy(&permit_cpus, mask);
		permit_cpus_given = true;
		mutex_unlock(&tactus_hold_mutex);
	} else {
		pr_err("cpus= needs a list such as 1,3-5\n");
	}
	free_cpumask_var(mask);
	return error;
}

static int permit_get_cpus(char *buffer, const struct kernel_param *parameter)
{
	return scnprintf(buffer, PAGE_SIZE, "%*pbl\n",
			 cpumask_pr_args(permit_cpus_given ? &permit_cpus : cpu_possible_mask));
}

static const struct kernel_param_ops permit_cpus_operations = {.set = permit_set_cpus,
							       .get = permit_get_cpus};
module_param_cb(cpus, &permit_cpus_operations, NULL, 0644);
MODULE_PARM_DESC(cpus, "list of the CPUs that may be taken (all)");

static unsigned int permit_max_cpus;
module_param_named(max_cpus, permit_max_cpus, uint, 0644);
MODULE_PARM_DESC(max_cpus, "how many CPUs may be taken at once, with siblings (0: no limit)");

static bool permit_broadcast;
module_param_named(broadcast_mce, permit_broadcast, bool, 0644);
MODULE_PARM_DESC(broadcast_mce, "also take CPUs whose machine checks would end Linux (0)");

#ifdef TACTUS_TEST_SEAM
/* The values that a test gives to IA32_MCG_CAP, IA32_FEATURE_CONTROL and IA32_MCG_EXT_CTL. */
static unsigned long permit_registers[3];
static unsigned int permit_registers_given;
module_param_array_named(mce_registers, permit_registers, ulong, &permit_registers_given, 0644);
#endif

static u64 permit_register(unsigned int cpu, u32 number)
{
	u64 value;

#ifdef TACTUS_TEST_SEAM
	if (permit_registers_given == 3)
		return permit_registers[number == MSR_IA32_MCG_CAP    ? 0
					: number == MSR_IA32_FEAT_CTL ? 1
								      : 2];
#endif
	return compat_read_register(cpu, number, &value) ? 0 : value;
}

/*
 * Does a machine check of this CPU reach only this CPU? It always does on AMD's processors. On
 * Intel's it does if the processor supports it, the firmware allows it, and Linux has switched it
 * on (SDM 3, 16.3.1.5). Otherwise it reaches all CPUs, and Linux panics, because none of its CPUs
 * caused the check.
 */
static bool permit_checks_are_local(unsigned int cpu)
{
	const u64 allowed = FEAT_CTL_LOCKED | FEAT_CTL_LMCE_ENABLED;

	if (boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
	    boot_cpu_data.x86_vendor == X86_VENDOR_HYGON)
		return true;
	return permit_register(cpu, MSR_IA32_MCG_CAP) & MCG_LMCE_P &&
	       (permit_register(cpu, MSR_IA32_FEAT_CTL) & allowed) == allowed &&
	       permit_register(cpu, MSR_IA32_MCG_EXT_CTL) & MCG_EXT_CTL_LMCE_EN;
}

static int permit_refuse(int error, char *reason, const char *text, unsigned int number)
{
	snprintf(reason, TACT_BARE_REASON, text, number);
	return error;
}

static int permit_one(unsigned int cpu, const struct cpumask *allowed, char *reason)
{
	if (permit_cpus_given && !cpumask_test_cpu(cpu, &permit_cpus))
		return permit_refuse(-EPERM, reason,
				     "CPU %u may not be taken here: choose one that the module's "
				     "parameter cpus lists, or have this one added there",
				     cpu);
	if (!cpumask_test_cpu(cpu, allowed))
		return permit_refuse(-EPERM, reason,
				     "CPU %u is outside of the program's cpuset or affinity: start "
				     "the program with a cpuset or taskset that contains it",
				     cpu);
	return 0;
}

int tactus_permit(const struct tactus_core *core, const struct cpumask *allowed, char *reason)
{
	unsigned int cpu;
	int error = permit_one(core->cpu, allowed, reason);

	lockdep_assert_held(&tactus_hold_mutex);
	for_each_cpu(cpu, core->siblings)
		error = error ?: permit_one(cpu, allowed, reason);
	if (error)
		return error;
	if (permit_max_cpus &&
	    tactus_hold_cpus() + 1 + cpumask_weight(core->siblings) > permit_max_cpus)
		return permit_refuse(-EBUSY, reason,
				     "at most %u CPUs may be taken here (the module's parameter "
				     "max_cpus): end a program that has some",
				     permit_max_cpus);
	if (!permit_checks_are_local(core->cpu)) {
		if (!permit_broadcast)
			return permit_refuse(-EPERM, reason,
					     "a machine check on CPU %u would end Linux: switch on "
					     "local machine checks (LMCE) in the firmware, or load "
					     "the module with broadcast_mce=1",
					     core->cpu);
		pr_warn("a machine check on CPU %u will end the machine: local machine checks "
			"(LMCE) are off\n",
			core->cpu);
	}
	return 0;
}
