/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * QEMU's edu device (QEMU documentation, docs/specs/edu.rst): a PCI device that raises an interrupt
 * on request. User space sees the interrupt through the kernel's uio_pci_generic, which masks it in
 * the device's PCI command register each time; after the acknowledgement it is unmasked there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/complain.h"
#include "source.h"

#define DEVICES           "/sys/bus/pci/devices"
#define DRIVER            "/sys/bus/pci/drivers/uio_pci_generic"
#define EDU_VENDOR        0x1234ul
#define EDU_DEVICE        0x11e8ul
#define MODULE            "/sys/bus/pci/drivers/tactus"
#define PCI_COMMAND       4
#define INTX_DISABLE      0x400u
#define BUS_MASTER_MEMORY 0x006u
#define PATH_BYTES        512

static bool read_text(const char *path, char *text, int bytes)
{
	FILE *file = fopen(path, "re");
	const bool got = file != NULL && fgets(text, bytes, file) != NULL;

	if (file != NULL)
		(void)fclose(file);
	if (got)
		text[strcspn(text, "\n")] = '\0';
	return got;
}

static bool write_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const bool wrote = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		(void)close(fd);
	return wrote;
}

static unsigned long number_of(const char *device, const char *attribute)
{
	char path[PATH_BYTES], text[32];

	(void)snprintf(path, sizeof(path), DEVICES "/%s/%s", device, attribute);
	return read_text(path, text, sizeof(text)) ? strtoul(text, NULL, 0) : 0;
}

static bool find_device(char device[NAME_MAX + 1])
{
	DIR *folder = opendir(DEVICES);
	struct dirent *entry;
	bool found = false;

	while (folder != NULL && !found && (entry = readdir(folder)) != NULL) {
		found = number_of(entry->d_name, "vendor") == EDU_VENDOR &&
			number_of(entry->d_name, "device") == EDU_DEVICE;
		if (found)
			(void)snprintf(device, NAME_MAX + 1, "%s", entry->d_name);
	}
	if (folder != NULL)
		(void)closedir(folder);
	return found;
}

/* The first entry of the device's folder "uio", once the driver has it. */
static bool find_uio(const char *device, char name[NAME_MAX + 1])
{
	char path[PATH_BYTES];
	struct dirent *entry;
	bool found = false;
	DIR *folder;

	(void)snprintf(path, sizeof(path), DEVICES "/%s/uio", device);
	folder = opendir(path);
	while (folder != NULL && !found && (entry = readdir(folder)) != NULL) {
		found = strncmp(entry->d_name, "uio", 3) == 0;
		if (found)
			(void)snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
	}
	if (folder != NULL)
		(void)closedir(folder);
	return found;
}

static int bind_driver(const char *device, char name[NAME_MAX + 1], char *reason)
{
	char id[32];

	if (find_uio(device, name))
		return 0;
	(void)snprintf(id, sizeof(id), "%lx %lx", EDU_VENDOR, EDU_DEVICE);
	if (access(DRIVER, F_OK) != 0) {
		(void)snprintf(reason, NOTICES_TEXT_SIZE,
			       "the driver uio_pci_generic for the edu device %.32s is not loaded: "
			       "modprobe it",
			       device);
		return 1;
	}
	(void)write_text(DRIVER "/new_id", id);
	if (find_uio(device, name))
		return 0;
	(void)snprintf(reason, NOTICES_TEXT_SIZE,
		       "uio_pci_generic does not bind to the edu device %.32s: run as root, and "
		       "see the kernel log",
		       device);
	return 1;
}

static int map_registers(struct irq_source *source, const char *device)
{
	char path[PATH_BYTES];
	void *bar;
	int fd;

	(void)snprintf(path, sizeof(path), DEVICES "/%s/resource0", device);
	fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	bar = fd >= 0 ? mmap(NULL, EDU_BAR_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
		      : MAP_FAILED;
	if (fd >= 0)
		(void)close(fd);
	if (bar == MAP_FAILED)
		return complain("%s: %s: run as root, without lockdown", path, strerror(errno));
	source->registers = bar;
	if ((source->registers[EDU_IDENTITY] & 0xff) == 0xed)
		return 0;
	return complain("%s: these are not the registers of an edu device (%#x)", device,
			source->registers[EDU_IDENTITY]);
}

static int open_files(struct irq_source *source, const char *device, const char *uio)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "/dev/%s", uio);
	source->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (source->fd < 0)
		return complain("%s: %s: run as root, with a devtmpfs on /dev", path,
				strerror(errno));
	(void)snprintf(path, sizeof(path), DEVICES "/%s/config", device);
	source->config_fd = open(path, O_RDWR | O_CLOEXEC);
	return source->config_fd >= 0 ? 0 : complain("%s: %s: run as root", path, strerror(errno));
}

