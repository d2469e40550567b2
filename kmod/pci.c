// SPDX-License-Identifier: GPL-2.0-only
/* The driver to which PCI devices are bound for programs (driver_override, or new_id), and how the
 * devices of one program or of all programs are made quiet. */
#include <linux/nospec.h>

#include "pci.h"
#include "tactus.h"

DEFINE_MUTEX(tactus_pci_mutex);
static LIST_HEAD(pci_all);

static int pci_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	struct tactus_pci *device;

	/* The window of a bridge covers all devices behind it. */
	if (pci->hdr_type != PCI_HEADER_TYPE_NORMAL)
		return -EINVAL;
	device = kzalloc(sizeof(*device), GFP_KERNEL);
	if (!device)
		return -ENOMEM;
	device->pci = pci;
	init_waitqueue_head(&device->detached);
	INIT_LIST_HEAD(&device->ranges);
	pci_set_drvdata(pci, device);
	mutex_lock(&tactus_pci_mutex);
	list_add_tail(&device->all, &pci_all);
	mutex_unlock(&tactus_pci_mutex);
	return 0;
}

static bool pci_leaves(struct tactus_pci *device)
{
	bool free;

	mutex_lock(&tactus_pci_mutex);
	free = !device->program;
	if (free)
		list_del(&device->all);
	mutex_unlock(&tactus_pci_mutex);
	return free;
}

/* Unbinding waits for the program. */
static void pci_remove(struct pci_dev *pci)
{
	struct tactus_pci *device = pci_get_drvdata(pci);

	while (!pci_leaves(device))
		if (!wait_event_timeout(device->detached, !READ_ONCE(device->program), 10 * HZ))
			dev_info(&pci->dev, "tactus: a program has it: end the program\n");
	kfree(device);
}

static const struct pci_device_id pci_none[] = {{}};

static struct pci_driver pci_driver = {
	.name = "tactus",
	.id_table = pci_none,
	.probe = pci_probe,
	.remove = pci_remove,
	/* The group is claimed at the attachment (dma.c), not here. */
	.driver_managed_dma = true,
};

int tactus_pci_start(void)
{
	return pci_register_driver(&pci_driver);
}

void tactus_pci_stop(void)
{
	pci_unregister_driver(&pci_driver);
}

struct tactus_pci *tactus_pci_find(const char *name)
{
	struct tactus_pci *device;

	list_for_each_entry(device, &pci_all, all)
		if (!strcmp(pci_name(device->pci), name))
			return device;
	return NULL;
}

void tactus_pci_quiet_one(struct tactus_pci *device)
{
	u32 line;

	lockdep_assert_held(&tactus_pci_mutex);
	pci_clear_master(device->pci);
	for (line = 0; line < device->line_count; line++)
		tactus_irq_line_off(device, line);
}

void tactus_pci_quiet(struct tactus_program *program)
{
	struct tactus_pci *device;

	mutex_lock(&tactus_pci_mutex);
	list_for_each_entry(device, &pci_all, all)
		if (device->program && (!program || device->program == program))
			tactus_pci_quiet_one(device);
	mutex_unlock(&tactus_pci_mutex);
}

void tactus_pci_core_leaves(struct tactus_program *program, u32 core)
{
	struct tactus_pci *device;
	u32 line;

	mutex_lock(&tactus_pci_mutex);
	list_for_each_entry(device, &pci_all, all)
		for (line = 0; device->program == program && line < device->line_count; line++)
			if (device->lines[line].core == core)
				tactus_irq_line_off(device, line);
	mutex_unlock(&tactus_pci_mutex);
}

struct tactus_pci *tactus_pci_of(struct tactus_program *program, u32 index)
{
	lockdep_assert_held(&tactus_pci_mutex);
	if (index >= TACT_BARE_MAX_DEVICES)
		return NULL;
	return program->devices[array_index_nospec(index, TACT_BARE_MAX_DEVICES)];
}
