// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device's memory (BARs) in the program, and at the same address on its cores. Only whole pages
 * that hold nothing but this BAR are mapped, and never those with the MSI-X table: a write there
 * can send any interrupt to any CPU.
 */
#include <linux/mm.h>
#include <linux/nospec.h>

#include "compat.h"
#include "pci.h"
#include "tactus.h"

#define BAR_PLACE_MAX BIT_ULL(TACT_BARE_BAR_SHIFT)

u64 tactus_bar_bytes(struct pci_dev *pci, unsigned int bar)
{
	if (!(pci_resource_flags(pci, bar) & IORESOURCE_MEM) ||
	    !PAGE_ALIGNED(pci_resource_start(pci, bar)) ||
	    !PAGE_ALIGNED(pci_resource_len(pci, bar)) || pci_resource_len(pci, bar) > BAR_PLACE_MAX)
		return 0;
	return pci_resource_len(pci, bar);
}

/* Do the pages hold a part of the table or of its pending bits? */
static bool bar_has_table(struct pci_dev *pci, unsigned int bar, u64 first, u64 end)
{
	static const int places[] = {PCI_MSIX_TABLE, PCI_MSIX_PBA};
	unsigned int i;
	u16 flags;

	if (!pci->msix_cap)
		return false;
	pci_read_config_word(pci, pci->msix_cap + PCI_MSIX_FLAGS, &flags);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		u64 entries = (flags & PCI_MSIX_FLAGS_QSIZE) + 1;
		u64 bytes = i ? DIV_ROUND_UP(entries, 64) * 8 : entries * PCI_MSIX_ENTRY_SIZE;
		u32 place;
		u64 start;

		pci_read_config_dword(pci, pci->msix_cap + places[i], &place);
		start = place & PCI_MSIX_TABLE_OFFSET;
		if ((place & PCI_MSIX_TABLE_BIR) == bar && first < PAGE_ALIGN(start + bytes) &&
		    end > (start & PAGE_MASK))
			return true;
	}
	return false;
}

static void bar_count(struct tactus_pci *device, int change)
{
	spin_lock(&device->program->tables_lock);
	device->mappings += change;
	spin_unlock(&device->program->tables_lock);
}

static void bar_open(struct vm_area_struct *vma)
{
	bar_count(vma->vm_private_data, 1);
}

static void bar_close(struct vm_area_struct *vma)
{
	bar_count(vma->vm_private_data, -1);
}

/* Linux notes the caching of the memory for each mapping, and keeps the note of a mapping that was
 * unmapped in parts. Each such note would stay for ever, and is not counted. */
static int bar_may_split(struct vm_area_struct *vma, unsigned long address)
{
	return -EINVAL;
}

static const struct vm_operations_struct bar_operations = {
	.open = bar_open, .close = bar_close, .may_split = bar_may_split};

static int bar_map_core(struct tactus_program *program, struct vm_area_struct *vma,
			phys_addr_t physical)
{
	u64 bits = _PAGE_NX | _PAGE_PCD | _PAGE_PWT | (vma->vm_flags & VM_WRITE ? _PAGE_RW : 0);
	u64 address;
	int error = 0;

	for (address = vma->vm_start; address < vma->vm_end && !error; address += PAGE_SIZE) {
		error = tactus_memory_map_page(program, address,
					       physical + (address - vma->vm_start), bits);
		cond_resched();
	}
	return error;
}

/* The device stays attached while `mappings` counts this one. */
static struct tactus_pci *bar_device(struct tactus_program *program, u32 index)
{
	struct tactus_pci *device = NULL;

	spin_lock(&program->tables_lock);
	if (index < TACT_BARE_MAX_DEVICES)
		device = program->devices[array_index_nospec(index, TACT_BARE_MAX_DEVICES)];
	if (device)
		device->mappings++;
	spin_unlock(&program->tables_lock);
	return device;
}

int tactus_bar_map(struct tactus_program *program, struct vm_area_struct *vma)
{
	u64 place = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 offset = place & (BAR_PLACE_MAX - 1);
	u64 bytes = vma->vm_end - vma->vm_start;
	unsigned int bar = place >> TACT_BARE_BAR_SHIFT & 7;
	struct tactus_pci *device;
	phys_addr_t physical;
	int error = -EINVAL;

	device = bar_device(program, (place - TACT_BARE_MAP_BAR(0, 0)) >> TACT_BARE_DEVICE_SHIFT);
	if (!device)
		return -ENXIO;
	if (bar >= PCI_STD_NUM_BARS || offset + bytes > tactus_bar_bytes(device->pci, bar))
		goto forget;
	error = -EACCES;
	if (bar_has_table(device->pci, bar, offset, offset + bytes))
		goto forget;
	physical = pci_resource_start(device->pci, bar) + offset;
	compat_vma_flags(vma, VM_DONTCOPY, VM_MAYEXEC);
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	error = io_remap_pfn_range(vma, vma->vm_start, physical >> PAGE_SHIFT, bytes,
				   vma->vm_page_prot);
	error = error ?: bar_map_core(program, vma, physical);
	if (error)
		goto forget;
	vma->vm_private_data = device;
	vma->vm_ops = &bar_operations;
	return 0;

forget:
	bar_count(device, -1);
	return error;
}
