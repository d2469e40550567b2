/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All differences between the kernels for which the module is built, from 6.1 on. Compiling finds
 * what a kernel has (probes/, probe.sh; Kbuild gives the answers to each file), never its version:
 * stable kernels and distributions adopt later changes.
 */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#ifdef __ASSEMBLY__
/* For objtool: there is no stack that can be unwound. */
#ifdef TACTUS_HAS_UNWIND_HINT_END_OF_STACK
#define COMPAT_HINT_NO_STACK UNWIND_HINT_END_OF_STACK
#else
#define COMPAT_HINT_NO_STACK UNWIND_HINT_EMPTY
#endif
#else
#include <linux/cpu.h>
#include <linux/iommu.h>
#include <linux/irq.h>
#include <linux/irqnr.h>
#include <linux/mm.h>
#include <linux/msi.h>
#include <linux/pci.h>
#include <linux/syscore_ops.h>
#include <linux/timer.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>
#include <asm/smp.h>

/* Does Linux give up CPU 0 here? It then starts CPU 0 by an NMI, unless its APIC driver does so in
 * another way. */
static inline bool compat_parts_with_first(void)
{
#ifdef TACTUS_HAS_COND_WAKEUP_CPU0
	return !apic->wakeup_secondary_cpu && !apic->wakeup_secondary_cpu_64 &&
	       !get_cpu_device(0)->offline_disabled;
#else
	return false;
#endif
}

/* On CPU 0, offline: if Linux wants that, this starts the CPU and does not return. */
static inline void compat_wake_first(void)
{
#ifdef TACTUS_HAS_COND_WAKEUP_CPU0
	cond_wakeup_cpu0();
#endif
}

static inline void compat_vma_flags(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
#ifdef TACTUS_HAS_VM_FLAGS_MOD
	vm_flags_mod(vma, set, clear);
#else
	vma->vm_flags |= set;
	vma->vm_flags &= ~clear;
#endif
}

/* Does the kernel empty the processor's buffers on its way to user mode? The bit came with the
 * mitigation for RFDS, also to stable kernels; before it, MD_CLEAR means the same. */
static inline bool compat_clears_buffers(void)
{
#ifdef X86_FEATURE_CLEAR_CPU_BUF
	return boot_cpu_has(X86_FEATURE_CLEAR_CPU_BUF);
#else
	return boot_cpu_has(X86_FEATURE_MD_CLEAR);
#endif
}

/* Are a device's writes to the addresses of interrupts checked like all of its writes? */
static inline bool compat_isolates_interrupts(struct device *device, struct iommu_group *group)
{
#ifdef TACTUS_HAS_IOMMU_GROUP_HAS_ISOLATED_MSI
	return iommu_group_has_isolated_msi(group);
#else
	return device_iommu_capable(device, IOMMU_CAP_INTR_REMAP);
#endif
}

static inline struct iommu_domain *compat_iommu_domain(struct device *device)
{
#ifdef TACTUS_HAS_IOMMU_PAGING_DOMAIN_ALLOC
	struct iommu_domain *domain = iommu_paging_domain_alloc(device);

	return IS_ERR(domain) ? NULL : domain;
#else
	return iommu_domain_alloc(device->bus);
#endif
}

static inline int compat_iommu_map(struct iommu_domain *domain, unsigned long address,
				   phys_addr_t physical, size_t bytes, int rights)
{
#ifdef TACTUS_HAS_IOMMU_MAP_GFP
	return iommu_map(domain, address, physical, bytes, rights, GFP_KERNEL_ACCOUNT);
#else
	return iommu_map(domain, address, physical, bytes, rights);
#endif
}

/* A register of another processor. -EIO: it does not exist. May sleep. */
static inline int compat_read_register(unsigned int cpu, u32 number, u64 *value)
{
#ifdef TACTUS_HAS_RDMSRQ_SAFE_ON_CPU
	return rdmsrq_safe_on_cpu(cpu, number, value);
#else
	return rdmsrl_safe_on_cpu(cpu, number, value);
#endif
}

static inline int compat_write_register(unsigned int cpu, u32 number, u64 value)
{
#ifdef TACTUS_HAS_RDMSRQ_SAFE_ON_CPU
	return wrmsrq_safe_on_cpu(cpu, number, value);
#else
	return wrmsrl_safe_on_cpu(cpu, number, value);
#endif
}

/* Have an interrupt moved at once, not when it comes next. Kernels without this flag move it at
 * once unless a driver requests the opposite. */
static inline void compat_move_at_once(unsigned int interrupt)
{
#ifdef TACTUS_HAS_IRQ_MOVE_PCNTXT
	irq_set_status_flags(interrupt, IRQ_MOVE_PCNTXT);
#endif
}

/* The highest number of an interrupt, plus 1. */
static inline unsigned int compat_interrupts(void)
{
#ifdef TACTUS_HAS_IRQ_GET_NR_IRQS
	return irq_get_nr_irqs();
#else
	return nr_irqs;
#endif
}

/* The callback may still run when this begins, but not when it has returned. */
static inline void compat_timer_stop(struct timer_list *timer)
{
#ifdef TACTUS_HAS_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

/* COMPAT_SYSCORE(name, function): what compat_syscore_start(&name) registers. function() is called,
 * and may refuse, when the machine enters a sleep state in which processors lose their state. */
#ifdef TACTUS_HAS_REGISTER_SYSCORE
#define COMPAT_SYSCORE(name, function)                                            \
	static int name##_suspend(void *data)                                     \
	{                                                                         \
		return function();                                                \
	}                                                                         \
	static const struct syscore_ops name##_ops = {.suspend = name##_suspend}; \
	static struct syscore name = {.ops = &name##_ops}
#define compat_syscore_start register_syscore
#define compat_syscore_stop  unregister_syscore
#else
#define COMPAT_SYSCORE(name, function) static struct syscore_ops name = {.suspend = function}
#define compat_syscore_start           register_syscore_ops
#define compat_syscore_stop            unregister_syscore_ops
#endif
#endif /* __ASSEMBLY__ */

#endif
