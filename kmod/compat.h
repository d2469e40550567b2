/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything in which the kernels differ that the module is built for, from 6.1 on. What a kernel
 * has is found by compiling (probes/, probe.sh; Kbuild gives the answers to each file), never by
 * its version: stable kernels and distributions take over what came later.
 */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#ifdef __ASSEMBLY__
/* For objtool: there is no stack that could be unwound. */
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

/* Whether Linux parts with CPU 0 here, which it then starts by an NMI, unless its driver of the
 * APIC does so in another way. */
static inline bool compat_parts_with_first(void)
{
#ifdef TACTUS_HAS_COND_WAKEUP_CPU0
	return !apic->wakeup_secondary_cpu && !apic->wakeup_secondary_cpu_64 &&
	       !get_cpu_device(0)->offline_disabled;
#else
	return false;
#endif
}

/* On CPU 0, offline: starts it if Linux wants that, and does not return then. */
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

/* Whether the kernel empties the processor's buffers on its way to user mode. The bit came with the
 * mitigation for RFDS, also to stable kernels; before it MD_CLEAR stands for the same. */
static inline bool compat_clears_buffers(void)
{
#ifdef X86_FEATURE_CLEAR_CPU_BUF
	return boot_cpu_has(X86_FEATURE_CLEAR_CPU_BUF);
#else
	return boot_cpu_has(X86_FEATURE_MD_CLEAR);
#endif
}

/* Whether what a device writes to the interrupts' addresses is checked like all that it writes. */
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

/* A register of another processor, which may not be there (-EIO). May sleep. */
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

/* An interrupt that is moved at once, not when it comes next. Where Linux does not ask for this
 * flag it does so unless a driver asks for the opposite. */
static inline void compat_move_at_once(unsigned int interrupt)
{
#ifdef TACTUS_HAS_IRQ_MOVE_PCNTXT
	irq_set_status_flags(interrupt, IRQ_MOVE_PCNTXT);
#endif
}

/* One more than the highest number of an interrupt. */
static inline unsigned int compat_interrupts(void)
{
#ifdef TACTUS_HAS_IRQ_GET_NR_IRQS
	return irq_get_nr_irqs();
#else
	return nr_irqs;
#endif
}

/* The callback may run still when this begins, never when it has returned. */
static inline void compat_timer_stop(struct timer_list *timer)
{
#ifdef TACTUS_HAS_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

/* COMPAT_SYSCORE(name, function): what compat_syscore_start(&name) registers; function() is called,
 * and may refuse, when the machine goes to a sleep in which processors lose their state. */
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
