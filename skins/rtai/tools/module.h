/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The modules of this process. All functions are called by main(), one at a time. */
#ifndef RTAI_MODULE_H
#define RTAI_MODULE_H

#include <stdio.h>

#include "object_file.h"

struct module {
	struct module *next;
	char *name;
	char *given; /* "period=100 loops=3" */
	void *handle;
	struct object_file file;
	const char *from; /* its memory */
	const char *to;
	int (*program)(int argc,
		       char **argv); /* of a program of user space; NULL: it is a module */
	char **values;               /* as the program gets them; in one block */
};

/*
 * Load an object, set its parameters and call init_module(). values: key=value, ended by NULL.
 * Errors go to `told`, one line each. 0, or an error number of Linux.
 */
int module_insert(const char *path, char **values, FILE *told);
/* Call cleanup_module() and unload. 0 or an error number. */
int module_remove(const char *name, FILE *told);
/* A line for each module: its name, its size and who uses it, then its parameters. */
void module_list(FILE *told);
/* The first one; NULL: there is none. They are in the order in which they were loaded. */
struct module *module_first(void);

/* Set the parameters of a loaded object (module_parameters.c). 0 or -EINVAL. */
int module_set_parameters(const struct module *module, char **values, FILE *told);

#endif
