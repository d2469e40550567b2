/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The name of UNWIND_HINT_EMPTY (6.4).
 * about: unwind_hint_end_of_stack
 */
#include <linux/linkage.h>
#include <asm/unwind_hints.h>

	UNWIND_HINT_END_OF_STACK
