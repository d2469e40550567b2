/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A store that an emulator's plugin (instruments/turns) knows by its encoding: since_ns before the
 * last reading of the clock, something was due on this CPU. Everywhere else it is a store to the
 * stack: an ES prefix means nothing in 64-bit mode, and compilers make none (Intel SDM volume 1,
 * 3.3.7.1).
 */
#ifndef COMMON_TURNS_MARK_H
#define COMMON_TURNS_MARK_H

#include <stdint.h>

#define TURNS_MARK       0x7475726e00000000u /* "turn" */
#define TURNS_MARK_SINCE 0xffffffffu

static inline void turns_mark(int64_t since_ns)
{
#ifdef __x86_64__
	uint64_t slot;
	const uint64_t since = since_ns < 0                           ? 0
			       : since_ns > (int64_t)TURNS_MARK_SINCE ? TURNS_MARK_SINCE
								      : (uint64_t)since_ns;

	__asm__ volatile(".byte 0x26\n\tmovq %1, (%2)"
			 : "=m"(slot)
			 : "a"(TURNS_MARK | since), "d"(&slot));
#else
	(void)since_ns;
#endif
}

#endif
