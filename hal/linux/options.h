/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the option strings "name=value,…" of the back ends with real CPUs say (README.md of each has
 * its table), and how they are read.
 */
#ifndef LINUX_OPTIONS_H
#define LINUX_OPTIONS_H

#include <stdbool.h>

enum linux_shot { LINUX_SHOT_AUTO, LINUX_SHOT_POSIX, LINUX_SHOT_HELPER };

struct linux_options {
	enum linux_shot shot;
	bool lock;         /* lock memory */
	bool power;        /* hold /dev/cpu_dma_latency */
	bool throttle;     /* lift RT throttling for idle=spin */
	int mode_signal;   /* hal_shadow_signal() */
	bool siblings;     /* bare: Linux parts with the SMT siblings, too */
	bool tuned;        /* use what was stored for this machine */
	char gravity[256]; /* the file to find it in; "": the usual places */
};

/* option_words.c. take: the value into the options; false with `allowed` left alone: no option of
 * that name, else what it may be. known: says which there are. */
struct linux_option_set {
	bool (*take)(const char *name, const char *value, struct linux_options *options,
		     const char **allowed);
	const char *known;
};
int linux_options_each(const char *text, const struct linux_option_set *set,
		       struct linux_options *options, char reason[256]);
/* A signal that a program may use; one of two words, into whether it is the first. */
bool linux_option_signal(const char *value, int *signal);
bool linux_option_word(const char *value, const char *yes, const char *no, bool *result);
#endif
