/* SPDX-License-Identifier: GPL-2.0-only */
/* What readback.c and readback_amd.c share. */
#ifndef KMOD_READBACK_H
#define KMOD_READBACK_H

#include <linux/types.h>

enum readback {
	READBACK_NOTHING, /* the table does not remap the device's interrupts */
	READBACK_WRONG,
	READBACK_RIGHT,
};

/* requester: the id of the device on its bus; index: the one in its message. */
enum readback tactus_readback_amd(u32 requester, u32 index, u32 vector, u32 target);

#endif
