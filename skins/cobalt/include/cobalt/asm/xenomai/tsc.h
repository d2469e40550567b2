/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The counter that Xenomai's tests read. In Tactus it counts nanoseconds
 * (copperplate/clockobj.h). */
#ifndef COBALT_ASM_TSC_H
#define COBALT_ASM_TSC_H

#include <cobalt/sys/cobalt.h>
#include <copperplate/clockobj.h>

static inline unsigned long long cobalt_read_tsc(void)
{
	return cobalt_read_ns();
}

#endif
