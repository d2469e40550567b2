/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A core of the stand-in: standin_core.c is its ring 0, standin.c the module's requests. */
#ifndef BARE_STANDIN_H
#define BARE_STANDIN_H

#include <setjmp.h>

#include "bare.h"

#define STANDIN_ALTERNATE_BYTES 65536u

struct standin {
	struct tact_bare_start start;
	struct bare_core *core;
	struct tact_bare_user *user;
	uint64_t fs_base;
	uint64_t armed_ticks;
	uint32_t tid;
	int timer;
	struct tact_bare_run run;
	jmp_buf left;
	char alternate[STANDIN_ALTERNATE_BYTES];
};

extern struct standin *standins[HAL_MAX_CPUS];
extern unsigned standins_taken;
extern struct tact_bare_clock *standin_clock;

/* The signals that stand for interrupts, calls and exceptions. */
void standin_handlers_install(void);
/* Ring 3 runs on the calling thread until it leaves. */
void standin_ring3(struct standin *standin);
void standin_kick(const struct standin *standin);

#endif
