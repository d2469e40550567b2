/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory. In a task, rt_malloc() does not leave primary mode. */
#ifndef TACTUS_RTAI_LINUX_SLAB_H
#define TACTUS_RTAI_LINUX_SLAB_H

#include <linux/types.h>

#define GFP_KERNEL 0u
#define GFP_ATOMIC 1u
#define GFP_DMA    2u
#define GFP_USER   0u
#define GFP_NOWAIT 1u

void *rtai_linux_alloc(unsigned long bytes);
void *rtai_linux_alloc_zeros(unsigned long bytes);
void *rtai_linux_realloc(const void *memory, unsigned long bytes);
void rtai_linux_free(const void *memory);

static inline void *kmalloc(size_t bytes, gfp_t flags)
{
	(void)flags;
	return rtai_linux_alloc(bytes);
}

static inline void *kzalloc(size_t bytes, gfp_t flags)
{
	(void)flags;
	return rtai_linux_alloc_zeros(bytes);
}

static inline void *kcalloc(size_t count, size_t bytes, gfp_t flags)
{
	size_t all;

	(void)flags;
	return __builtin_mul_overflow(count, bytes, &all) ? NULL : rtai_linux_alloc_zeros(all);
}

static inline void *krealloc(const void *memory, size_t bytes, gfp_t flags)
{
	(void)flags;
	return rtai_linux_realloc(memory, bytes);
}

static inline void kfree(const void *memory)
{
	rtai_linux_free(memory);
}

static inline void *vmalloc(unsigned long bytes)
{
	return rtai_linux_alloc(bytes);
}

static inline void *vzalloc(unsigned long bytes)
{
	return rtai_linux_alloc_zeros(bytes);
}

static inline void vfree(const void *memory)
{
	rtai_linux_free(memory);
}

#endif
