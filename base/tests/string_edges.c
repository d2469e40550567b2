/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copying, filling and comparing touch exactly their bytes at every alignment; names are judged. */
#include "base/string.h"
#include "check.h"

#define GUARD 0xa5

static void touches_its_bytes_only(void)
{
	unsigned char from[128], to[128], model[128];

	for (unsigned i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)i;
	for (size_t count = 0; count < 80; count++) {
		for (size_t shift = 0; shift < 16; shift++) {
			memset(to, GUARD, sizeof(to));
			memset(model, GUARD, sizeof(model));
			memcpy(model + shift, from + 3, count);
			base_copy(to + shift, from + 3, count);
			expect("copy", 0, memcmp(model, to, sizeof(to)));
			expect("equal", 0, base_compare(to + shift, from + 3, count));
			memset(model + shift, 0xf1, count);
			base_fill(to + shift, 0xf1, count);
			expect("fill", 0, memcmp(model, to, sizeof(to)));
		}
	}
	expect("bytes are unsigned", true, base_compare("\x80", "\x7f", 1) > 0);
	expect("less", true, base_compare("abc", "abd", 3) < 0);
	expect("nothing differs", 0, base_compare("a", "b", 0));
}

static void bounds_text(void)
{
	char text[4];

	expect("length", 3, (int64_t)base_length("abc", 9));
	expect("limit", 2, (int64_t)base_length("abc", 2));
	expect("whole", true, base_copy_text(text, sizeof(text), "abc"));
	expect_text("whole", "abc", text);
	expect("cut", false, base_copy_text(text, sizeof(text), "abcd"));
	expect_text("cut", "abc", text);
	expect("cut to nothing", false, base_copy_text(text, 1, "a"));
	expect_text("cut to nothing", "", text);
}

static void judges_names(void)
{
	expect("plain", true, base_name_valid("motor", 32));
	expect("blank, slash, UTF-8", true, base_name_valid("/a b\xc3\xa9", 32));
	expect("longest", true, base_name_valid("abc", 4));
	expect("too long", false, base_name_valid("abcd", 4));
	expect("empty", false, base_name_valid("", 32));
	expect("NULL", false, base_name_valid(NULL, 32));
	expect("newline", false, base_name_valid("a\nb", 32));
	expect("delete", false, base_name_valid("a\x7f", 32));
	expect("no size", false, base_name_valid("a", 0));
}

int main(void)
{
	touches_its_bytes_only();
	bounds_text();
	judges_names();
	return 0;
}
