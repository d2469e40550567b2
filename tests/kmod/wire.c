/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A device's INTx wire that a device of Linux shares: wire DEVICE TTY. QEMU's educational device
 * raises it, and is not answered. While a program has the device, no interrupt arrives. Before
 * that, Linux counts a storm, switches the wire off and says so, which proves that the interrupt
 * arrives here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

#define RAISE 0x60
#define LOWER 0x64
/* Linux's own limit, after which "nobody cared" (kernel/irq/spurious.c). */
#define STORM 100000ul

static int wire_of(const char *device)
{
	char path[64];
	FILE *file;
	int interrupt = -1;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/irq", device);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%d", &interrupt) != 1)
		interrupt = -1;
	if (file)
		fclose(file);
	return interrupt;
}

/* For at most so long, or until Linux has switched it off. */
static unsigned long raised(volatile uint32_t *registers, int interrupt, unsigned ms)
{
	unsigned cpus;
	unsigned long before = interrupts_heard(interrupt, &cpus), now = before;

	registers[RAISE / 4] = 1;
	for (unsigned i = 0; i < ms / 10 && now - before < STORM - 10; i++) {
		usleep(10000);
		now = interrupts_heard(interrupt, &cpus);
	}
	registers[LOWER / 4] = 1;
	return interrupts_heard(interrupt, &cpus) - before;
}

static void check_attached(const char *name)
{
	struct tact_bare_attach attach = {.lines = 0};
	volatile uint32_t *registers;
	int file = ring3_open(), wire;
	unsigned long heard;

	snprintf(attach.name, sizeof(attach.name), "%s", name);
	check(!ioctl(file, TACT_BARE_ATTACH, &attach), "wire: attached: %s", attach.reason);
	registers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			 TACT_BARE_MAP_BAR(attach.device, 0));
	wire = wire_of(name);
	heard = raised(registers, wire, 3000);
	check(heard == 0, "wire: a program's device is heard %lu times at interrupt %d", heard,
	      wire);
	munmap((void *)(uintptr_t)registers, 4096);
	close(file);
}

static bool tell(const char *name, const char *where, const char *what)
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", name, where);
	file = fopen(path, "w");
	return file && fputs(what, file) > 0 && !fclose(file);
}

/* By the kernel's own means, as the module would leave it if it did nothing. */
static void check_loose(const char *name)
{
	char path[64];
	volatile uint32_t *registers;
	unsigned long heard;
	int bar;

	check(tell(name, "driver/unbind", name) && tell(name, "enable", "1"), "wire: let loose");
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", name);
	bar = open(path, O_RDWR | O_CLOEXEC);
	registers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, bar, 0);
	check(registers != MAP_FAILED, "wire: its memory is mapped");
	if (registers == MAP_FAILED)
		return;
	heard = raised(registers, wire_of(name), 60000);
	check(heard >= STORM - 10, "wire: any other's is heard %lu times", heard);
	munmap((void *)(uintptr_t)registers, 4096);
	close(bar);
}

int case_wire(int count, char **words)
{
	int tty;

	if (count < 3)
		return 2;
	/* Its driver requests its interrupt while it is open. */
	tty = open(words[2], O_RDWR | O_NOCTTY | O_NONBLOCK);
	check(tty >= 0, "wire: somebody listens at %s: %s", words[2],
	      strerror(tty < 0 ? errno : 0));
	check_attached(words[1]);
	check_loose(words[1]);
	close(tty);
	return checks_failed();
}
