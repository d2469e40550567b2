// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a device's interrupt really goes, read from what the hardware obeys: the message itself or,
 * if the message names an entry of a remapping table, that entry in memory. No exported function
 * returns it; the tables are found by the descriptions of firmware and hardware (Intel VT-d
 * specification: 8.3 DRHD, 9.10 entry, 11.4.5 status, 11.4.9.3 table address).
 */
#include <linux/acpi.h>
#include <linux/io.h>
#include <linux/msi.h>
#include <asm/apic.h>
#include <asm/msi.h>

#include "pci.h"
#include "readback.h"

#define UNIT_STATUS      0x1c
#define STATUS_REMAPS    BIT(25)
#define UNIT_TABLE       0xb8
#define TABLE_EXTENDED   BIT_ULL(11) /* targets of 32 bits */
#define TABLE_SIZE       0xf         /* 2 to the power of (this + 1) entries */
#define ENTRY_PRESENT    BIT_ULL(0)
#define ENTRY_LOGICAL    BIT_ULL(2)
#define ENTRY_POSTED     BIT_ULL(15)
#define ENTRY_BYTES      16
#define ENTRY_VECTOR(e)  ((e) >> 16 & 0xff)
#define ENTRY_TARGET(e)  ((e) >> 32)
#define ENTRY_TARGET8(e) ((e) >> 40 & 0xff)

static bool readback_is(u64 entry, bool extended, u32 vector, u32 target)
{
	u64 wanted = ENTRY_PRESENT | (apic->dest_mode_logical ? ENTRY_LOGICAL : 0);

	return (entry & (ENTRY_PRESENT | ENTRY_LOGICAL | ENTRY_POSTED)) == wanted &&
	       ENTRY_VECTOR(entry) == vector &&
	       (extended ? ENTRY_TARGET(entry) : ENTRY_TARGET8(entry)) == target;
}

static bool readback_unit(u64 base, u32 index, u32 vector, u32 target)
{
	u8 __iomem *registers = ioremap(base, PAGE_SIZE);
	bool found = false;
	u64 table, *entry;

	if (!registers)
		return false;
	table = readq(registers + UNIT_TABLE);
	if (readl(registers + UNIT_STATUS) & STATUS_REMAPS && index < 2u << (table & TABLE_SIZE)) {
		entry = memremap((table & PAGE_MASK) + (u64)index * ENTRY_BYTES, ENTRY_BYTES,
				 MEMREMAP_WB);
		if (entry) {
			found = readback_is(READ_ONCE(*entry), table & TABLE_EXTENDED, vector,
					    target);
			memunmap(entry);
		}
	}
	iounmap(registers);
	return found;
}

/* It does not matter which unit the device has: vector and target are the module's own. */
static bool readback_remapped(u32 index, u32 vector, u32 target)
{
	struct acpi_table_header *table;
	bool found = false;
	u32 place;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_DMAR, 0, &table)))
		return false;
	for (place = sizeof(struct acpi_table_dmar);
	     !found && place + sizeof(struct acpi_dmar_hardware_unit) <= table->length;) {
		const struct acpi_dmar_hardware_unit *unit = (void *)table + place;

		if (!unit->header.length)
			break;
		if (unit->header.type == ACPI_DMAR_TYPE_HARDWARE_UNIT)
			found = readback_unit(unit->address, index, vector, target);
		place += unit->header.length;
	}
	acpi_put_table(table);
	return found;
}

/* The processor that a message without remapping names (Intel SDM 3, 12.11.1). */
static u32 readback_target(const struct msi_msg *message)
{
	u32 target = message->arch_addr_lo.destid_0_7;

	return x2apic_enabled() ? target | message->arch_addr_hi.destid_8_31 << 8 : target;
}

bool tactus_readback(struct tactus_pci *device, unsigned int interrupt, u32 vector, u32 target)
{
	struct msi_msg message;
	enum readback amd;

	get_cached_msi_msg(interrupt, &message);
	if (message.arch_addr_lo.base_address != X86_MSI_BASE_ADDRESS_LOW)
		return false;
	if (message.arch_addr_lo.dmar_format) {
		u32 index = message.arch_addr_lo.dmar_index_0_14 |
			    message.arch_addr_lo.dmar_index_15 << 15;

		if (message.arch_addr_lo.dmar_subhandle_valid)
			index += message.arch_data.dmar_subhandle;
		return readback_remapped(index, vector, target);
	}
	amd = tactus_readback_amd(pci_dev_id(device->pci), message.data, vector, target);
	if (amd != READBACK_NOTHING)
		return amd == READBACK_RIGHT;
	return message.arch_data.vector == vector &&
	       message.arch_addr_lo.dest_mode_logical == apic->dest_mode_logical &&
	       readback_target(&message) == target;
}
