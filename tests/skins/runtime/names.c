/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys: of each type and name another one, in the registry's 31 bytes; and names that are made
 * up. */
#include "test.h"

#include "runtime/names.h"

static const char *const types[] = {NULL, "sem", "mutex", "buffer"};
#define TYPES ((int)(sizeof(types) / sizeof(types[0])))

static const char *key(const char *type, const char *name)
{
	static char text[TACT_NAME_BYTES];

	return runtime_key(type, name, text);
}

TEST_UNSTARTED(key_is_type_and_name)
{
	expect_str(key("sem", "valve"), "sem:valve");
	expect_str(key(NULL, "valve"), "valve");
	expect_str(key(NULL, "0123456789012345678901234567890123"),
		   "0123456789012345678901234567890");
	expect_str(key("sem", "012345678901234567890123456"), "sem:012345678901234567890123456");
}

/* Programs that print the name of a task end it with a new line. */
TEST_UNSTARTED(control_characters_are_kept_from_the_nucleus)
{
	char first[TACT_NAME_BYTES];

	for (int type = 0; type < TYPES; type++) {
		(void)runtime_key(types[type], "valve\n", first);
		expect_true(strchr(first, '\n') == NULL);
		expect_true(strcmp(key(types[type], "valve\t"), first) != 0);
		expect_true(strcmp(key(types[type], "valve?"), first) != 0);
		(void)runtime_key(types[type], "0123456789\0010123456789012345678", first);
		expect_true(strlen(first) < TACT_NAME_BYTES);
	}
}

TEST_UNSTARTED(long_names_have_keys_of_their_own)
{
	char first[TACT_NAME_BYTES];

	for (int type = 1; type < TYPES; type++) {
		(void)runtime_key(types[type], "0123456789012345678901234567890", first);
		expect_true(strcmp(key(types[type], "0123456789012345678901234567891"), first) !=
			    0);
		expect_true(strlen(first) < TACT_NAME_BYTES);
	}
}

struct object {
	struct runtime_record record;
};
static const struct runtime_hooks hooks = {0};
static const char *const type_name[] = {"", "sem", "task"};
RUNTIME_TABLE(table, struct object, RUNTIME_INT_IDS, type_name, 0, &hooks);

TEST_UNSTARTED(made_up_names_are_numbered_by_type)
{
	expect_str(runtime_reserve(&table, 1, NULL)->name, "sem@1");
	expect_str(runtime_reserve(&table, 1, "")->name, "sem@2");
	expect_str(runtime_reserve(&table, 2, NULL)->name, "task@1");
}

TEST_UNSTARTED(names_are_cut_and_found)
{
	struct runtime_record *record =
		runtime_reserve(&table, 1, "0123456789012345678901234567890123456");

	expect_str(record->name, "0123456789012345678901234567890");
	expect_true(!runtime_find_name(&table, 1, record->name));
	(void)runtime_publish(record, TACT_NONE);
	expect_true(runtime_find_name(&table, 1, record->name) == record);
	expect_true(!runtime_find_name(&table, 2, record->name));
	expect_true(!runtime_find_name(&table, 1, "0123"));
}
