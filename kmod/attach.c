// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which program has which device. A device is quiet, so that it writes nothing and interrupts no
 * CPU, before anything that it could reach is freed: bus mastering is off, transactions under way
 * have ended, and the device has been reset if it supports that.
 */
#include <linux/nospec.h>

#include "pci.h"
#include "tactus.h"

static void attach_publish(struct tactus_program *program, u32 index, struct tactus_pci *device)
{
	spin_lock(&program->tables_lock);
	program->devices[index] = device;
	spin_unlock(&program->tables_lock);
}

static void attach_undo(struct tactus_pci *device)
{
	struct pci_dev *pci = device->pci;

	tactus_pci_quiet_one(device);
	if (!pci_wait_for_pending_transaction(pci))
		dev_err(&pci->dev, "tactus: transactions do not end\n");
	/* -ENOTTY: it supports no reset. -EAGAIN: it is being unbound, which waits for this. */
	pci_try_reset_function(pci);
	if (device->line_count)
		pci_free_irq_vectors(pci);
	/* This switches INTx on, which nothing here would answer. pci_enable_device() of the next
	 * driver permits it again. */
	pci_intx(pci, 0);
	device->line_count = 0;
	tactus_dma_remove_all(device);
	tactus_iommu_release(device);
	pci_disable_device(pci);
	WRITE_ONCE(device->program, NULL);
	wake_up_all(&device->detached);
}

static int attach_allot_irq_lines(struct tactus_pci *device, struct tact_bare_attach *attach)
{
	int count;

	memset(device->lines, 0, sizeof(device->lines));
	if (!attach->lines)
		return 0;
	count = pci_alloc_irq_vectors(device->pci, 1, attach->lines, PCI_IRQ_MSIX | PCI_IRQ_MSI);
	if (count < 0) {
		snprintf(attach->reason, TACT_BARE_REASON,
			 "%s has no message-signalled interrupts (%d): request no lines",
			 attach->name, count);
		return count;
	}
	device->line_count = count;
	tactus_irq_line_gate(device);
	return 0;
}

static int attach_take(struct tactus_pci *device, struct tactus_program *program, u32 index,
		       struct tact_bare_attach *attach)
{
	struct pci_dev *pci = device->pci;
	unsigned int bar;
	int error;

	if (pci->pin && !pci_intx_mask_supported(pci)) {
		snprintf(attach->reason, TACT_BARE_REASON,
			 "the INTx interrupt of %s, which other devices may share, cannot be "
			 "switched off: use a device of PCI 2.3 or newer",
			 attach->name);
		return -EPERM;
	}
	error = tactus_iommu_claim(device, attach->reason);
	if (error)
		return error;
	error = pci_enable_device(pci);
	if (error) {
		snprintf(attach->reason, TACT_BARE_REASON,
			 "%s cannot be enabled (%d): see dmesg | grep %s; if there was no room for "
			 "its memory, boot with pci=realloc",
			 attach->name, error, attach->name);
		goto release;
	}
	device->program = program;
	device->index = index;
	pci_clear_master(pci);
	pci_intx(pci, 0);
	pci_try_reset_function(pci);
	error = attach_allot_irq_lines(device, attach);
	if (error)
		goto disable;
	/* Interrupts are writes, too. */
	pci_set_master(pci);
	attach->device = index;
	attach->lines = device->line_count;
	attach->dma = device->group ? TACT_BARE_DMA_TRANSLATED : TACT_BARE_DMA_PHYSICAL;
	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
		attach->bar_bytes[bar] = tactus_bar_bytes(pci, bar);
	attach_publish(program, index, device);
	return 0;

disable:
	device->program = NULL;
	pci_disable_device(pci);
release:
	tactus_iommu_release(device);
	return error;
}

