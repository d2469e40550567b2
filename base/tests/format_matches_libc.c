/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the formatter supports it prints as the C library does, and never beyond the buffer. */
#include <limits.h>

#include "base/string.h"
#include "check.h"

static void __attribute__((format(printf, 1, 2))) same(const char *format, ...)
{
	char ours[256], libc[256];
	va_list arguments;

	for (size_t size = 0; size <= sizeof(ours); size += size < 40 ? 1 : 216) {
		size_t length;
		int wanted;

		memset(ours, '#', sizeof(ours));
		memset(libc, '#', sizeof(libc));
		va_start(arguments, format);
		wanted = vsnprintf(libc, size, format, arguments);
		va_end(arguments);
		va_start(arguments, format);
		length = base_format(ours, size, format, arguments);
		va_end(arguments);
		expect(format, wanted, (int64_t)length);
		if (size)
			expect_text(format, libc, ours);
		expect("nothing behind the end", 0, memcmp(ours + size, libc + size, 256 - size));
	}
}

const char *no_text; /* external, so that the compiler does not see the NULL and warn */

int main(void)
{
	char text[32];
	int here;

	same("plain 100%%");
	same("%s|%10s|%-10s|%.2s|%5.3s|%.*s", "task", "task", "task", "task", "task", 2, "task");
	same("%.*s|%.0s|%.s|%*s|%-*s|%*d|%0*d", -1, "task", "task", "task", -6, "task", -6, "task",
	     -6, 42, -6, 42);
	same("%d %i %d %d", 0, -1, INT_MAX, INT_MIN);
	same("%5d|%-5d|%05d|%05d|%2d|%*d", 42, 42, 42, -42, -12345, 6, 7);
	same("%u %x %X %08x", UINT_MAX, 0xdeadbeefu, 0xdeadbeefu, 0xbeefu);
	same("%ld %lu %lx %016lx", LONG_MIN, ULONG_MAX, ULONG_MAX, 0xfeedul);
	same("%lld %llu %llx %20llu", LLONG_MIN, ULLONG_MAX, ULLONG_MAX, 1ull);
	same("%zu %zx", SIZE_MAX, (size_t)4096);
	same("%c%c%3c|%-3c|", 'a', 'b', 'c', 'd');
	same("%p %20p|%-20p|", (void *)&here, (void *)&here, (void *)&here);

	base_print(text, sizeof(text), "%s", no_text);
	expect_text("NULL string", "(null)", text);
	base_print(text, sizeof(text), "%p", (void *)NULL);
	expect_text("NULL pointer", "0x0", text);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat"
	base_print(text, sizeof(text), "%5q %d %", 7);
	expect_text("unknown conversions stand as they are", "%5q 7 %", text);
	expect("width is bounded", 4096, (int64_t)base_print(text, sizeof(text), "%99999d", 1));
#pragma GCC diagnostic pop
	return 0;
}
