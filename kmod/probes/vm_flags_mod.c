// SPDX-License-Identifier: GPL-2.0-only
// The flags of a mapping are read-only except through functions (6.3).
// about: vm_flags_mod
#include <linux/mm.h>

void probe(struct vm_area_struct *vma);
void probe(struct vm_area_struct *vma)
{
	vm_flags_mod(vma, VM_DONTCOPY, VM_MAYEXEC);
}
