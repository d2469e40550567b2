// SPDX-License-Identifier: GPL-2.0-only
// The functions for 64-bit registers end in q, not in l (6.16).
// about: (rd|wr)msrq_safe_on_cpu
#include <asm/msr.h>

int probe(u64 *value);
int probe(u64 *value)
{
	return rdmsrq_safe_on_cpu(0, MSR_IA32_MCG_STATUS, value)
		       ?: wrmsrq_safe_on_cpu(0, MSR_IA32_MCG_STATUS, *value);
}
