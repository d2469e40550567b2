/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of modules. An object is opened for all that come after it, but its own symbols are its
 * own ones: a name that two modules have is no conflict. What a module has left when it goes is
 * deleted before its memory is.
 */
#define _GNU_SOURCE
#include "module.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "rtai_module_host.h"

/* Its own symbols come first, if it was not linked so. A sanitizer's run time knows no such
 * objects. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_FIRST 0
#else
#define OWN_FIRST RTLD_DEEPBIND
#endif

static struct module *first;

struct module *module_first(void)
{
	return first;
}

/* The link that leads to a module, or the last one. */
static struct module **find_link(const char *name)
{
	struct module **place = &first;

	while (*place && strcmp((*place)->name, name) != 0)
		place = &(*place)->next;
	return place;
}

/* Its file's name, without folders and what follows a point; as in Linux, - is _. */
static char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);

	if (!name)
		return NULL;
	name[strcspn(name, ".")] = 0;
	for (char *letter = name; *letter; letter++)
		if (*letter == '-')
			*letter = '_';
	return name;
}

static void release(struct module *module)
{
	if (module->handle)
		(void)dlclose(module->handle);
	object_close(&module->file);
	free(module->given);
	free(module->values);
	free(module->name);
	free(module);
}

static void told_left(void *arg, const char *kind, const char *name)
{
	const struct module *module = arg;

	(void)rt_printk("%s left the %s %s: it was deleted\n", module->name, kind, name);
}

static void unload(struct module *module)
{
	if (rtai_module_objects_left(module->from, module->to, told_left, module) < 0) {
		(void)rt_printk(
			"%s: a task has not ended; the code of the module stays in memory\n",
			module->name);
		module->handle = NULL;
	}
	release(module);
}

/* Undefined symbols are named by dlopen(): of "FILE: undefined symbol: NAME" the last part is the
 * one that the user needs. */
static int told_open(const struct module *module, FILE *told)
{
	static const char undefined[] = "undefined symbol: ";
	const char *why = dlerror();
	const char *symbol = why ? strstr(why, undefined) : NULL;

	if (symbol)
		fprintf(told,
			"%s: nothing loaded defines %s: load the module that exports it first, or "
			"compile the source that has it, too\n",
			module->name, symbol + sizeof(undefined) - 1);
	else
		fprintf(told, "%s: %s\n", module->name, why);
	return ENOENT;
}

static int open_object(struct module *module, const char *path, FILE *told)
{
	const char *wrong = object_open(&module->file, path);
	struct link_map *map;

	if (wrong) {
		fprintf(told, "%s: %s\n", path, wrong);
		return ENOEXEC;
	}
	if (!object_defines(&module->file, "init_module") &&
	    !object_defines(&module->file, "main")) {
		fprintf(told, "%s: it has neither init_module() nor main()\n", path);
		return ENOEXEC;
	}
	module->handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL | OWN_FIRST);
	if (!module->handle)
		return told_open(module, told);
	if (dlinfo(module->handle, RTLD_DI_LINKMAP, &map)) {
		fprintf(told, "%s: %s\n", module->name, dlerror());
		return ENOEXEC;
	}
	module->from = (const char *)map->l_addr;
	module->to = module->from + object_end(&module->file);
	return 0;
}

static char *joined(char **values)
{
	size_t bytes = 1;
	char *text;

	for (char **value = values; *value; value++)
		bytes += strlen(*value) + 1;
	text = malloc(bytes);
	if (!text)
		return NULL;
	*text = 0;
	for (char **value = values; *value; value++) {
		strcat(text, value == values ? "" : " ");
		strcat(text, *value);
	}
	return text;
}

/* A copy of the words in one block of memory, ended by NULL. */
static char **copied(char **values)
{
	size_t count = 0;
	size_t bytes = 0;
	char **copy;
	char *text;

	for (; values[count]; count++)
		bytes += strlen(values[count]) + 1;
	copy = malloc((count + 1) * sizeof(*copy) + bytes);
	if (!copy)
		return NULL;
	text = (char *)(copy + count + 1);
	for (size_t i = 0; i < count; i++, text += strlen(text) + 1)
		copy[i] = strcpy(text, values[i]);
	copy[count] = NULL;
	return copy;
}

static int begin(struct module *module, FILE *told)
{
	int (*init)(void) = (int (*)(void))dlsym(module->handle, "init_module");
	int result;

	if (!object_defines(&module->file, "init_module")) {
		module->program = (int (*)(int, char **))dlsym(module->handle, "main");
		return 0;
	}
	result = init();
	if (!result)
		return 0;
	fprintf(told, "%s: init_module() returned %d%s%s\n", module->name, result,
		result < 0 ? ": " : "", result < 0 ? strerror(-result) : "");
	return result < 0 ? -result : EINVAL;
}

int module_insert(const char *path, char **values, FILE *told)
{
	struct module *module = calloc(1, sizeof(*module));
	struct module **place;
	int error = ENOMEM;

	if (module)
		module->name = name_of(path);
	if (!module || !module->name) {
		free(module);
		return ENOMEM;
	}
	place = find_link(module->name);
	if (*place) {
		fprintf(told, "%s: a module of this name is loaded: tactus rtai rmmod %s\n", path,
			module->name);
		release(module);
		return EEXIST;
	}
	module->given = joined(values);
	module->values = copied(values);
	if (!module->given || !module->values) {
		release(module);
		return ENOMEM;
	}
	error = open_object(module, path, told);
	if (!error && object_defines(&module->file, "init_module"))
		error = -module_set_parameters(module, values, told);
	if (error) {
		release(module);
		return error;
	}
	/* In the list first, because it may load for long, and the log is read meanwhile. */
	*place = module;
	error = begin(module, told);
	if (error) {
		*place = NULL;
		unload(module);
	}
	return error;
}

/* Who uses a module, with a comma between; the number of them. */
static unsigned int print_users(const struct module *module, FILE *told)
{
	unsigned int count = 0;

	for (const struct module *other = module->next; other; other = other->next)
		if (object_uses(&other->file, &module->file))
			fprintf(told, "%s%s", count++ ? "," : "", other->name);
	return count;
}

static bool has_user(const struct module *module)
{
	for (const struct module *other = module->next; other; other = other->next)
		if (object_uses(&other->file, &module->file))
			return true;
	return false;
}

int module_remove(const char *name, FILE *told)
{
	struct module **place = find_link(name);
	struct module *module = *place;
	void (*cleanup)(void);

	if (!module) {
		fprintf(told, "%s: no module of this name is loaded: tactus rtai lsmod\n", name);
		return ENOENT;
	}
	if (has_user(module)) {
		fprintf(told, "%s: it is in use by ", name);
		(void)print_users(module, told);
		fprintf(told, "\n");
		return EBUSY;
	}
	cleanup = (void (*)(void))dlsym(module->handle, "cleanup_module");
	if (object_defines(&module->file, "cleanup_module"))
		cleanup();
	*place = module->next;
	unload(module);
	return 0;
}

void module_list(FILE *told)
{
	if (!first)
		return;
	fprintf(told, "%-20s %8s  %s\n", "Module", "Size", "Used by");
	for (const struct module *module = first; module; module = module->next) {
		fprintf(told, "%-20s %8td  ", module->name, module->to - module->from);
		if (!print_users(module, told))
			fprintf(told, "-");
		fprintf(told, "\n");
		if (module->given && *module->given)
			fprintf(told, "  %s\n", module->given);
	}
}
