// SPDX-License-Identifier: GPL-2.0-only
/* The module: its parts are started in the order of need, and undone in reverse. */
#include <linux/module.h>

#include "pci.h"
#include "tactus.h"

unsigned int tactus_answer_ms = 500;
module_param_named(answer_ms, tactus_answer_ms, uint, 0644);
MODULE_PARM_DESC(answer_ms,
		 "time in ms that a core may take to answer before an NMI halts it (500)");

bool tactus_unsafe_dma;
module_param_named(unsafe_dma, tactus_unsafe_dma, bool, 0444);
MODULE_PARM_DESC(unsafe_dma, "attach devices that no IOMMU confines (0)");

struct main_part {
	const char *what;
	int (*start)(void);
	void (*stop)(void);
};

static const struct main_part main_parts[] = {
	{"the clock", tactus_clock_start, tactus_clock_stop},
	{"an interrupt for the doorbell", tactus_doorbell_start, tactus_doorbell_stop},
	{"the path of a CPU out of Linux", tactus_take_start, NULL},
	{"the start of CPUs", tactus_hold_start, tactus_hold_stop},
	{"the notifiers of suspend and shutdown", tactus_exits_start, tactus_exits_stop},
	{"the driver for devices", tactus_pci_start, tactus_pci_stop},
	{"the check of the kernel", tactus_assume_start, NULL},
	{"the device file", tactus_device_start, tactus_device_stop},
};

static void main_undo(unsigned int count)
{
	while (count--)
		if (main_parts[count].stop)
			main_parts[count].stop();
}

static int __init main_start(void)
{
	const char *refusal = tactus_machine_refusal();
	unsigned int i;

	if (refusal) {
		pr_err("%s\n", refusal);
		return -ENODEV;
	}
	for (i = 0; i < ARRAY_SIZE(main_parts); i++) {
		int error = main_parts[i].start();

		if (error) {
			/* A part that returns -ENODEV has said why. */
			if (error != -ENODEV)
				pr_err("%s cannot be set up (%d)%s\n", main_parts[i].what, error,
				       error == -ENOMEM ? ": free some memory" : "");
			main_undo(i);
			return error;
		}
	}
	return 0;
}

/* No file is open and no CPU is held: both keep the module. */
static void __exit main_end(void)
{
	main_undo(ARRAY_SIZE(main_parts));
}

module_init(main_start);
module_exit(main_end);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Hands processors to real-time programs and takes them back");
