// SPDX-License-Identifier: GPL-2.0-only
/*
 * The ends of the machine. Reboot and kexec: first every CPU goes back to Linux, which then stops
 * it like any other. Sleep states in which processors lose their state are refused while a CPU is
 * held; for suspend-to-idle, the freezer parks the cores through their owners. Panic: the cores are
 * halted.
 */
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/printk.h>
#include <linux/reboot.h>
#include <linux/suspend.h>

#include "compat.h"
#include "pci.h"
#include "tactus.h"

static int exits_refuse(const char *what)
{
	unsigned int held = tactus_hold_count();

	if (!held)
		return 0;
	pr_err("%u CPUs are taken, and %s would lose their state: end their programs, or suspend "
	       "to idle\n",
	       held, what);
	return -EBUSY;
}

static int exits_reboot(struct notifier_block *block, unsigned long event, void *data)
{
	tactus_pci_quiet(NULL);
	tactus_hold_give_everything();
	return NOTIFY_DONE;
}

static int exits_panic(struct notifier_block *block, unsigned long event, void *data)
{
	tactus_hold_halt_everything();
	return NOTIFY_DONE;
}

/* Before anything has been frozen. */
static int exits_sleep(struct notifier_block *block, unsigned long event, void *data)
{
	if (event != PM_HIBERNATION_PREPARE && event != PM_RESTORE_PREPARE)
		return NOTIFY_DONE;
	return notifier_from_errno(exits_refuse("hibernating"));
}

/* Not called on the way to suspend-to-idle. */
static int exits_suspend(void)
{
	return exits_refuse("suspending");
}

static struct notifier_block exits_reboot_notifier = {.notifier_call = exits_reboot,
						      .priority = INT_MAX};
static struct notifier_block exits_panic_notifier = {.notifier_call = exits_panic};
static struct notifier_block exits_sleep_notifier = {.notifier_call = exits_sleep};
COMPAT_SYSCORE(exits_syscore, exits_suspend);

int tactus_exits_start(void)
{
	int error = register_reboot_notifier(&exits_reboot_notifier);

	if (error)
		return error;
	error = register_pm_notifier(&exits_sleep_notifier);
	if (error) {
		unregister_reboot_notifier(&exits_reboot_notifier);
		return error;
	}
	atomic_notifier_chain_register(&panic_notifier_list, &exits_panic_notifier);
	compat_syscore_start(&exits_syscore);
	return 0;
}

void tactus_exits_stop(void)
{
	compat_syscore_stop(&exits_syscore);
	atomic_notifier_chain_unregister(&panic_notifier_list, &exits_panic_notifier);
	unregister_pm_notifier(&exits_sleep_notifier);
	unregister_reboot_notifier(&exits_reboot_notifier);
}
