// SPDX-License-Identifier: GPL-2.0-only
// A domain is made for a device, not for a bus (6.11).
// about: iommu_paging_domain_alloc
#include <linux/iommu.h>

struct iommu_domain *probe(struct device *device);
struct iommu_domain *probe(struct device *device)
{
	return iommu_paging_domain_alloc(device);
}
