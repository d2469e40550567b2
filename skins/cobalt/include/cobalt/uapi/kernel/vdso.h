/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The page in which Xenomai's kernel shows its clocks to programs. In Tactus it contains nothing,
 * and its member features says so. */
#ifndef COBALT_UAPI_KERNEL_VDSO_H
#define COBALT_UAPI_KERNEL_VDSO_H

#include <stdint.h>

#define XNVDSO_FEAT_HOST_REALTIME    0x1ull
#define XNVDSO_FEAT_WALLCLOCK_OFFSET 0x2ull

typedef struct {
	uint32_t sequence;
} urw_t;

struct xnvdso_hostrt_data {
	uint64_t wall_sec;
	uint64_t wtom_sec;
	uint64_t cycle_last;
	uint64_t mask;
	uint32_t wall_nsec;
	uint32_t wtom_nsec;
	uint32_t mult;
	uint32_t shift;
	uint32_t live;
	urw_t lock;
};

struct xnvdso {
	uint64_t features; /* XNVDSO_FEAT_...: which members are valid */
	struct xnvdso_hostrt_data hostrt_data;
	uint64_t wallclock_offset;
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct xnvdso *cobalt_vdso;
extern void *cobalt_umm_shared; /* the memory that contains the page */

#ifdef __cplusplus
}
#endif

static inline int xnvdso_test_feature(struct xnvdso *vdso, uint64_t feature)
{
	return (vdso->features & feature) != 0;
}

#endif
