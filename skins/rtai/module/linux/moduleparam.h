/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of modules: tactus rtai insmod x.so name=value. */
#ifndef TACTUS_RTAI_LINUX_MODULEPARAM_H
#define TACTUS_RTAI_LINUX_MODULEPARAM_H

#include <linux/types.h>

/* What insmod finds in the object, in a section of its own. */
struct rtai_parameter {
	const char *name;
	const char *type; /* "int", "charp" …, or of MODULE_PARM(): "1-4i" */
	void *value;
	unsigned long bytes; /* of the variable, or of the whole array */
	int *count;          /* receives how many elements of the array were given; or NULL */
	unsigned long array; /* 1: an array of the type */
};

struct rtai_description {
	const char *name;
	const char *text;
};

#define RTAI_PARAMETER(name, type, variable, count, array)                        \
	static const struct rtai_parameter rtai_parameter_##name                  \
		__attribute__((used, section("rtai_parameters"), aligned(8))) = { \
			#name, type, (void *)&(variable), sizeof(variable), count, array}

/* Each makes a text of the type itself, because a macro of its name, as bool, would be replaced in
 * another one. */
#define module_param_named(name, variable, type, perm) \
	RTAI_PARAMETER(name, #type, variable, NULL, 0)
#define module_param(name, type, perm) RTAI_PARAMETER(name, #type, name, NULL, 0)
#define module_param_array_named(name, variable, type, number, perm) \
	RTAI_PARAMETER(name, #type, variable, (int *)(number), 1)
#define module_param_array(name, type, number, perm) \
	RTAI_PARAMETER(name, #type, name, (int *)(number), 1)
#define module_param_string(name, text, bytes, perm) RTAI_PARAMETER(name, "string", text, NULL, 0)
#define MODULE_PARM(variable, type)                  RTAI_PARAMETER(variable, type, variable, NULL, 2)

#define MODULE_PARM_DESC(name, text)                                 \
	static const struct rtai_description rtai_description_##name \
		__attribute__((used, section("rtai_descriptions"), aligned(8))) = {#name, text}

#endif
