/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the option strings "name=value,…" of the back ends with real CPUs say (README.md of each has
 * its table), and how they are parsed.
 */
#ifndef LINUX_OPTIONS_H
#define LINUX_OPTIONS_H

#include <stdbool.h>

#include "hal/cpu.h"

enum linux_shot { LINUX_SHOT_AUTO, LINUX_SHOT_POSIX, LINUX_SHOT_HELPER };

struct linux_options {
	enum linux_shot shot;
	bool lock;         /* lock memory */
	bool power;        /* hold /dev/cpu_dma_latency */
	bool throttle;     /* lift RT throttling for idle=spin */
	int mode_signal;   /* hal_shadow_signal() */
	bool siblings;     /* bare: take the SMT siblings from Linux, too */
	bool tuned;        /* use what was stored for this machine */
	char gravity[256]; /* the file that holds it; "": the usual places */
};

/* option_words.c. take: put the value into the options. False with `allowed` unchanged: there is no
 * option of that name; otherwise `allowed` says which values there are. known: the names of all
 * options. */
struct linux_option_set {
	bool (*take)(const char *name, const char *value, struct linux_options *options,
		     const char **allowed);
	const char *known;
};
int linux_options_each(const char *text, const struct linux_option_set *set,
		       struct linux_options *options, char reason[HAL_REASON_BYTES]);
/* linux_option_signal(): a signal that a program may use. linux_option_word(): one of two words;
 * the result is whether it is the first. */
bool linux_option_signal(const char *value, int *signal);
bool linux_option_word(const char *value, const char *yes, const char *no, bool *result);
#endif
