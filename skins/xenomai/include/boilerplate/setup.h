/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parts of a program that want to be asked before its main(): by xenomai_init(), first to set
 * tunables, then for their options on the command line, then to begin. Each is asked in the order
 * of registration.
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

/* What is NULL is not asked for. Results: 0, or a negative error number, which ends the program. */
struct setup_descriptor {
	const char *name;
	int (*tune)(void);
	/* optnum: the index in options, which ends by an entry without a name, of a long option
	 * that was given; val is stored to its flag, if it has one. */
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

/* Context: before xenomai_init(). id: of no meaning here. */
void __register_setup_call(struct setup_descriptor *descriptor, int id);

extern int __config_done; /* xenomai_init() was there: config tunables are what they are */

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
