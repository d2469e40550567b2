/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests to the module. A refusal is reported by the module's own sentence if it has one. */
#define _GNU_SOURCE

#include "bare.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/core.h"
#include "base/error.h"
#include "call.h"
#include "device.h"
#include "high_fd.h"
#include "light.h"
#include "reason.h"

int device_request(unsigned number, void *argument)
{
	return (int)call3(SYS_ioctl, bare_program.device, number, (long)argument);
}

static void *map(uint64_t offset, int rights)
{
	void *page =
		mmap(NULL, TACT_BARE_PAGE, rights, MAP_SHARED, bare_program.device, (off_t)offset);

	return page == MAP_FAILED ? NULL : page;
}

static int not_opened(int error, char reason[HAL_REASON_BYTES])
{
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return linux_refuse(reason, -TACT_ENOSYS,
				    "there is no " TACT_BARE_DEVICE ": load the module (modprobe "
				    "tactus), see kmod/README.md");
	case EACCES:
	case EPERM:
		return linux_refuse(reason, -TACT_EPERM,
				    "this user may not open " TACT_BARE_DEVICE
				    ": be root, or in the group that the device belongs to");
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return linux_refuse(reason, -TACT_ENOMEM,
				    "no file or memory is left for " TACT_BARE_DEVICE
				    ": see ulimit -n");
	}
	return linux_refuse(reason, -TACT_ENOSYS, "cannot open " TACT_BARE_DEVICE ": %s",
			    strerror(error));
}

int device_open(char reason[HAL_REASON_BYTES])
{
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION};
	int error;

	bare_program.device = linux_high_fd(open(TACT_BARE_DEVICE, O_RDWR | O_CLOEXEC));
	if (bare_program.device < 0)
		return not_opened(errno, reason);
	error = device_request(TACT_BARE_HELLO, &hello);
	if (!error) {
		bare_program.clock = map(TACT_BARE_MAP_CLOCK, PROT_READ);
		if (!bare_program.clock) {
			device_close();
			return linux_refuse(reason, -TACT_ENOMEM,
					    "no memory for the page of the clock: see ulimit -v");
		}
		if (!bare_time_start(bare_program.clock))
			return 0;
		device_close();
		return linux_refuse(
			reason, -TACT_ENOSYS,
			"Linux found that the time-stamp counter goes wrong: see dmesg | "
			"grep -i tsc; boot with tsc=reliable if it is right");
	}
	device_close();
	if (error == -ENOEXEC)
		return linux_refuse(reason, -TACT_ENOSYS,
				    "the loaded module has revision %u, this library %u: install "
				    "both from one release",
				    hello.revision, TACT_BARE_REVISION);
	return linux_refuse(reason, -TACT_ENOSYS, "the module refuses: %s",
			    hello.reason[0] ? hello.reason : strerror(-error));
}

void device_close(void)
{
	if (bare_program.clock)
		bare_time_stop(bare_program.clock);
	bare_program.clock = NULL;
	if (bare_program.device >= 0)
		close(bare_program.device);
	bare_program.device = -1;
}

static int taken_error(int error)
{
	switch (error) {
	case -ENODEV:
		return -TACT_ENXIO;
	case -EBUSY:
		return -TACT_EBUSY;
	case -EPERM:
		return -TACT_EPERM;
	case -ENOMEM:
		return -TACT_ENOMEM;
	}
	return -TACT_ENOSYS;
}

int device_take(struct bare_core *core, char reason[HAL_REASON_BYTES])
{
	const uint32_t linux_cpu = core->port.cpu->linux_cpu;
	struct tact_bare_take take = {
		.cpu = linux_cpu,
		.flags = CPU_ISSET(linux_cpu, &bare_program.with_siblings) ? TACT_BARE_TAKE_SIBLINGS
									   : 0,
	};
	int error = device_request(TACT_BARE_TAKE, &take);

	if (error)
		return linux_refuse(reason, taken_error(error), "CPU %u cannot be taken: %s",
				    take.cpu, take.reason[0] ? take.reason : strerror(-error));
	core->index = take.core;
	core->user = map(TACT_BARE_MAP_USER(take.core), PROT_READ | PROT_WRITE);
	core->info = map(TACT_BARE_MAP_INFO(take.core), PROT_READ);
	if (!core->user || !core->info)
		return linux_refuse(reason, -TACT_ENOMEM,
				    "no memory for the pages of a core: see ulimit -v");
	return 0;
}

int device_start(struct bare_core *core)
{
	struct tact_bare_start start = {
		.core = core->index,
		.ip = (uint64_t)hal_arch_core_start,
		/* As after a call: the entry needs a multiple of 16. */
		.sp = (uint64_t)core->stack.base + core->stack.bytes,
		.argument = (uint64_t)core->port.cpu,
		.fs_base = linux_light_base(),
		.gs_base = (uint64_t)&core->port.cpu->self,
		.entry = {(uint64_t)hal_arch_core_event, (uint64_t)hal_arch_core_fault,
			  (uint64_t)hal_arch_core_call},
	};

	for (unsigned kind = 0; kind < TACT_BARE_UP_EVENTS; kind++)
		start.stack[kind] =
			(uint64_t)core->upcall_stacks + (kind + 1) * BARE_UPCALL_STACK_BYTES;
	return device_request(TACT_BARE_START, &start);
}

int device_run(struct bare_core *core, struct tact_bare_run *run)
{
	memset(run, 0, sizeof(*run));
	run->core = core->index;
	return device_request(TACT_BARE_RUN, run);
}

int device_add(const void *memory, size_t bytes, uint64_t *pages)
{
	uint64_t begin = (uint64_t)memory & ~(uint64_t)(TACT_BARE_PAGE - 1);
	uint64_t end =
		((uint64_t)memory + bytes + TACT_BARE_PAGE - 1) & ~(uint64_t)(TACT_BARE_PAGE - 1);
	struct tact_bare_memory add = {.address = begin, .bytes = end - begin};
	int error = device_request(TACT_BARE_MEMORY_ADD, &add);

	if (pages)
		*pages = add.pages;
	return error;
}

int device_add_all(char reason[HAL_REASON_BYTES])
{
	struct tact_bare_memory add = {.flags = TACT_BARE_MEMORY_ALL};
	int error = device_request(TACT_BARE_MEMORY_ADD, &add);

	if (!error)
		return 0;
	return linux_refuse(reason, -TACT_ENOMEM, "the program's memory cannot be pinned: %s",
			    add.reason[0] ? add.reason : strerror(-error));
}

void device_kick(uint32_t core)
{
	struct tact_bare_kick kick = {.cores = 1ull << core};

	(void)device_request(TACT_BARE_KICK, &kick);
}
