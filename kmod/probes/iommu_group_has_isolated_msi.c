// SPDX-License-Identifier: GPL-2.0-only
// A group, not a capability, tells whether interrupts are remapped (6.3).
// about: iommu_group_has_isolated_msi
#include <linux/iommu.h>

bool probe(struct iommu_group *group);
bool probe(struct iommu_group *group)
{
	return iommu_group_has_isolated_msi(group);
}
