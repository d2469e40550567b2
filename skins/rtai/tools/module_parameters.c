/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Parameters of modules, as module_param() and the older MODULE_PARM() leave them in a section of
 * the object. A value is checked before it is stored: its form, its range, and the number of
 * elements of an array.
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "module.h"

/* As module/linux/moduleparam.h has it. */
struct parameter {
	const char *name;
	const char *type;
	void *value;
	unsigned long bytes;
	int *count;
	unsigned long array; /* 1: module_param_array(); 2: MODULE_PARM() */
};

struct description {
	const char *name;
	const char *text;
};

enum kind { NUMBER, BOOLEAN, POINTER, TEXT };

struct type {
	const char *name;
	enum kind kind;
	size_t bytes;
	bool is_signed;
};

static const struct type types[] = {
	{"int", NUMBER, 4, true},    {"uint", NUMBER, 4, false},  {"long", NUMBER, 8, true},
	{"ulong", NUMBER, 8, false}, {"short", NUMBER, 2, true},  {"ushort", NUMBER, 2, false},
	{"byte", NUMBER, 1, false},  {"bool", BOOLEAN, 0, false}, {"charp", POINTER, 8, false},
	{"string", TEXT, 0, false},  {"i", NUMBER, 4, true},      {"l", NUMBER, 8, true},
	{"h", NUMBER, 2, true},      {"b", NUMBER, 1, true},      {"s", POINTER, 8, false},
};

static const void *section(const struct module *module, const char *name, size_t *bytes)
{
	const size_t at = object_section(&module->file, name, bytes);

	return at ? module->from + at : NULL;
}

/* The type, without the numbers that MODULE_PARM() has before it. */
static const char *type_name(const struct parameter *parameter)
{
	const char *name = parameter->type;

	if (parameter->array == 2)
		while (isdigit((unsigned char)*name) || *name == '-')
			name++;
	return name;
}

static const struct type *type_of(const struct parameter *parameter)
{
	const char *name = type_name(parameter);

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

static const char *described(const struct module *module, const char *name)
{
	size_t bytes;
	const struct description *all = section(module, "rtai_descriptions", &bytes);

	for (size_t i = 0; all && i < bytes / sizeof(*all); i++)
		if (!strcmp(all[i].name, name))
			return all[i].text;
	return NULL;
}

static int unknown(const struct module *module, const char *key, FILE *told)
{
	size_t bytes;
	const struct parameter *all = section(module, "rtai_parameters", &bytes);
	const size_t count = all ? bytes / sizeof(*all) : 0;

	fprintf(told, "%s: there is no parameter %s%s\n", module->name, key,
		count ? "; there are:" : ", and no other one");
	for (size_t i = 0; i < count; i++) {
		const char *text = described(module, all[i].name);

		fprintf(told, "  %s (%s)%s%s\n", all[i].name, all[i].type, text ? ": " : "",
			text ? text : "");
	}
	return -EINVAL;
}

static bool parse_number(const char *text, const struct type *type, int64_t *value)
{
	const unsigned int bits = (unsigned int)type->bytes * 8;
	char *end;

	errno = 0;
	if (type->is_signed) {
		const int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));

		*value = strtoll(text, &end, 0);
		return *text && !*end && !errno && *value <= most && *value >= -most - 1;
	}
	*value = (int64_t)strtoull(text, &end, 0);
	return *text && *text != '-' && !*end && !errno &&
	       (uint64_t)*value <= UINT64_MAX >> (64 - bits);
}

static bool parse_boolean(const char *text, int64_t *value)
{
	*value = strchr("yY1", *text) && *text;
	return *text && strchr("yYnN01", *text) && !text[1];
}

/* Store one value. False: it is none of the type. */
static bool store(const struct type *type, void *at, size_t bytes, const char *text)
{
	int64_t value = 0;
	char *copy;

	switch (type->kind) {
	case POINTER:
		copy = strdup(text);
		memcpy(at, &copy, sizeof(copy));
		return copy;
	case TEXT:
		if (strlen(text) >= bytes)
			return false;
		memcpy(at, text, strlen(text) + 1);
		return true;
	case BOOLEAN:
		if (!parse_boolean(text, &value))
			return false;
		break;
	case NUMBER:
		if (!parse_number(text, type, &value))
			return false;
	}
	memcpy(at, &value, type->bytes ? type->bytes : bytes);
	return true;
}

static int wrong(const struct module *module, const struct parameter *parameter, const char *text,
		 FILE *told)
{
	fprintf(told, "%s: %s=%s: the parameter takes %s%s, and this is none that fits\n",
		module->name, parameter->name, text, parameter->array == 1 ? "an array of " : "",
		parameter->type);
	return -EINVAL;
}

static int set_array(const struct module *module, const struct parameter *parameter,
		     const struct type *type, char *text, FILE *told)
{
	const size_t each = type->bytes ? type->bytes : 1;
	const size_t most = parameter->bytes / each;
	size_t count = 0;
	char *rest = text;

	for (char *piece = strsep(&rest, ","); piece; piece = strsep(&rest, ","), count++) {
		if (count == most) {
			fprintf(told, "%s: %s: more than the %zu values that it has room for\n",
				module->name, parameter->name, most);
			return -EINVAL;
		}
		if (!store(type, (char *)parameter->value + count * each, each, piece))
			return wrong(module, parameter, piece, told);
	}
	if (parameter->count)
		*parameter->count = (int)count;
	return 0;
}

static int set(const struct module *module, const struct parameter *parameter, char *text,
	       FILE *told)
{
	const struct type *type = type_of(parameter);

	if (!type || (type->bytes && (parameter->bytes < type->bytes ||
				      (!parameter->array && parameter->bytes != type->bytes)))) {
		fprintf(told, "%s: %s: its type %s is not known, or not that of its variable\n",
			module->name, parameter->name, parameter->type);
		return -EINVAL;
	}
	if (parameter->array)
		return set_array(module, parameter, type, text, told);
	return store(type, parameter->value, parameter->bytes, text)
		       ? 0
		       : wrong(module, parameter, text, told);
}

int module_set_parameters(const struct module *module, char **values, FILE *told)
{
	size_t bytes;
	const struct parameter *all = section(module, "rtai_parameters", &bytes);

	for (; *values; values++) {
		char *text = strchr(*values, '=');
		const size_t length = text ? (size_t)(text - *values) : strlen(*values);
		const struct parameter *found = NULL;
		char key[64];

		(void)snprintf(key, sizeof(key), "%.*s", (int)length, *values);
		if (!text) {
			fprintf(told, "%s: %s is no parameter and value: write NAME=VALUE\n",
				module->name, *values);
			return -EINVAL;
		}
		for (size_t i = 0; all && i < bytes / sizeof(*all) && !found; i++)
			if (!strcmp(all[i].name, key))
				found = &all[i];
		if (!found)
			return unknown(module, key, told);
		if (set(module, found, text + 1, told))
			return -EINVAL;
	}
	return 0;
}
