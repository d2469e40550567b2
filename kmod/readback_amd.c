// SPDX-License-Identifier: GPL-2.0-only
/*
 * As readback.c, for the entries of AMD's remapping tables: one table for each device, which the
 * device's own entry names (AMD I/O Virtualization Technology specification: 2.2.2.1 device table
 * entry, 2.2.5 interrupt remapping tables, 3.4 registers, 5.2 IVRS).
 */
#include <linux/acpi.h>
#include <linux/io.h>
#include <asm/apic.h>

#include "readback.h"

#define UNIT_TABLE     0x00
#define TABLE_PAGES(t) (((t)&0x1ff) + 1)
#define UNIT_CONTROL   0x18
#define CONTROL_ON     BIT_ULL(0)
#define CONTROL_WIDE   BIT_ULL(17) /* entries of 16 bytes, not 4 */
#define DEVICE_WORDS   4
#define DEVICE_VALID   BIT_ULL(0)
#define DEVICE_SIZE(d) (1u << ((d) >> 1 & 0xf))
#define DEVICE_TABLE   GENMASK_ULL(51, 6)
#define DEVICE_WAY(d)  ((d) >> 60 & 3)
#define WAY_REMAPPED   2
#define ENTRY_VALID    BIT(0)
#define ENTRY_LOGICAL  BIT(6)
#define ENTRY_GUEST    BIT(7)
#define ADDRESS        GENMASK_ULL(51, 12)

/* Both forms differ only in the places of vector and target. */
static bool readback_entry_is(const u32 *entry, bool wide, u32 vector, u32 target)
{
	u32 wanted = ENTRY_VALID | (apic->dest_mode_logical ? ENTRY_LOGICAL : 0);

	if ((entry[0] & (ENTRY_VALID | ENTRY_LOGICAL | ENTRY_GUEST)) != wanted)
		return false;
	if (wide)
		return (entry[2] & 0xff) == vector &&
		       (entry[0] >> 8 | (entry[3] & 0xff000000)) == target;
	return (entry[0] >> 16 & 0xff) == vector && (entry[0] >> 8 & 0xff) == target;
}

static enum readback readback_table(u64 device, u64 control, u32 index, u32 vector, u32 target)
{
	bool wide = control & CONTROL_WIDE;
	u32 bytes = wide ? 16 : 4;
	enum readback result;
	u32 *entry;

	if (!(device & DEVICE_VALID) || DEVICE_WAY(device) != WAY_REMAPPED)
		return READBACK_NOTHING;
	if (index >= DEVICE_SIZE(device))
		return READBACK_WRONG;
	entry = memremap((device & DEVICE_TABLE) + (u64)index * bytes, bytes, MEMREMAP_WB);
	if (!entry)
		return READBACK_WRONG;
	result = readback_entry_is(entry, wide, vector, target) ? READBACK_RIGHT : READBACK_WRONG;
	memunmap(entry);
	return result;
}

static enum readback readback_unit(u64 base, u32 requester, u32 index, u32 vector, u32 target)
{
	u8 __iomem *registers = ioremap(base, PAGE_SIZE);
	enum readback result = READBACK_NOTHING;
	u64 control, table, *device;

	if (!registers)
		return READBACK_WRONG;
	control = readq(registers + UNIT_CONTROL);
	table = readq(registers + UNIT_TABLE);
	iounmap(registers);
	if (!(control & CONTROL_ON) ||
	    (u64)requester * DEVICE_WORDS * sizeof(u64) >= TABLE_PAGES(table) * PAGE_SIZE)
		return READBACK_NOTHING;
	device = memremap((table & ADDRESS) + (u64)requester * DEVICE_WORDS * sizeof(u64),
			  DEVICE_WORDS * sizeof(u64), MEMREMAP_WB);
	if (!device)
		return READBACK_WRONG;
	result = readback_table(device[2], control, index, vector, target);
	memunmap(device);
	return result;
}

enum readback tactus_readback_amd(u32 requester, u32 index, u32 vector, u32 target)
{
	enum readback result = READBACK_NOTHING;
	struct acpi_table_header *table;
	u32 place;

	if (ACPI_FAILURE(acpi_get_table(ACPI_SIG_IVRS, 0, &table)))
		return READBACK_NOTHING;
	for (place = sizeof(struct acpi_table_ivrs);
	     result == READBACK_NOTHING &&
	     place + sizeof(struct acpi_ivrs_hardware_10) <= table->length;) {
		const struct acpi_ivrs_hardware_10 *unit = (void *)table + place;

		if (!unit->header.length)
			break;
		/* Later forms begin like the first one. */
		if (unit->header.type == ACPI_IVRS_TYPE_HARDWARE1 ||
		    unit->header.type == ACPI_IVRS_TYPE_HARDWARE2 ||
		    unit->header.type == ACPI_IVRS_TYPE_HARDWARE3)
			result =
				readback_unit(unit->base_address, requester, index, vector, target);
		place += unit->header.length;
	}
	acpi_put_table(table);
	return result;
}
