/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys: of each type and name another one, in the registry's 31 bytes. */
#include "test.h"

#include "alchemy_internal.h"

static const char *key(enum alchemy_type type, const char *name)
{
	static char text[TACT_NAME_BYTES];

	return alchemy_key(type, name, text);
}

TEST_UNSTARTED(key_is_type_and_name)
{
	expect_str(key(ALCHEMY_SEM, "valve"), "sem:valve");
	expect_str(key(ALCHEMY_TASK, "valve"), "valve");
	expect_str(key(ALCHEMY_TASK, "0123456789012345678901234567890123"),
		   "0123456789012345678901234567890");
	expect_str(key(ALCHEMY_SEM, "012345678901234567890123456"),
		   "sem:012345678901234567890123456");
}

/* Programs that print the name of a task end it with a new line. */
TEST_UNSTARTED(control_characters_are_kept_from_the_nucleus)
{
	char first[TACT_NAME_BYTES];

	for (int type = ALCHEMY_TASK; type < ALCHEMY_TYPES; type++) {
		(void)alchemy_key((enum alchemy_type)type, "valve\n", first);
		expect_true(strchr(first, '\n') == NULL);
		expect_true(strcmp(key((enum alchemy_type)type, "valve\t"), first) != 0);
		expect_true(strcmp(key((enum alchemy_type)type, "valve?"), first) != 0);
		(void)alchemy_key((enum alchemy_type)type, "0123456789\0010123456789012345678",
				  first);
		expect_true(strlen(first) < TACT_NAME_BYTES);
	}
}

TEST_UNSTARTED(long_names_have_keys_of_their_own)
{
	char first[TACT_NAME_BYTES];

	for (int type = ALCHEMY_SEM; type < ALCHEMY_TYPES; type++) {
		(void)alchemy_key((enum alchemy_type)type, "0123456789012345678901234567890",
				  first);
		expect_true(strcmp(key((enum alchemy_type)type, "0123456789012345678901234567891"),
				   first) != 0);
		expect_true(strlen(first) < TACT_NAME_BYTES);
	}
}
