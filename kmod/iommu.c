// SPDX-License-Identifier: GPL-2.0-only
/*
 * What confines a device: it is alone in its IOMMU group, which the module claims, so that it
 * reaches nothing except what is mapped here. If no IOMMU confines a device or its interrupts, the
 * device is refused, unless the administrator allows it (unsafe_dma).
 */
#include <linux/mm.h>

#include "compat.h"
#include "pci.h"
#include "tactus.h"

int tactus_iommu_claim(struct tactus_pci *device, char *reason)
{
	struct device *dev = &device->pci->dev;
	struct iommu_group *group = iommu_group_get(dev);
	int error;

	if (!group && tactus_unsafe_dma)
		return 0;
	if (!tactus_unsafe_dma && (!group || !compat_isolates_interrupts(dev, group))) {
		iommu_group_put(group);
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

/* Reserved: the addresses of interrupts, and what firmware has reserved. */
static bool iommu_is_reserved(struct tactus_pci *device, u64 first, u64 last)
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

static int iommu_need_domain(struct tactus_pci *device)
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

int tactus_iommu_map(struct tactus_pci *device, u64 address, struct page **pages,
		     unsigned int count, bool write)
{
	int rights = IOMMU_READ | IOMMU_CACHE | (write ? IOMMU_WRITE : 0);
	u64 last = address + (u64)count * PAGE_SIZE - 1;
	int error = iommu_need_domain(device);
	unsigned int i;

	if (error)
		return error;
	if (address < device->domain->geometry.aperture_start ||
	    last > device->domain->geometry.aperture_end ||
	    iommu_is_reserved(device, address, last))
		return -ERANGE;
	for (i = 0; i < count; i++) {
		error = compat_iommu_map(device->domain, address + (u64)i * PAGE_SIZE,
					 page_to_phys(pages[i]), PAGE_SIZE, rights);
		if (error)
			goto unmap;
		cond_resched();
	}
	return 0;

unmap:
	iommu_unmap(device->domain, address, (size_t)i * PAGE_SIZE);
	return error;
}

/* False: the device may still reach it. */
bool tactus_iommu_unmap(struct tactus_pci *device, u64 address, u64 bytes)
{
	return !device->domain || iommu_unmap(device->domain, address, bytes) == bytes;
}

/* Nothing is mapped any more. */
void tactus_iommu_release(struct tactus_pci *device)
{
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
