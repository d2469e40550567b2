/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything in which the kernels differ that the module is built for: 6.1 to 6.12. */
#ifndef KMOD_COMPAT_H
#define KMOD_COMPAT_H

#include <linux/version.h>

/* What it reads of the kernel's inside is looked up anew for each (docs/adr/0011). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) || LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#error "the module is for Linux 6.1 to 6.12: use one of these"
#endif

#ifdef __ASSEMBLY__
/* For objtool: there is no stack that could be unwound. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define COMPAT_HINT_NO_STACK UNWIND_HINT_END_OF_STACK
#else
#define COMPAT_HINT_NO_STACK UNWIND_HINT_EMPTY
#endif
#else
#include <linux/cpu.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/pci.h>
#include <asm/apic.h>
#include <asm/cpufeature.h>
#include <asm/smp.h>

/* Linux before 6.5 can part with CPU 0, and starts it by an NMI, unless its driver of the APIC does
 * so in another way. */
static inline bool compat_wakes_first_by_nmi(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
	return !apic->wakeup_secondary_cpu && !apic->wakeup_secondary_cpu_64;
#else
	return false;
#endif
}

/* On CPU 0, offline: starts it if Linux wants that, and does not return then. */
static inline void compat_wake_first(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
	cond_wakeup_cpu0();
#endif
}

/* 6.3 made the flags of a mapping read-only but for functions. */
static inline void compat_vma_flags(struct vm_area_struct *vma, vm_flags_t set, vm_flags_t clear)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
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
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	return iommu_group_has_isolated_msi(group);
#else
	return device_iommu_capable(device, IOMMU_CAP_INTR_REMAP);
#endif
}

static inline struct iommu_domain *compat_iommu_domain(struct device *device)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
	struct iommu_domain *domain = iommu_paging_domain_alloc(device);

	return IS_ERR(domain) ? NULL : domain;
#else
	return iommu_domain_alloc(device->bus);
#endif
}

static inline int compat_iommu_map(struct iommu_domain *domain, unsigned long address,
				   phys_addr_t physical, size_t bytes, int rights)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	return iommu_map(domain, address, physical, bytes, rights, GFP_KERNEL_ACCOUNT);
#else
	return iommu_map(domain, address, physical, bytes, rights);
#endif
}
#endif /* __ASSEMBLY__ */

#endif
