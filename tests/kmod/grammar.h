/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls on the device, and the values for each field of their structures (fuzz.c). */
#ifndef TESTS_KMOD_GRAMMAR_H
#define TESTS_KMOD_GRAMMAR_H

#include <stdint.h>

#define FUZZ_RULES 15u

enum fuzz_kind {
	ZERO,
	INDEX,
	CPU,
	FLAGS,
	ADDRESS,
	BYTES,
	CODE,
	STACK,
	SET,
	PLACE,
	REVISION,
	COUNT
};

struct fuzz_field {
	uint16_t offset;
	uint16_t bytes;
	enum fuzz_kind kind;
};

struct fuzz_rule {
	unsigned request;
	struct fuzz_field fields[14]; /* ends with one of 0 bytes */
};

extern const struct fuzz_rule fuzz_rules[FUZZ_RULES];

#endif
