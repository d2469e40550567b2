// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device's message-signalled interrupt, aimed at a core. Linux's vector domain gives vectors only
 * on online CPUs. Therefore the interrupt is allocated in the usual way, and no driver requests it
 * from Linux. The domains above the vector domain, remapping and MSI, are then activated anew with
 * a vector and a target of the module, and write the remapping entry and the device's message
 * themselves. Linux does not touch an interrupt that was never started: a CPU that goes offline
 * does not move it, and it has no writable smp_affinity.
 */
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/msi.h>
#include <asm/apic.h>
#include <asm/hw_irq.h>
#include <asm/irqdomain.h>

#include "pci.h"
#include "tactus.h"

/* Deepest first: remapping determines the message. */
static int irq_line_activate(struct irq_data *data)
{
	int error;

	if (!data || data->domain == x86_vector_domain)
		return 0;
	error = irq_line_activate(data->parent_data);
	if (!error && data->domain->ops->activate)
		error = data->domain->ops->activate(data->domain, data, false);
	return error;
}

static int irq_line_write(struct irq_data *data, u32 vector, u32 target)
{
	struct irq_cfg *where = irqd_cfg(data);

	where->vector = vector;
	where->dest_apicid = target;
	return irq_line_activate(data);
}

static struct irq_data *irq_line_data(struct tactus_pci *device, u32 line)
{
	return irq_get_irq_data(pci_irq_vector(device->pci, line));
}

/* Posted interrupts pass through one of Linux's CPUs, whatever their target. */
static bool irq_line_is_posted(const struct irq_data *data)
{
	for (; data; data = data->parent_data)
		if (data->chip && !strcmp(data->chip->name, "INTEL-IR-POST"))
			return true;
	return false;
}

/* MSI need not have mask bits: if no line is aimed, the device sends none at all. (INTx is off
 * while the device is attached.) */
void tactus_irq_line_gate(struct tactus_pci *device)
{
	struct pci_dev *pci = device->pci;
	bool on = false;
	u32 line;
	u16 flags;

	if (!pci->msi_enabled)
		return;
	for (line = 0; line < device->line_count; line++)
		on |= device->lines[line].on;
	pci_read_config_word(pci, pci->msi_cap + PCI_MSI_FLAGS, &flags);
	flags = on ? flags | PCI_MSI_FLAGS_ENABLE : flags & ~PCI_MSI_FLAGS_ENABLE;
	pci_write_config_word(pci, pci->msi_cap + PCI_MSI_FLAGS, flags);
}

void tactus_irq_line_off(struct tactus_pci *device, u32 line)
{
	struct tactus_irq_line *is = &device->lines[line];
	struct irq_data *data = irq_line_data(device, line);

	lockdep_assert_held(&tactus_pci_mutex);
	if (!is->on)
		return;
	is->on = false;
	pci_msi_mask_irq(data);
	tactus_irq_line_gate(device);
	if (irq_line_write(data, is->vector_before, is->target_before))
		dev_err(&device->pci->dev, "tactus: interrupt %u cannot be turned off\n", line);
}

int tactus_irq_line_aim(struct tactus_pci *device, u32 line, struct tactus_core *core, u32 event)
{
	struct tactus_irq_line *is = &device->lines[line];
	struct irq_data *data = irq_line_data(device, line);
	u32 target = apic->calc_dest_apicid(core->cpu);
	struct irq_cfg *where;
	int error;

	lockdep_assert_held(&tactus_pci_mutex);
	where = data ? irqd_cfg(data) : NULL;
	if (!where) {
		dev_err_ratelimited(
			&device->pci->dev,
			"tactus: Linux has removed interrupt %u: attach the device anew\n", line);
		return -EIO;
	}
	if (irq_line_is_posted(data)) {
		dev_err(&device->pci->dev, "tactus: boot without intremap=posted_msi\n");
		return -EOPNOTSUPP;
	}
	tactus_irq_line_off(device, line);
	is->vector_before = where->vector;
	is->target_before = where->dest_apicid;
	is->core = core->index;
	is->event = event;
	/* As Linux names a CPU in messages, which may be by the logical name; the core stored
	 * it. */
	error = irq_line_write(data, CORE_VECTOR_DEVICE + event, target);
	if (error)
		dev_err_ratelimited(&device->pci->dev,
				    "tactus: Linux does not write interrupt %u (%d), which stays "
				    "off: use another kernel\n",
				    line, error);
	/* It is still masked. Nothing guarantees that the activation writes what irqd_cfg() says,
	 * so what the hardware has decides. */
	if (!error && !tactus_readback(device, data->irq, CORE_VECTOR_DEVICE + event, target)) {
		dev_err(&device->pci->dev,
			"tactus: this kernel does not aim interrupt %u as it was asked to: it "
			"stays "
			"off\n",
			line);
		error = -EOPNOTSUPP;
	}
	is->on = true;
	if (error) {
		tactus_irq_line_off(device, line);
		return error;
	}
	pci_msi_unmask_irq(data);
	tactus_irq_line_gate(device);
	return 0;
}
