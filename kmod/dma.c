// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that a program adds for a device: it is pinned, by the rules for cores, and mapped for the
 * device at an address that the program chose. If no IOMMU confines the device, it is at its
 * physical address, and only detaching the device ends that. The memory leaves the device before it
 * is unpinned.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "pci.h"
#include "tactus.h"

#define BYTES_MAX (1ull << 30)
#define TRIES     100

struct dma_range {
	struct list_head all;
	u64 device_address;
	u64 bytes;
	bool write;
	unsigned int count;
	struct page *pages[];
};

/* 0, or the reason for which the pages may not be pinned for a device: the rules for cores. */
static int dma_check_mapping(u64 address, u64 end, bool write)
{
	int error = 0;

	mmap_read_lock(current->mm);
	while (address < end && !error) {
		struct vm_area_struct *vma = find_vma(current->mm, address);

		if (!vma || vma->vm_start > address)
			error = -EFAULT;
		else if (!tactus_memory_may_pin(vma) || (write && !(vma->vm_flags & VM_WRITE)))
			error = -EACCES;
		else
			address = vma->vm_end;
	}
	mmap_read_unlock(current->mm);
	return error;
}

static void dma_unpin(struct tactus_program *program, struct dma_range *range)
{
	unpin_user_pages_dirty_lock(range->pages, range->count, range->write);
	tactus_memory_charge(program->mm, -(long)(range->bytes >> PAGE_SHIFT));
	kvfree(range);
}

/* Pin all pages, if the mappings do not change meanwhile. -EAGAIN: they changed. */
static int dma_pin(struct tactus_program *program, struct dma_range *range, u64 address)
{
	unsigned long sequence = mmu_interval_read_begin(&program->notifier);
	unsigned int wanted = range->bytes >> PAGE_SHIFT;
	int error = dma_check_mapping(address, address + range->bytes, range->write);

	range->count = 0;
	while (!error && range->count < wanted) {
		int count = pin_user_pages_fast(address + (u64)range->count * PAGE_SIZE,
						wanted - range->count,
						FOLL_LONGTERM | (range->write ? FOLL_WRITE : 0),
						range->pages + range->count);

		if (count <= 0)
			error = count ?: -EFAULT;
		else
			range->count += count;
	}
	spin_lock(&program->tables_lock);
	if (!error && mmu_interval_read_retry(&program->notifier, sequence))
		error = -EAGAIN;
	spin_unlock(&program->tables_lock);
	if (error)
		unpin_user_pages(range->pages, range->count);
	return error;
}

static int dma_pin_range(struct tactus_program *program, struct dma_range *range, u64 address)
{
	unsigned int i;
	int error = -EAGAIN;

	for (i = 0; i < TRIES && error == -EAGAIN && !fatal_signal_pending(current); i++) {
		error = dma_pin(program, range, address);
		cond_resched();
	}
	return error;
}

static void dma_unmap(struct tactus_pci *device, struct dma_range *range)
{
	list_del(&range->all);
	if (tactus_iommu_unmap(device, range->device_address, range->bytes)) {
		dma_unpin(device->program, range);
		return;
	}
	pr_err("%llu pages are lost: the IOMMU did not unmap them\n", range->bytes >> PAGE_SHIFT);
	kvfree(range);
}

/* Without an IOMMU: one physical address for the whole range, or none. */
static int dma_find_physical(struct dma_range *range)
{
	unsigned int i;

	for (i = 1; i < range->count; i++)
		if (page_to_pfn(range->pages[i]) != page_to_pfn(range->pages[0]) + i)
			return -ERANGE;
	range->device_address = page_to_phys(range->pages[0]);
	return 0;
}

