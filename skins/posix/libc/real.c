/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Finds the C library's functions behind ours, and the text of libtactus. */
#define _GNU_SOURCE
#include "posix/libc/real.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/tact.h>

struct posix_real posix_real;

#define ENTRY_NO(text, name)
#define ENTRY_OPTIONAL(text, name) {text, offsetof(struct posix_real, name), true},
#define ENTRY_NEEDED(text, name)   {text, offsetof(struct posix_real, name), false},

static struct {
	const char *name;
	size_t offset;
	bool is_optional; /* callers check */
} const functions[] = {
/* The C library's name, as text: a skin on top of this one has other names for these functions. */
#define POSIX_CALL(name, ours, real, whose, handler) ENTRY_##real(#name, name)
#include "posix/libc/calls.def"
#undef POSIX_CALL
};

#define PARTS 4 /* libc.so, and in older versions libpthread.so, librt.so and libdl.so */

static struct {
	uintptr_t begin, end;
} c_library[PARTS];
static unsigned parts;

static bool is_c_library(const char *path)
{
	const char *name = strrchr(path, '/');

	name = name ? name + 1 : path;
	return !strncmp(name, "libc.so", 7) || !strncmp(name, "libpthread.so", 13) ||
	       !strncmp(name, "librt.so", 8) || !strncmp(name, "libdl.so", 8);
}

static int note_c_library(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	if (!is_c_library(info->dlpi_name))
		return 0;
	for (int i = 0; i < info->dlpi_phnum && parts < PARTS; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X))
			continue;
		c_library[parts].begin = info->dlpi_addr + header->p_vaddr;
		c_library[parts].end = c_library[parts].begin + header->p_memsz;
		parts++;
	}
	return 0;
}

static bool is_in_c_library(const void *function)
{
	for (unsigned i = 0; i < parts; i++)
		if ((uintptr_t)function >= c_library[i].begin &&
		    (uintptr_t)function < c_library[i].end)
			return true;
	return false;
}

/*
 * Conditions, timers, affinities and posix_spawn() have had two interfaces, and dlsym() may find
 * the older one. So the versions in which a new one began are tried first. A function of another
 * library that also replaces the C library's has no versions, and is used first: a sanitizer must
 * see the threads that it serves.
 */
static void *find(const char *name)
{
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.15", "GLIBC_2.3.4",
					       "GLIBC_2.3.3", "GLIBC_2.3.2"};
	void *next = dlsym(RTLD_NEXT, name);
	void *found = NULL;

	if (next && !is_in_c_library(next))
		return next;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && !found; i++)
		found = dlvsym(RTLD_NEXT, name, versions[i]);
	return found ? found : next;
}

struct posix_text posix_tactus;

static int find_tactus(struct dl_phdr_info *info, size_t size, void *inside)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + header->p_vaddr;

		if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) ||
		    (uintptr_t)inside < begin || (uintptr_t)inside >= begin + header->p_memsz)
			continue;
		posix_tactus = (struct posix_text){begin, begin + header->p_memsz};
		return 1;
	}
	return 0;
}

static void **place(size_t offset)
{
	return (void **)(void *)((char *)&posix_real + offset);
}

/* This library, from the first byte to the last. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

#define WORD(name)    #name
#define NAME_OF(name) WORD(name)

/* Looked up by its name here: a skin on top of this one has other names. */
static bool others_come_first(void)
{
	const char *first = dlsym(RTLD_DEFAULT, NAME_OF(pthread_create));

	return first && (first < __ehdr_start || first >= _end);
}

static bool stood_before;

bool posix_is_stood_before(void)
{
	return stood_before;
}

/*
 * The dynamic linker calls this before all other constructors. A sanitizer inside the program is
 * not ready then to serve the functions that it replaces, not even malloc(). So the first pass
 * calls only dlsym(), which finds without allocating; dlvsym() may allocate.
 */
__attribute__((constructor)) static void resolve(void)
{
	const size_t count = sizeof(functions) / sizeof(functions[0]);

	for (int optional = 0; optional < 2; optional++)
		for (size_t i = 0; i < count; i++)
			if (functions[i].is_optional == (bool)optional)
				*place(functions[i].offset) = dlsym(RTLD_NEXT, functions[i].name);
	stood_before = others_come_first();
	if (stood_before)
		return;
	dl_iterate_phdr(note_c_library, NULL);
	for (size_t i = 0; i < count; i++) {
		void *found = find(functions[i].name);

		if (!found && !functions[i].is_optional) {
			fprintf(stderr, "tactus: the C library has no %s: this needs glibc\n",
				functions[i].name);
			abort();
		}
		*place(functions[i].offset) = found;
	}
	dl_iterate_phdr(find_tactus, (void *)(uintptr_t)tact_start);
}
