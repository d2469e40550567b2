/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program was asked to do on its command line. */
#ifndef XENOMAI_SKIN_OPTIONS_H
#define XENOMAI_SKIN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tactus/start.h>

#define SKIN_TICK_MAX_NS 1000000000u

struct skin_options {
	uint32_t cpu[TACT_CPU_MAX];
	uint32_t cpus;       /* 0: the default */
	size_t pool_bytes;   /* 0: the default */
	uint64_t tick_ns;    /* 0: the default */
	const char *session; /* NULL: no session was named */
	bool quiet;
};
extern struct skin_options skin_options;
void skin_options_set_pool(size_t bytes);

/* Defined by the skin: the options are complete now. */
void skin_options_taken(void);
/* Defined by the skin: the text of its version. */
extern const char skin_version[];

#endif
