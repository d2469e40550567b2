/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parts of a program that xenomai_init() calls at the start: first to set tunables, then for their
 * options on the command line, then to start. The parts are called in the order of their
 * registration.
 *
 * Source: Xenomai 3, <boilerplate/setup.h>, "Application setup and init".
 */
#ifndef BOILERPLATE_SETUP_H
#define BOILERPLATE_SETUP_H

#include <sched.h>
#include <string.h>

#include <boilerplate/ancillaries.h>
#include <boilerplate/list.h>

struct option;

#ifdef __USE_GNU /* cpu_set_t */
struct base_setup_data {
	cpu_set_t cpu_affinity;
	int no_mlock;
	int no_sanity;
	int verbosity_level;
	int trace_level;
	const char *arg0;
};
#endif

/* A function that is NULL is not called. The functions return 0, or a negative error number, which
 * ends the program. */
struct setup_descriptor {
	const char *name;
	int (*tune)(void);
	/* Called for a long option that was given. optnum: its index in options, an array that ends
	 * with an entry without a name. The option's val is stored at its flag, if it has one. */
	int (*parse_option)(int optnum, const char *optarg);
	void (*help)(void);
	int (*init)(void);
	const struct option *options;
	struct {
		int done;
		struct pvholder next;
	} __reserved;
};

#define __setup_ctor __attribute__((__constructor__(200)))
#define __early_ctor __attribute__((__constructor__(210)))

#define __setup_call(name)                              \
	static __setup_ctor void __declare_##name(void) \
	{                                               \
		__register_setup_call(&(name), 0);      \
	}
#define user_setup_call(name) __setup_call(name)
#define post_setup_call(name) __setup_call(name)

#ifdef __cplusplus
extern "C" {
#endif

/* Register a part. id: not used. Context: before xenomai_init(). */
void __register_setup_call(struct setup_descriptor *descriptor, int id);

/* 1: xenomai_init() has read the configuration, whose tunables cannot be set any more. */
extern int __config_done;

#ifdef __USE_GNU
extern struct base_setup_data __base_setup_data;

static inline const char *get_program_name(void)
{
	const char *path = __base_setup_data.arg0 ? __base_setup_data.arg0 : "program";
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