static int attach_named(struct tactus_program *program, struct tact_bare_attach *attach)
{
	struct tactus_pci *device = tactus_pci_find(attach->name);
	u32 index;

	if (!device) {
		snprintf(
			attach->reason, TACT_BARE_REASON,
			"%s is not bound to the module: echo tactus >driver_override in its folder "
			"of /sys/bus/pci/devices, then its name >/sys/bus/pci/drivers_probe",
			attach->name);
		return -ENODEV;
	}
	if (device->program) {
		snprintf(attach->reason, TACT_BARE_REASON, "a program already has %s: end it",
			 attach->name);
		return -EBUSY;
	}
	for (index = 0; index < TACT_BARE_MAX_DEVICES && program->devices[index]; index++)
		;
	if (index == TACT_BARE_MAX_DEVICES || program->over) {
		snprintf(attach->reason, TACT_BARE_REASON,
			 "a program has at most %u devices: detach one", TACT_BARE_MAX_DEVICES);
		return -EBUSY;
	}
	return attach_take(device, program, index, attach);
}

int tactus_pci_attach(struct tactus_program *program, struct tact_bare_attach *attach)
{
	int error;

	if (attach->flags || attach->lines > TACT_BARE_MAX_LINES ||
	    strnlen(attach->name, sizeof(attach->name)) == sizeof(attach->name))
		return -EINVAL;
	mutex_lock(&tactus_pci_mutex);
	error = attach_named(program, attach);
	mutex_unlock(&tactus_pci_mutex);
	return error;
}

int tactus_pci_detach(struct tactus_program *program, u32 index)
{
	struct tactus_pci *device;
	int error = 0;

	mutex_lock(&tactus_pci_mutex);
	device = tactus_pci_of(program, index);
	if (!device) {
		error = -ENXIO;
		goto unlock;
	}
	spin_lock(&program->tables_lock);
	if (device->mappings)
		error = -EBUSY;
	else
		program->devices[index] = NULL;
	spin_unlock(&program->tables_lock);
	if (!error)
		attach_undo(device);
unlock:
	mutex_unlock(&tactus_pci_mutex);
	return error;
}

/* The program's file is closed: no mapping of the file is left. */
void tactus_pci_detach_all(struct tactus_program *program)
{
	u32 index;

	for (index = 0; index < TACT_BARE_MAX_DEVICES; index++)
		tactus_pci_detach(program, index);
}

int tactus_pci_irq_line(struct tactus_program *program, struct tact_bare_irq_line *line)
{
	struct tactus_pci *device;
	struct tactus_core *core;
	int error = -ENXIO;

	if (line->reserved || line->flags & ~TACT_BARE_IRQ_LINE_OFF ||
	    line->event >= TACT_BARE_MAX_LINES)
		return -EINVAL;
	/* The core stays until the lines that are aimed at it have been turned off. */
	mutex_lock(&program->lock);
	mutex_lock(&tactus_pci_mutex);
	device = tactus_pci_of(program, line->device);
	core = tactus_program_core(program, line->core);
	if (!device || line->line >= device->line_count)
		goto unlock;
	line->line = array_index_nospec(line->line, device->line_count);
	if (line->flags & TACT_BARE_IRQ_LINE_OFF) {
		tactus_irq_line_off(device, line->line);
		error = 0;
	} else if (core) {
		error = tactus_core_dead(core)
				? -EIO
				: tactus_irq_line_aim(device, line->line, core, line->event);
	}
unlock:
	if (core)
		tactus_core_put(core);
	mutex_unlock(&tactus_pci_mutex);
	mutex_unlock(&program->lock);
	return error;
}

int tactus_pci_dma_remove(struct tactus_program *program, struct tact_bare_dma *dma)
{
	struct tactus_pci *device;
	int error = -ENXIO;

	mutex_lock(&tactus_pci_mutex);
	device = tactus_pci_of(program, dma->device);
	if (device)
		error = tactus_dma_remove(device, dma);
	mutex_unlock(&tactus_pci_mutex);
	return error;
}
