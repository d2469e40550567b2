/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The refusals of the module, and their reasons: refuse CPU. Linux has only CPU 0 and that one. If
 * Linux keeps CPU 0, that has no file online. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"

static void refused(int result, int error, const char *what, const char *reason)
{
	int got = errno;

	check(result == -1 && got == error, "refuse: %s: %s, wanted %s %s%s", what,
	      result == -1 ? strerror(got) : "done", strerror(error), reason[0] ? "- " : "",
	      reason);
}

static void take(int file, uint32_t cpu, int error, const char *what)
{
	struct tact_bare_take take = {.cpu = cpu};
	int result = ioctl(file, TACT_BARE_TAKE, &take);

	refused(result, error, what, take.reason);
	check(take.reason[0] != 0, "refuse: %s: with a reason", what);
}

static void before_hello(void)
{
	int file = open(TACT_BARE_DEVICE, O_RDWR);
	struct tact_bare_take cpu = {.cpu = 1};
	struct tact_bare_hello hello = {.revision = TACT_BARE_REVISION + 1};
	uint64_t cores;

	refused(ioctl(file, TACT_BARE_TAKE, &cpu), EPROTO, "TAKE before HELLO", "");
	refused(mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED ? -1 : 0, EPROTO,
		"mmap before HELLO", "");
	refused(ioctl(file, TACT_BARE_HELLO, &hello), ENOEXEC, "another revision", hello.reason);
	check(hello.revision == TACT_BARE_REVISION, "refuse: the module's revision is told");
	refused(ioctl(file, 0x1234, NULL), ENOTTY, "an unknown request", "");
	refused(ioctl(file, TACT_BARE_HELLO, NULL), EFAULT, "no structure", "");
	fcntl(file, F_SETFL, O_NONBLOCK);
	refused((int)read(file, &cores, 8), EAGAIN, "read without a ring", "");
	refused((int)read(file, &cores, 4), EINVAL, "a short read", "");
	close(file);
}

static void with_core(struct ring3 *self)
{
	struct tact_bare_start start = {.core = self->core, .ip = 0x1000};
	struct tact_bare_run run = {.core = self->core};
	struct tact_bare_core core = {.core = 7};
	struct tact_bare_kick kick = {.cores = 2};
	int status = 0;

	refused(ioctl(self->file, TACT_BARE_RUN, &run), ENODATA, "RUN without START", "");
	start.ip = 0xffffffff80000000;
	refused(ioctl(self->file, TACT_BARE_START, &start), EINVAL, "START in the kernel", "");
	start.ip = 0x1000;
	start.gs_base = 0x8000000000000000;
	refused(ioctl(self->file, TACT_BARE_START, &start), EINVAL, "a GS base of no address", "");
	start.gs_base = 0;
	start.entry[1] = 0xffff800000000000;
	refused(ioctl(self->file, TACT_BARE_START, &start), EINVAL, "an upcall into the kernel",
		"");
	start.entry[1] = 0;
	start.reserved = 1;
	refused(ioctl(self->file, TACT_BARE_START, &start), EINVAL, "a reserved field", "");
	refused(ioctl(self->file, TACT_BARE_GIVE, &core), ENXIO, "GIVE of no core", "");
	refused(ioctl(self->file, TACT_BARE_KICK, &kick), ENXIO, "KICK of no core", "");
	refused(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, self->file,
		     TACT_BARE_MAP_INFO(self->core)) == MAP_FAILED
			? -1
			: 0,
		EACCES, "a writable information page", "");
	refused(mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->file, TACT_BARE_MAP_USER(9)) ==
				MAP_FAILED
			? -1
			: 0,
		ENXIO, "a page of no core", "");
	if (fork() == 0) {
		core.core = self->core;
		_exit(ioctl(self->file, TACT_BARE_GIVE, &core) == -1 && errno == EPERM ? 0 : 1);
	}
	wait(&status);
	check(status == 0, "refuse: GIVE by a child (status %x)", status);
}

int case_refuse(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	char path[64];
	struct ring3 *self;
	int file, other, online;
	bool kept = access("/sys/devices/system/cpu/cpu0/online", F_OK);

	before_hello();
	file = ring3_open();
	other = ring3_open();
	if (kept)
		take(file, 0, EPERM, "CPU 0, which Linux keeps");
	take(file, 999, ENODEV, "no such CPU");
	take(file, UINT32_MAX, ENODEV, "a number that no CPU can have");
	take(file, 0x80000000, ENODEV, "another");
	self = ring3_take(file, cpu);
	if (!kept)
		take(other, 0, EBUSY, "the last that Linux has");
	take(file, cpu, EBUSY, "a CPU of this program");
	take(other, cpu, EBUSY, "a CPU of another program");
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online", cpu);
	online = open(path, O_WRONLY);
	refused((int)write(online, "1", 1), EBUSY, "Linux starts a held CPU", "");
	close(online);
	with_core(self);
	ring3_give(self);
	check(cpu_is_online(cpu), "refuse: the CPU is back");
	close(file);
	close(other);
	return checks_failed();
}
