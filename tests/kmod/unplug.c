/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A device leaves the machine while a program has it, and its interrupt is aimed at a core that
 * runs: unplug CPU NAME. Linux waits for the program, which may continue with the missing
 * device.
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

#define WAIT_S 300

static const char *place;

static bool is_gone(void *data)
{
	(void)data;
	return access(place, F_OK) != 0;
}

/* Linux says so in its log after some time. */
static bool linux_waits(void)
{
	char line[1024];
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	bool waits = false;

	for (int tries = 0; !waits && tries < WAIT_S * 10; tries++) {
		ssize_t got;

		while (!waits && (got = read(log, line, sizeof(line) - 1)) > 0) {
			line[got] = 0;
			waits = strstr(line, "a program has it: end the program") != NULL;
		}
		usleep(100000);
	}
	close(log);
	return waits;
}

static uint64_t spin(struct ring3 *self)
{
	for (;;)
		ring3_call(TACT_BARE_CALL_HALT, 0);
	return self->core;
}

int case_unplug(int count, char **words)
{
	int file = ring3_open();
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	struct ring3 *self = ring3_take(file, cpu);
	struct tact_bare_attach device = {.lines = 1};
	struct tact_bare_irq_line line = {.core = self->core};
	struct tact_bare_core core = {.core = self->core};
	char path[64];
	volatile uint32_t *registers;

	snprintf(device.name, sizeof(device.name), "%s", count > 2 ? words[2] : "");
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", device.name);
	place = path;
	check(!ioctl(file, TACT_BARE_ATTACH, &device), "unplug: attached: %s", device.reason);
	line.device = device.device;
	check(!ioctl(file, TACT_BARE_IRQ_LINE, &line), "unplug: its interrupt is aimed");
	registers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			 TACT_BARE_MAP_BAR(device.device, 0));
	check(registers != MAP_FAILED, "unplug: its registers are mapped: %s", strerror(errno));
	ring3_add_all(file);
	ring3_start(self, spin);
	owner_begin(self);
	progress("a device may go");
	check(linux_waits() && !is_gone(NULL), "unplug: Linux waits for the program");
	printf("# a register says %x\n", registers[2]);
	check(!ioctl(file, TACT_BARE_IRQ_LINE, &line), "unplug: it is aimed anew");
	line.flags = TACT_BARE_IRQ_LINE_OFF;
	check(!ioctl(file, TACT_BARE_IRQ_LINE, &line), "unplug: and turned off");
	ioctl(file, TACT_BARE_STOP, &core);
	owner_end(self);
	munmap((void *)(uintptr_t)registers, 4096);
	ioctl(file, TACT_BARE_DETACH, &(struct tact_bare_device){.device = device.device});
	check(becomes(is_gone, NULL), "unplug: it is gone when the program lets go");
	check(ioctl(file, TACT_BARE_ATTACH, &device) == -1 && errno == ENODEV,
	      "unplug: it cannot be attached again: %s", device.reason);
	ring3_give(self);
	check(cpu_comes_back(cpu), "unplug: the CPU is back");
	close(file);
	return checks_failed();
}
