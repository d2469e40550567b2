/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grammar of the fuzzer: every call of abi/bare.h; fields without a name are 0. */
#include "grammar.h"

#include <stddef.h>

#include "abi/bare.h"

#define FIELD(type, name, kind)                                                     \
	{                                                                           \
		offsetof(struct type, name), sizeof(((struct type *)0)->name), kind \
	}

const struct fuzz_rule fuzz_rules[FUZZ_RULES] = {
	{TACT_BARE_HELLO,
	 {FIELD(tact_bare_hello, revision, REVISION), FIELD(tact_bare_hello, reserved, ZERO)}},
	{TACT_BARE_TAKE,
	 {FIELD(tact_bare_take, cpu, CPU), FIELD(tact_bare_take, flags, FLAGS),
	  FIELD(tact_bare_take, reserved, ZERO)}},
	{TACT_BARE_GIVE,
	 {FIELD(tact_bare_core, core, INDEX), FIELD(tact_bare_core, reserved, ZERO)}},
	{TACT_BARE_START,
	 {FIELD(tact_bare_start, core, INDEX), FIELD(tact_bare_start, ip, CODE),
	  FIELD(tact_bare_start, sp, STACK), FIELD(tact_bare_start, argument, ADDRESS),
	  FIELD(tact_bare_start, fs_base, ADDRESS), FIELD(tact_bare_start, gs_base, ADDRESS),
	  FIELD(tact_bare_start, entry[0], CODE), FIELD(tact_bare_start, entry[1], CODE),
	  FIELD(tact_bare_start, entry[2], CODE), FIELD(tact_bare_start, stack[0], STACK),
	  FIELD(tact_bare_start, stack[1], STACK), FIELD(tact_bare_start, stack[2], STACK)}},
	{TACT_BARE_RUN, {FIELD(tact_bare_run, core, INDEX)}},
	{TACT_BARE_STOP, {FIELD(tact_bare_core, core, INDEX)}},
	{TACT_BARE_MEMORY_ADD,
	 {FIELD(tact_bare_memory, address, ADDRESS), FIELD(tact_bare_memory, bytes, BYTES)}},
	{TACT_BARE_MEMORY_ADD, {FIELD(tact_bare_memory, flags, FLAGS)}},
	{TACT_BARE_MEMORY_REMOVE,
	 {FIELD(tact_bare_memory, address, ADDRESS), FIELD(tact_bare_memory, bytes, BYTES)}},
	{TACT_BARE_KICK, {FIELD(tact_bare_kick, cores, SET)}},
	{TACT_BARE_ATTACH,
	 {FIELD(tact_bare_attach, lines, COUNT), FIELD(tact_bare_attach, flags, ZERO)}},
	{TACT_BARE_DETACH, {FIELD(tact_bare_device, device, INDEX)}},
	{TACT_BARE_IRQ_LINE,
	 {FIELD(tact_bare_irq_line, device, INDEX), FIELD(tact_bare_irq_line, line, INDEX),
	  FIELD(tact_bare_irq_line, core, INDEX), FIELD(tact_bare_irq_line, event, COUNT),
	  FIELD(tact_bare_irq_line, flags, FLAGS)}},
	{TACT_BARE_DMA_ADD,
	 {FIELD(tact_bare_dma, device, INDEX), FIELD(tact_bare_dma, flags, FLAGS),
	  FIELD(tact_bare_dma, address, ADDRESS), FIELD(tact_bare_dma, bytes, BYTES),
	  FIELD(tact_bare_dma, device_address, PLACE)}},
	{TACT_BARE_DMA_REMOVE,
	 {FIELD(tact_bare_dma, device, INDEX), FIELD(tact_bare_dma, bytes, BYTES),
	  FIELD(tact_bare_dma, device_address, PLACE)}},
};
