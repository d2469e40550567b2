/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tests of the program, and which of them its command line picks. */
#include <smokey/smokey.h>

#include <ctype.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

DEFINE_PRIVATE_LIST(smokey_test_list);
int smokey_keep_going;
int smokey_verbose_mode = 1;
int smokey_on_vm;

static DEFINE_PRIVATE_LIST(unpicked); /* in the order of their numbers */
static int tests;

void smokey_register_plugin(struct smokey_test *t)
{
	t->__reserved.id = tests++;
	pvlist_append(&t->__reserved.next, &unpicked);
}

static void pick(struct smokey_test *t)
{
	pvlist_remove(&t->__reserved.next);
	pvlist_append(&t->__reserved.next, &smokey_test_list);
}

/* Back to its place. */
static void drop(struct smokey_test *t)
{
	struct smokey_test *after;

	pvlist_remove(&t->__reserved.next);
	pvlist_for_each_entry(after, &unpicked,
			      __reserved.next) if (after->__reserved.id > t->__reserved.id) break;
	pvlist_insert(&t->__reserved.next, after->__reserved.next.prev);
}

static struct smokey_test *by_id(struct pvlistobj *list, int id)
{
	struct smokey_test *t;

	pvlist_for_each_entry(t, list, __reserved.next) if (t->__reserved.id == id) return t;
	return NULL;
}

/* The number that the end of a range means, picked or not; -1: none. */
static int number_of(const char *text)
{
	struct pvlistobj *const lists[] = {&unpicked, &smokey_test_list};
	struct smokey_test *t;

	if (isdigit((unsigned char)*text)) {
		char *end;
		long id = strtol(text, &end, 10);

		return *end || id >= tests ? -1 : (int)id;
	}
	for (unsigned int i = 0; i < 2; i++)
		pvlist_for_each_entry(t, lists[i], __reserved.next) if (strcmp(t->name, text) ==
									0) return t->__reserved.id;
	return -1;
}

/* What is done with each test of list that text, without a range, names. */
static int for_names(const char *text, struct pvlistobj *list, void (*act)(struct smokey_test *))
{
	struct smokey_test *t;
	struct smokey_test *next;
	int count = 0;

	pvlist_for_each_entry_safe(t, next, list, __reserved.next)
	{
		if (fnmatch(text, t->name, 0) != 0)
			continue;
		act(t);
		count++;
	}
	return count;
}

static int for_range(char *text, struct pvlistobj *list, void (*act)(struct smokey_test *))
{
	char *dash = strchr(text, '-');
	int first = 0;
	int last = tests - 1;

	if (dash)
		*dash++ = 0;
	if (*text)
		first = number_of(text);
	if (!dash)
		last = first;
	else if (*dash)
		last = number_of(dash);
	if (first < 0 || last < 0)
		return -EINVAL;
	for (int id = first, step = last < first ? -1 : 1;; id += step) {
		struct smokey_test *t = by_id(list, id);

		if (t)
			act(t);
		if (id == last)
			return 0;
	}
}

static int for_ids(const char *ids, struct pvlistobj *list, void (*act)(struct smokey_test *))
{
	char *copy = strdup(ids);
	char *rest = NULL;
	int error = copy ? 0 : -ENOMEM;

	for (char *id = copy ? strtok_r(copy, ",", &rest) : NULL; id && !error;
	     id = strtok_r(NULL, ",", &rest))
		if (!for_names(id, list, act))
			error = for_range(id, list, act);
	if (error)
		warning("no test matches %s: --list prints the tests", ids);
	free(copy);
	return error;
}

static int tell(void)
{
	const struct smokey_test *t;

	pvlist_for_each_entry(t, &unpicked, __reserved.next)
		printf("#%-3d %s\n\t%s\n", t->__reserved.id, t->name, t->description);
	return 0;
}

enum { KEEP_GOING, RUN, EXCLUDE, LIST, VM };

static const struct option options[] = {
	[KEEP_GOING] = {"keep-going", no_argument, &smokey_keep_going, 1},
	[RUN] = {"run", optional_argument, NULL, 0},
	[EXCLUDE] = {"exclude", required_argument, NULL, 0},
	[LIST] = {"list", no_argument, NULL, 0},
	[VM] = {"vm", no_argument, &smokey_on_vm, 1},
	{NULL, 0, NULL, 0},
};

static const char *excluded;

static int take(int optnum, const char *argument)
{
	switch (optnum) {
	case RUN:
		if (!tests) {
			warning("there is no test to run");
			return -EINVAL;
		}
		return for_ids(argument ? argument : "*", &unpicked, pick);
	case EXCLUDE:
		excluded = argument;
		return 0;
	case LIST:
		return tell();
	default:
		return 0;
	}
}

static void help(void)
{
	puts("  --list                          print the tests\n"
	     "  --run[=ID,...]                  the tests to run: numbers, names, ranges\n"
	     "  --exclude=ID,...                the tests not to run\n"
	     "  --keep-going                    continue after a failure\n"
	     "  --vm                            the machine is virtual");
}

/* Once everything was said. */
static int begin(void)
{
	smokey_verbose_mode = __base_setup_data.verbosity_level;
	return excluded ? for_ids(excluded, &smokey_test_list, drop) : 0;
}

static struct setup_descriptor smokey = {
	.name = "smokey",
	.parse_option = take,
	.help = help,
	.init = begin,
	.options = options,
};

user_setup_call(smokey)
