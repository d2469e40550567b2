/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stores that an emulator's plugin (instruments/turns) recognizes by their encoding. On other
 * machines they are stores to the stack: an ES prefix means nothing in 64-bit mode, and compilers
 * emit none (Intel SDM volume 1, 3.3.7.1).
 */
#ifndef COMMON_TURNS_MARK_H
#define COMMON_TURNS_MARK_H

#include <stdint.h>

#define TURNS_KIND  0xffff000000000000u
#define TURNS_BEGIN 0x7462000000000000u /* "tb" */
#define TURNS_END   0x7465000000000000u /* "te" */
#define TURNS_MARK  0x7475000000000000u /* "tu" */
#define TURNS_CPU   40 /* the first bit of a mark's CPU; below it: time since the event was due */
#define TURNS_SINCE 0xffffffffffu

static inline void turns_store(uint64_t value)
{
#ifdef __x86_64__
	uint64_t slot;

	__asm__ volatile(".byte 0x26\n\tmovq %1, (%2)" : "=m"(slot) : "a"(value), "d"(&slot));
#else
	(void)value;
#endif
}

/* Turns are followed from here on, which costs time: marks will come, for times that have not begun
 * yet. */
static inline void turns_begin(void)
{
	turns_store(TURNS_BEGIN);
}

/* No more marks until turns are followed again. */
static inline void turns_end(void)
{
	turns_store(TURNS_END);
}

/* since_ns before the last reading of the clock, an event was due on this CPU, by Linux's
 * number. */
static inline void turns_mark(unsigned int cpu, int64_t since_ns)
{
	const uint64_t since = since_ns < 0 ? 0 : (uint64_t)since_ns;

	turns_store(TURNS_MARK | (uint64_t)(cpu & 0xff) << TURNS_CPU | (since & TURNS_SINCE));
}

#endif
