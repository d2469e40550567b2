/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much thread-local data the program has. The C library takes it out of each thread's stack,
 * and refuses a stack that has no room for it.
 */
#define _GNU_SOURCE

#include "tls.h"

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define PAGE 4096u

static int add_module(struct dl_phdr_info *info, size_t size, void *sum)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			*(size_t *)sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
	return 0;
}

/* Computed once: libraries that are loaded later get no part of a thread's stack. */
size_t linux_tls_bytes(void)
{
	static _Atomic size_t known;
	size_t bytes = atomic_load_explicit(&known, memory_order_relaxed);

	if (!bytes) {
		dl_iterate_phdr(add_module, &bytes);
		bytes = (bytes + PAGE - 1) & ~(size_t)(PAGE - 1);
		atomic_store_explicit(&known, bytes, memory_order_relaxed);
	}
	return bytes;
}

void linux_set_stack(pthread_attr_t *attributes, size_t bytes)
{
	pthread_attr_setstacksize(attributes, bytes + linux_tls_bytes());
}
