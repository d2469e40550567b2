/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What light tasks have in place of thread-local storage: the few words that compiled code reads
 * through the base (self pointer, stack protector's canary, pointer guard). They are read-only, in
 * one page for all light tasks. Below that page, where the variables would be, nothing is mapped.
 * So any use faults and is reported; otherwise two tasks would share one errno or one malloc cache.
 */
#define _GNU_SOURCE

#include "light.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "arch/self.h"
#include "base/error.h"
#include "hal/hal.h"
#include "tls.h"

#define PAGE        4096u
#define LATER_BYTES 65536u /* libraries loaded later may still get so much of the static block */

static char *region;
static size_t below_bytes;

int linux_light_start(void)
{
	if (region)
		return 0;
	below_bytes = LATER_BYTES + linux_tls_bytes();
	region = mmap(NULL, below_bytes + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (region == MAP_FAILED) {
		region = NULL;
		return -TACT_ENOMEM;
	}
	if (mprotect(region + below_bytes, PAGE, PROT_READ | PROT_WRITE))
		return -TACT_ENOMEM;
	hal_arch_light_tls(region + below_bytes);
	mprotect(region + below_bytes, PAGE, PROT_READ);
	return 0;
}

uint64_t linux_light_base(void)
{
	return (uint64_t)(region + below_bytes);
}

bool linux_light_tls(uintptr_t address)
{
	return region && address - (uintptr_t)region < below_bytes + PAGE;
}
