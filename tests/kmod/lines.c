/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What stays unnoticed of a device while a program has it, with QEMU's educational device: lines
 * NAME. Its INTx interrupt is off, the affinity of its lines cannot be written, and the mapping of
 * its memory is not divided.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

#define COMMAND      4 /* in configuration space */
#define COMMAND_INTX 0x400u
#define EDU_RAISE    0x60
#define EDU_LOWER    0x64

static bool intx_is_off(const char *name)
{
	char path[64];
	uint16_t command = 0;
	int file;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", name);
	file = open(path, O_RDONLY);
	if (pread(file, &command, sizeof(command), COMMAND) != sizeof(command))
		command = 0;
	close(file);
	return command & COMMAND_INTX;
}

static int attach(int file, const char *name, uint32_t lines)
{
	struct tact_bare_attach attach = {.lines = lines};
	int result;

	snprintf(attach.name, sizeof(attach.name), "%s", name);
	result = ioctl(file, TACT_BARE_ATTACH, &attach);
	check(!result && attach.lines == lines, "lines: attached with %u: %s", lines,
	      attach.reason);
	return (int)attach.device;
}

static void detach(int file, int device)
{
	check(!ioctl(file, TACT_BARE_DETACH,
		     &(struct tact_bare_device){.device = (uint32_t)device}),
	      "lines: detached");
}

/* Raised without an answer: it would be an interrupt storm if another device had the same wire. */
static void check_intx(int file, const char *name)
{
	int device = attach(file, name, 0);
	volatile uint32_t *registers = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file,
					    TACT_BARE_MAP_BAR(device, 0));

	check(registers != MAP_FAILED, "lines: its memory is mapped");
	check(intx_is_off(name), "lines: INTx is off without lines");
	registers[EDU_RAISE / 4] = 1;
	usleep(100000);
	registers[EDU_LOWER / 4] = 1;
	munmap((void *)(uintptr_t)registers, 4096);
	detach(file, device);
	check(intx_is_off(name), "lines: and afterwards");
}

static void check_affinity(int file, const char *name)
{
	int device = attach(file, name, 1), count = 0;
	char path[384];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_irqs", name);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		int affinity, error;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/irq/%s/smp_affinity", entry->d_name);
		affinity = open(path, O_WRONLY);
		error = affinity < 0 || write(affinity, "1", 1) < 0 ? errno : 0;
		check(error != 0, "lines: the affinity of interrupt %s cannot be written: %s",
		      entry->d_name, strerror(error));
		if (affinity >= 0)
			close(affinity);
		count++;
	}
	if (folder)
		closedir(folder);
	check(count == 1, "lines: it has %d interrupts", count);
	detach(file, device);
	check(intx_is_off(name), "lines: INTx is off when the interrupt is given back");
}

/* Linux notes the caching of a mapping, and removes the note only for the whole mapping. */
static void check_whole(int file, const char *name)
{
	int device = attach(file, name, 0);
	uint8_t *registers = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file,
				  TACT_BARE_MAP_BAR(device, 0));

	check(registers != MAP_FAILED, "lines: three pages of its memory are mapped");
	check(munmap(registers, 4096) == -1 && errno == EINVAL &&
		      munmap(registers + 8192, 4096) == -1 && errno == EINVAL &&
		      mprotect(registers + 4096, 4096, PROT_READ) == -1 && errno == EINVAL &&
		      mremap(registers, 3 * 4096, 4096, 0) == MAP_FAILED && errno == EINVAL,
	      "lines: they are not divided");
	check(!munmap(registers, 3 * 4096), "lines: they are unmapped together");
	detach(file, device);
}

int case_lines(int count, char **words)
{
	int file = ring3_open();

	if (count < 2)
		return 2;
	check_intx(file, words[1]);
	check_affinity(file, words[1]);
	check_whole(file, words[1]);
	close(file);
	return checks_failed();
}
