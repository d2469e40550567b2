/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Public structures that carry their size: see "Sizes" in <tactus/object.h>. A structure begins
 * with a uint32_t, its size as its user knows it; 0: that of version 1. Context of everything here:
 * any.
 */
#ifndef NUC_SIZED_H
#define NUC_SIZED_H

#include <stdint.h>

/* No version of a structure is larger: a size above it was never a size. */
#define NUC_SIZED_MAX 4096u

/*
 * Read a structure. first: its size in version 1. known: its size here; to receives as many bytes,
 * with 0 for what the user does not know. Returns 0, or -TACT_EINVAL: a size that no version has,
 * or a member that is not known here is not 0.
 */
int nuc_sized_read(void *to, uint32_t known, uint32_t first, const void *given);

/* May a structure of this size be written? Returns 0 or -TACT_EINVAL. given: NULL is 0, too. */
int nuc_sized_check(const void *given, uint32_t first);

/* Write a structure, whose size was checked, for its user: members that are not known here stay as
 * they are, and the size becomes the number of bytes that are known to both. */
void nuc_sized_write(void *given, uint32_t first, const void *from, uint32_t known);

#endif