static int dma_fail(struct tact_bare_dma *dma, int error)
{
	const char *text = NULL;

	if (error == -EFAULT)
		text = "nothing is mapped there: map it first";
	else if (error == -EACCES)
		text = "a mapping that cannot be pinned or written: use anonymous memory or memfd";
	else if (error == -ENOMEM)
		text = "no memory to pin: raise RLIMIT_MEMLOCK (ulimit -l), or add less";
	else if (error == -ERANGE)
		text = "the device cannot reach it at that address: choose another device_address "
		       "(without an IOMMU: add page by page)";
	else if (error == -EEXIST)
		text = "the device has memory there already: remove it first";
	else if (error == -EAGAIN)
		text = "the mapping changed during each attempt: let no other thread unmap or "
		       "protect it meanwhile";
	else if (error == -EINVAL)
		text = "no IOMMU confines the device, so device_address must be 0: the module "
		       "returns it";
	if (text)
		snprintf(dma->reason, TACT_BARE_REASON, "%s", text);
	return error;
}

static int dma_check(const struct tact_bare_dma *dma)
{
	if (dma->flags & ~TACT_BARE_DMA_READ_ONLY || !dma->bytes || dma->bytes > BYTES_MAX ||
	    !PAGE_ALIGNED(dma->address | dma->bytes | dma->device_address) ||
	    dma->address >= TASK_SIZE_MAX || dma->bytes > TASK_SIZE_MAX - dma->address ||
	    dma->device_address > U64_MAX - dma->bytes)
		return -EINVAL;
	return 0;
}

static bool dma_has(const struct tactus_pci *device, const struct dma_range *wanted)
{
	const struct dma_range *range;

	list_for_each_entry(range, &device->ranges, all)
		if (wanted->device_address < range->device_address + range->bytes &&
		    range->device_address < wanted->device_address + wanted->bytes)
			return true;
	return false;
}

static int dma_place(struct tactus_pci *device, struct dma_range *range)
{
	lockdep_assert_held(&tactus_pci_mutex);
	if (!device->group)
		return range->device_address ? -EINVAL : dma_find_physical(range);
	if (dma_has(device, range))
		return -EEXIST;
	return tactus_iommu_map(device, range->device_address, range->pages, range->count,
				range->write);
}

static int dma_hand_over(struct tactus_program *program, u32 index, struct dma_range *range)
{
	struct tactus_pci *device;
	int error = -ENXIO;

	mutex_lock(&tactus_pci_mutex);
	device = tactus_pci_of(program, index);
	if (device)
		error = dma_place(device, range);
	if (!error)
		list_add(&range->all, &device->ranges);
	mutex_unlock(&tactus_pci_mutex);
	return error;
}

/* A fault while pinning may wait for user space (userfaultfd, FUSE), so no lock of other programs
 * is held. */
int tactus_dma_add(struct tactus_program *program, struct tact_bare_dma *dma)
{
	unsigned int count = dma->bytes >> PAGE_SHIFT;
	struct dma_range *range;
	int error = dma_check(dma);

	if (error)
		return error;
	range = kvzalloc(struct_size(range, pages, count), GFP_KERNEL_ACCOUNT);
	if (!range)
		return dma_fail(dma, -ENOMEM);
	range->device_address = dma->device_address;
	range->bytes = dma->bytes;
	range->write = !(dma->flags & TACT_BARE_DMA_READ_ONLY);
	error = tactus_memory_charge(program->mm, count);
	if (error)
		goto free;
	error = dma_pin_range(program, range, dma->address);
	if (error)
		goto discharge;
	error = dma_hand_over(program, dma->device, range);
	if (error)
		goto unpin;
	dma->device_address = range->device_address;
	return 0;

unpin:
	unpin_user_pages(range->pages, range->count);
discharge:
	tactus_memory_charge(program->mm, -(long)count);
free:
	kvfree(range);
	return dma_fail(dma, error);
}

int tactus_dma_remove(struct tactus_pci *device, const struct tact_bare_dma *dma)
{
	struct dma_range *range;

	lockdep_assert_held(&tactus_pci_mutex);
	if (!device->group)
		return -EOPNOTSUPP;
	list_for_each_entry(range, &device->ranges, all) {
		if (range->device_address != dma->device_address || range->bytes != dma->bytes)
			continue;
		dma_unmap(device, range);
		return 0;
	}
	return -ENOENT;
}

/* The device is quiet. */
void tactus_dma_remove_all(struct tactus_pci *device)
{
	struct dma_range *range, *next;

	list_for_each_entry_safe(range, next, &device->ranges, all)
		dma_unmap(device, range);
}
