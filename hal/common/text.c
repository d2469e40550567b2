/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts for people, on every back end above Linux: output, backtraces, names of addresses. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/linux.h"

void hal_print(const char *text, size_t bytes)
{
	int saved = errno;

	/* One call for a whole line, so that writers do not mix. The rest of a short write
	 * follows. */
	while (bytes) {
		ssize_t wrote = write(STDERR_FILENO, text, bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			break;
		text += wrote;
		bytes -= (size_t)wrote;
	}
	errno = saved;
}

/* Walk along the frame pointers: each frame is above the last and inside the stack, or the walk
 * ends. */
__attribute__((no_sanitize("address"))) size_t hal_backtrace(uintptr_t instruction, uintptr_t frame,
							     uintptr_t stack_low,
							     uintptr_t stack_high,
							     uintptr_t *addresses, size_t capacity)
{
	size_t count = 0;

	if (instruction && count < capacity)
		addresses[count++] = instruction;
	while (count < capacity) {
		const uintptr_t *record = (const uintptr_t *)frame;

		if (frame < stack_low || frame % sizeof(uintptr_t) || stack_high < 16 ||
		    frame > stack_high - 2 * sizeof(uintptr_t) || !record[1])
			break;
		addresses[count++] = record[1];
		if (record[0] <= frame)
			break;
		frame = record[0];
	}
	return count;
}

/* Events come only at scheduling points, and those are calls. */
bool hal_interrupted(uintptr_t frame, uintptr_t stack_low, uintptr_t stack_high,
		     struct hal_fault *fault)
{
	(void)frame;
	(void)stack_low;
	(void)stack_high;
	(void)fault;
	return false;
}

size_t hal_symbol(uintptr_t address, char *text, size_t capacity)
{
	const char *file;
	Dl_info info;
	int length;

	if (!capacity)
		return 0;
	if (!dladdr((const void *)address, &info) || !info.dli_fname) {
		text[0] = '\0';
		return 0;
	}
	file = strrchr(info.dli_fname, '/');
	file = file ? file + 1 : info.dli_fname;
	if (info.dli_sname)
		length = snprintf(text, capacity, "%s(%s+0x%lx)", file, info.dli_sname,
				  (unsigned long)(address - (uintptr_t)info.dli_saddr));
	else
		/* A static function: addr2line needs the offset in the file. */
		length = snprintf(text, capacity, "%s(+0x%lx)", file,
				  (unsigned long)(address - (uintptr_t)info.dli_fbase));
	if (length < 0)
		return 0;
	return (size_t)length < capacity ? (size_t)length : capacity - 1;
}
