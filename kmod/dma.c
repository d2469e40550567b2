// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a device may reach. It is alone in its IOMMU group, which the module claims: nothing at all,
 * then the pages that the program adds, pinned, at the addresses that the program chose. Pages
 * leave the IOMMU before they are unpinned. Where no IOMMU confines a device, or its interrupts, it
 * is refused unless the administrator said otherwise (unsafe_dma): it sees physical addresses then,
 * and only detaching takes them back.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "compat.h"
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

int tactus_dma_claim(struct tactus_pci *device, char *reason)
{
	struct device *dev = &device->pci->dev;
	struct iommu_group *group = iommu_group_get(dev);
	int error;

	if (!group || !compat_isolates_interrupts(dev, group)) {
		iommu_group_put(group);
		if (tactus_unsafe_dma)
			return 0;
		snprintf(reason, TACT_BARE_REASON,
			 "no IOMMU confines %s and its interrupts: boot with intel_iommu=on or "
			 "amd_iommu=on, or load the module with unsafe_dma=1",
			 pci_name(device->pci));
		return -EPERM;
	}
	error = iommu_group_claim_dma_owner(group, device);
	if (error) {
		iommu_group_put(group);
		snprintf(reason, TACT_BARE_REASON,
			 "%s shares its IOMMU group with devices in use: unbind those in "
			 "/sys/bus/pci/devices/%s/iommu_group",
			 pci_name(device->pci), pci_name(device->pci));
		return -EBUSY;
	}
	device->group = group;
	return 0;
}

/* 0, or why the pages may not be pinned for a device: the rules for cores. */
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

/* All of it, of mappings that have not changed meanwhile; or an error, and -EAGAIN if they did. */
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

/* Reserved: where interrupts are written to, and what firmware has set aside. */
static bool dma_is_reserved(struct tactus_pci *device, u64 first, u64 last)
{
	struct iommu_resv_region *region;
	bool found = false;
	LIST_HEAD(regions);

	if (iommu_get_group_resv_regions(device->group, &regions))
		found = true;
	list_for_each_entry(region, &regions, list)
		if (first <= region->start + region->length - 1 && last >= region->start)
			found = true;
	iommu_put_resv_regions(&device->pci->dev, &regions);
	return found;
}

static int dma_need_domain(struct tactus_pci *device)
{
	struct iommu_domain *domain;
	int error;

	if (device->domain)
		return 0;
	domain = compat_iommu_domain(&device->pci->dev);
	if (!domain)
		return -ENOMEM;
	error = iommu_attach_group(domain, device->group);
	if (error)
		iommu_domain_free(domain);
	else
		device->domain = domain;
	return error;
}

static void dma_unmap(struct tactus_pci *device, struct dma_range *range)
{
	size_t done = device->domain
			      ? iommu_unmap(device->domain, range->device_address, range->bytes)
			      : range->bytes;

	list_del(&range->all);
	if (done == range->bytes) {
		dma_unpin(device->program, range);
		return;
	}
	pr_err("%llu pages are lost: the IOMMU did not let go of them\n",
	       range->bytes >> PAGE_SHIFT);
	kvfree(range);
}

static int dma_map(struct tactus_pci *device, struct dma_range *range)
{
	int rights = IOMMU_READ | IOMMU_CACHE | (range->write ? IOMMU_WRITE : 0);
	unsigned int i;
	int error;

	for (i = 0; i < range->count; i++) {
		error = compat_iommu_map(device->domain, range->device_address + (u64)i * PAGE_SIZE,
					 page_to_phys(range->pages[i]), PAGE_SIZE, rights);
		if (error)
			goto unmap;
		cond_resched();
	}
	return 0;

unmap:
	iommu_unmap(device->domain, range->device_address, (size_t)i * PAGE_SIZE);
	return error;
}

/* Without an IOMMU: one address for all of it, or none. */
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
		text = "a mapping that cannot be pinned, or not written: use anonymous memory or "
		       "memfd";
	else if (error == -ENOMEM)
		text = "no memory to pin: raise RLIMIT_MEMLOCK (ulimit -l), or add less";
	else if (error == -ERANGE)
		text = "the device cannot have it at that address: choose another device_address "
		       "(without an IOMMU: add page by page)";
	else if (error == -EEXIST)
		text = "the device has memory there already: remove it first";
	if (text)
		snprintf(dma->reason, TACT_BARE_REASON, "%s", text);
	return error;
}

static int dma_check(const struct tactus_pci *device, const struct tact_bare_dma *dma)
{
	const struct dma_range *range;

	if (dma->flags & ~TACT_BARE_DMA_READ_ONLY || !dma->bytes || dma->bytes > BYTES_MAX ||
	    !PAGE_ALIGNED(dma->address | dma->bytes | dma->device_address) ||
	    dma->address >= TASK_SIZE_MAX || dma->bytes > TASK_SIZE_MAX - dma->address)
		return -EINVAL;
	if (!device->group)
		return dma->device_address ? -EINVAL : 0;
	if (dma->device_address > U64_MAX - dma->bytes)
		return -EINVAL;
	list_for_each_entry(range, &device->ranges, all)
		if (dma->device_address < range->device_address + range->bytes &&
		    range->device_address < dma->device_address + dma->bytes)
			return -EEXIST;
	return 0;
}

static int dma_place(struct tactus_pci *device, struct dma_range *range)
{
	const struct iommu_domain_geometry *geometry;
	u64 last = range->device_address + range->bytes - 1;

	if (!device->group)
		return dma_find_physical(range);
	geometry = &device->domain->geometry;
	if (range->device_address < geometry->aperture_start || last > geometry->aperture_end ||
	    dma_is_reserved(device, range->device_address, last))
		return -ERANGE;
	return dma_map(device, range);
}

int tactus_dma_add(struct tactus_pci *device, struct tact_bare_dma *dma)
{
	unsigned int count = dma->bytes >> PAGE_SHIFT;
	struct dma_range *range;
	int error = dma_check(device, dma);

	lockdep_assert_held(&tactus_pci_mutex);
	if (!error && device->group)
		error = dma_need_domain(device);
	if (error)
		return dma_fail(dma, error);
	range = kvzalloc(struct_size(range, pages, count), GFP_KERNEL_ACCOUNT);
	if (!range)
		return dma_fail(dma, -ENOMEM);
	range->device_address = dma->device_address;
	range->bytes = dma->bytes;
	range->write = !(dma->flags & TACT_BARE_DMA_READ_ONLY);
	error = tactus_memory_charge(device->program->mm, count);
	if (error)
		goto free;
	error = dma_pin_range(device->program, range, dma->address);
	if (error)
		goto discharge;
	error = dma_place(device, range);
	if (error)
		goto unpin;
	dma->device_address = range->device_address;
	list_add(&range->all, &device->ranges);
	return 0;

unpin:
	unpin_user_pages(range->pages, range->count);
discharge:
	tactus_memory_charge(device->program->mm, -(long)count);
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
void tactus_dma_release(struct tactus_pci *device)
{
	struct dma_range *range, *next;

	list_for_each_entry_safe(range, next, &device->ranges, all)
		dma_unmap(device, range);
	if (device->domain) {
		iommu_detach_group(device->domain, device->group);
		iommu_domain_free(device->domain);
		device->domain = NULL;
	}
	if (device->group) {
		iommu_group_release_dma_owner(device->group);
		iommu_group_put(device->group);
		device->group = NULL;
	}
}
