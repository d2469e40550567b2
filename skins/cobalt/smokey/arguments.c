/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arguments of tests: NAME=VALUE on the command line. */
#include <smokey/smokey.h>

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>

/* The value in a word NAME=VALUE, or NULL. */
static const char *value_of(const char *word, const struct smokey_arg *arg)
{
	size_t length = strlen(arg->name);

	return strncmp(word, arg->name, length) == 0 && word[length] == '=' ? word + length + 1
									    : NULL;
}

int smokey_int(const char *s, struct smokey_arg *arg)
{
	const char *value = value_of(s, arg);
	char *end;
	long number;

	if (!value || !*value)
		return 0;
	errno = 0;
	number = strtol(value, &end, 0);
	if (errno || *end || number != (int)number) {
		warning("%s: give a number", s);
		return 0;
	}
	arg->u.n_val = (int)number;
	return 1;
}

int smokey_bool(const char *s, struct smokey_arg *arg)
{
	if (strcmp(s, arg->name) == 0) {
		arg->u.n_val = 1;
		return 1;
	}
	if (!smokey_int(s, arg))
		return 0;
	arg->u.n_val = !!arg->u.n_val;
	return 1;
}

int smokey_string(const char *s, struct smokey_arg *arg)
{
	const char *value = value_of(s, arg);

	if (!value)
		return 0;
	arg->u.s_val = strdup(value);
	return arg->u.s_val != NULL;
}

/* How often 1024 is meant by what stands behind a number: nothing, or K, M or G of either case; -1:
 * something else. */
static int unit_of(const char *text)
{
	static const char units[] = "KMG";
	const char *unit;

	if (!*text)
		return 0;
	unit = strchr(units, toupper((unsigned char)*text));
	return unit && !text[1] ? (int)(unit - units) + 1 : -1;
}

int smokey_size(const char *s, struct smokey_arg *arg)
{
	const char *value = value_of(s, arg);
	unsigned long number;
	char *end;
	int unit;

	if (!value || !*value)
		return 0;
	errno = 0;
	number = strtoul(value, &end, 0);
	unit = unit_of(end);
	if (errno || !isdigit((unsigned char)*value) || unit < 0 || !number ||
	    number > SIZE_MAX >> 10 * unit) {
		warning("%s: give a size, as in 64K, 16M or 1G", s);
		return 0;
	}
	arg->u.l_val = number << 10 * unit;
	return 1;
}

int smokey_parse_args(struct smokey_test *t, int argc, char *const argv[])
{
	int count = 0;

	for (int i = 0; i < t->nargs && t->args[i].name; i++) {
		struct smokey_arg *arg = &t->args[i];

		arg->matched = 0;
		for (int word = 1; word < argc && !arg->matched; word++)
			arg->matched = arg->parser(argv[word], arg);
		count += arg->matched;
	}
	return count;
}

struct smokey_arg *smokey_lookup_arg(struct smokey_test *t, const char *arg)
{
	for (int i = 0; i < t->nargs && t->args[i].name; i++)
		if (strcmp(t->args[i].name, arg) == 0)
			return &t->args[i];
	panic("test %s has no argument %s", t->name, arg);
}