static void set_intx(struct irq_source *source, bool enabled)
{
	uint16_t command = 0;

	(void)!pread(source->config_fd, &command, sizeof(command), PCI_COMMAND);
	command = (uint16_t)(enabled ? command & ~INTX_DISABLE : command | INTX_DISABLE);
	command |= BUS_MASTER_MEMORY;
	(void)!pwrite(source->config_fd, &command, sizeof(command), PCI_COMMAND);
}

static void steer(const char *device, int cpu, struct irq_source *source, struct notices *notices)
{
	const unsigned long irq = number_of(device, "irq");
	char path[PATH_BYTES], text[16];

	(void)snprintf(path, sizeof(path), "/proc/irq/%lu/smp_affinity_list", irq);
	(void)snprintf(text, sizeof(text), "%d", cpu);
	if (!write_text(path, text))
		notices_add(notices, "interrupt %lu could not be sent to CPU %d (%s)", irq, cpu,
			    strerror(errno));
	(void)snprintf(source->trace_filter, sizeof(source->trace_filter), "irq == %lu", irq);
}

static bool is_the_modules(const char *device)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), MODULE "/%s", device);
	return access(path, F_OK) == 0;
}

/* By the driver of its override, or any that knows it. */
static void probe(const char *device, const char *driver)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), DEVICES "/%s/driver/unbind", device);
	(void)write_text(path, device);
	(void)snprintf(path, sizeof(path), DEVICES "/%s/driver_override", device);
	(void)write_text(path, driver);
	(void)write_text("/sys/bus/pci/drivers_probe", device);
}

int irq_edu_give(char address[IRQ_ADDRESS_BYTES], bool *ours)
{
	char device[NAME_MAX + 1];

	if (!find_device(device) || strlen(device) >= IRQ_ADDRESS_BYTES)
		return complain("there is no edu device: start QEMU with -device edu");
	memcpy(address, device, strlen(device) + 1);
	*ours = !is_the_modules(address);
	if (!*ours)
		return 0;
	probe(address, "tactus");
	if (is_the_modules(address))
		return 0;
	probe(address, "\n");
	return complain("the module does not bind to the edu device %s: load the module "
			"(kmod/README.md), as root",
			address);
}

void irq_edu_take_back(const char *address)
{
	probe(address, "\n");
}

int irq_edu_open(struct irq_source *source, int cpu, struct notices *notices,
		 char reason[NOTICES_TEXT_SIZE])
{
	char device[NAME_MAX + 1], uio[NAME_MAX + 1];

	*source = (struct irq_source){.name = "edu",
				      .trace_event = "irq/irq_handler_entry",
				      .raised = true,
				      .fd = -1,
				      .config_fd = -1};
	if (!find_device(device)) {
		(void)snprintf(reason, NOTICES_TEXT_SIZE, "there is no edu device");
		return 1;
	}
	if (bind_driver(device, uio, reason) != 0)
		return 1;
	if (open_files(source, device, uio) < 0 || map_registers(source, device) < 0) {
		irq_source_close(source);
		return -1;
	}
	steer(device, cpu, source, notices);
	/* An interrupt may remain from a run that was ended meanwhile. */
	source->registers[EDU_ACKNOWLEDGE] = source->registers[EDU_STATUS];
	set_intx(source, true);
	return 0;
}

void irq_edu_raise(struct irq_source *source)
{
	source->registers[EDU_RAISE] = 1;
}

int irq_edu_wait(struct irq_source *source)
{
	uint32_t count;

	while (read(source->fd, &count, sizeof(count)) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

void irq_edu_acknowledge(struct irq_source *source)
{
	source->registers[EDU_ACKNOWLEDGE] = source->registers[EDU_STATUS];
	set_intx(source, true);
}

void irq_source_close(struct irq_source *source)
{
	if (source->registers != NULL)
		(void)munmap((void *)(uintptr_t)source->registers, EDU_BAR_BYTES);
	if (source->config_fd >= 0)
		(void)close(source->config_fd);
	if (source->fd >= 0)
		(void)close(source->fd);
	source->registers = NULL;
	source->fd = source->config_fd = -1;
}
