/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What tools and people see: the status segment, backtraces, names of addresses. The table of
 * loaded files is made at the start, because the dynamic linker's own table needs a lock.
 */
#define _GNU_SOURCE

#include "introspect.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/self.h"
#include "back_end.h"
#include "base/string.h"
#include "high_fd.h"

#define MODULES     128u
#define MODULE_NAME 64u

struct module {
	uintptr_t begin, end, base;
	char name[MODULE_NAME];
};

static struct module modules[MODULES];
static unsigned module_count;
static int status_fd = -1;

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct module *module = &modules[module_count];

	(void)size;
	(void)unused;
	if (module_count == MODULES)
		return 1;
	*module = (struct module){.begin = UINTPTR_MAX, .base = info->dlpi_addr};
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type != PT_LOAD)
			continue;
		if (begin < module->begin)
			module->begin = begin;
		if (begin + segment->p_memsz > module->end)
			module->end = begin + segment->p_memsz;
	}
	snprintf(module->name, MODULE_NAME, "%s",
		 info->dlpi_name[0] ? file_name(info->dlpi_name) : program_invocation_short_name);
	module_count++;
	return 0;
}

void linux_introspect_start(void)
{
	module_count = 0;
	dl_iterate_phdr(add_module, NULL);
}

/* Also in a light task that faulted, where the C library's own formatting has no TLS to use. */
size_t hal_symbol(uintptr_t address, char *text, size_t capacity)
{
	const struct hal_self *self = hal_arch_self();
	Dl_info info;
	size_t length;

	if (!capacity)
		return 0;
	if ((!self || self->kind != HAL_SELF_CPU) && dladdr((void *)address, &info) &&
	    info.dli_sname) {
		length = base_print(text, capacity, "%s(%s+0x%lx)", file_name(info.dli_fname),
				    info.dli_sname,
				    (unsigned long)(address - (uintptr_t)info.dli_saddr));
		goto done;
	}
	for (unsigned i = 0; i < module_count; i++) {
		if (address < modules[i].begin || address >= modules[i].end)
			continue;
		length = base_print(text, capacity, "%s+0x%lx", modules[i].name,
				    (unsigned long)(address - modules[i].base));
		goto done;
	}
	length = base_print(text, capacity, "0x%lx", (unsigned long)address);
done:
	return length < capacity ? length : capacity - 1;
}

/* Frame pointers, as far as they stay inside the stack and go outward. */
size_t hal_backtrace(uintptr_t instruction, uintptr_t frame, uintptr_t stack_low,
		     uintptr_t stack_high, uintptr_t *addresses, size_t capacity)
{
	size_t count = 0;

	if (capacity && instruction)
		addresses[count++] = instruction;
	while (count < capacity && frame >= stack_low && frame % sizeof(uintptr_t) == 0 &&
	       stack_high >= 2 * sizeof(uintptr_t) && frame <= stack_high - 2 * sizeof(uintptr_t)) {
		const uintptr_t *words = (const uintptr_t *)frame;

		if (!words[1])
			break;
		addresses[count++] = words[1];
		if (words[0] <= frame)
			break;
		frame = words[0];
	}
	return count;
}

/* Tools find the segment by its name among /proc/PID/fd. */
void *hal_status_map(size_t bytes)
{
	void *memory;

	if (status_fd < 0)
		status_fd = linux_high_fd(memfd_create("tactus-status", MFD_CLOEXEC));
	if (status_fd < 0 || ftruncate(status_fd, (off_t)bytes))
		return NULL;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, status_fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, bytes, MADV_DONTFORK);
	backend_memory_lock(memory, bytes);
	return memory;
}

void hal_status_unmap(void *memory, size_t bytes)
{
	munmap(memory, bytes);
}

void linux_status_close(void)
{
	if (status_fd >= 0)
		close(status_fd);
	status_fd = -1;
}
