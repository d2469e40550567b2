/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Public structures that carry their size: see sized.h.
 */
#include "kernel/sized.h"

#include <tactus/error.h>

#include "base/string.h"

static uint32_t size_of(const void *given, uint32_t first)
{
	uint32_t size;

	base_copy(&size, given, sizeof(size));
	return size ? size : first;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

int nuc_sized_check(const void *given, uint32_t first)
{
	uint32_t size;

	if (!given)
		return 0;
	size = size_of(given, first);
	return size < first || size > NUC_SIZED_MAX || size & 3 ? -TACT_EINVAL : 0;
}

int nuc_sized_read(void *to, uint32_t known, uint32_t first, const void *given)
{
	const unsigned char *bytes = given;
	int error = nuc_sized_check(given, first);
	uint32_t size;

	if (error)
		return error;
	size = size_of(given, first);
	for (uint32_t i = known; i < size; i++)
		if (bytes[i])
			return -TACT_EINVAL;
	base_fill(to, 0, known);
	base_copy(to, given, smaller(size, known));
	return 0;
}

void nuc_sized_write(void *given, uint32_t first, const void *from, uint32_t known)
{
	unsigned char *bytes = given;
	const uint32_t size = size_of(given, first);
	const uint32_t filled = smaller(size, known);

	/* Nothing behind what is known here is written, whatever the size says. */
	base_copy(bytes + sizeof(filled), (const unsigned char *)from + sizeof(filled),
		  filled - sizeof(filled));
	base_copy(bytes, &filled, sizeof(filled));
}
