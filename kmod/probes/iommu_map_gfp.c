// SPDX-License-Identifier: GPL-2.0-only
// iommu_map() has an argument for the allocation (6.3).
// about: iommu_map|too many arguments
#include <linux/iommu.h>

int probe(struct iommu_domain *domain);
int probe(struct iommu_domain *domain)
{
	return iommu_map(domain, 0, 0, PAGE_SIZE, IOMMU_READ, GFP_KERNEL_ACCOUNT);
}
