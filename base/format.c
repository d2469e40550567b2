/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formatted text without a C library, for fault reports: bounded output, bounded stack, no locale,
 * no floating point. Source: ISO C11 7.21.6.1, the part that string.h lists.
 */
#include "base/string.h"

#define DIGITS_MAX 20 /* of 2^64 - 1 in decimal */

struct output {
	char *to;
	size_t size;
	size_t length; /* what has been produced, stored or not */
};

struct spec {
	bool zero;
	bool left;
	size_t width;
	size_t precision; /* SIZE_MAX: none given */
	unsigned longs;   /* 0: int, 1: long or size_t, 2: long long */
	char conversion;
};

static void put(struct output *out, char c)
{
	if (out->length + 1 < out->size)
		out->to[out->length] = c;
	out->length++;
}

static void pad(struct output *out, char c, size_t length, size_t width)
{
	for (; length < width; length++)
		put(out, c);
}

static void put_text(struct output *out, const struct spec *spec, const char *text, size_t length)
{
	if (!spec->left)
		pad(out, ' ', length, spec->width);
	for (size_t i = 0; i < length; i++)
		put(out, text[i]);
	if (spec->left)
		pad(out, ' ', length, spec->width);
}

static void put_number(struct output *out, const struct spec *spec, uint64_t value, unsigned base,
		       const char *prefix)
{
	const char *alphabet = spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
	char digits[DIGITS_MAX];
	size_t count = 0;
	size_t length;

	do {
		digits[count++] = alphabet[value % base];
		value /= base;
	} while (value);
	length = count + base_length(prefix, 2);
	if (!spec->left && !spec->zero)
		pad(out, ' ', length, spec->width);
	for (; *prefix; prefix++)
		put(out, *prefix);
	if (!spec->left && spec->zero)
		pad(out, '0', length, spec->width);
	while (count)
		put(out, digits[--count]);
	if (spec->left)
		pad(out, ' ', length, spec->width);
}

/* A number or *, bounded: what is wider than any text is a mistake of the format. */
static const char *parse_count(const char *at, va_list *arguments, int *count)
{
	const int limit = 4096;

	*count = 0;
	if (*at == '*') {
		*count = va_arg(*arguments, int);
		at++;
	}
	for (; *at >= '0' && *at <= '9'; at++)
		if (*count < limit)
			*count = *count * 10 + (*at - '0');
	if (*count > limit)
		*count = limit;
	if (*count < -limit)
		*count = -limit;
	return at;
}

static const char *parse(const char *at, va_list *arguments, struct spec *spec)
{
	int count;

	*spec = (struct spec){.precision = SIZE_MAX};
	for (; *at == '0' || *at == '-'; at++) {
		spec->zero = spec->zero || *at == '0';
		spec->left = spec->left || *at == '-';
	}
	at = parse_count(at, arguments, &count);
	/* A negative width means the flag -, a negative precision none. */
	spec->left = spec->left || count < 0;
	spec->width = (size_t)(count < 0 ? -count : count);
	if (*at == '.') {
		at = parse_count(at + 1, arguments, &count);
		if (count >= 0)
			spec->precision = (size_t)count;
	}
	if (*at == 'z') {
		spec->longs = 1;
		at++;
	}
	for (; *at == 'l' && spec->longs < 2; at++)
		spec->longs++;
	spec->conversion = *at;
	return at;
}

static uint64_t take_unsigned(va_list *arguments, const struct spec *spec)
{
	if (spec->longs == 2)
		return va_arg(*arguments, unsigned long long);
	if (spec->longs == 1)
		return va_arg(*arguments, unsigned long);
	return va_arg(*arguments, unsigned int);
}

static int64_t take_signed(va_list *arguments, const struct spec *spec)
{
	if (spec->longs == 2)
		return va_arg(*arguments, long long);
	if (spec->longs == 1)
		return va_arg(*arguments, long);
	return va_arg(*arguments, int);
}

/* Returns false for a conversion that is not one. */
static bool convert(struct output *out, const struct spec *spec, va_list *arguments)
{
	const char *text;
	int64_t value;
	char c;

	switch (spec->conversion) {
	case 's':
		text = va_arg(*arguments, const char *);
		if (!text)
			text = "(null)";
		put_text(out, spec, text, base_length(text, spec->precision));
		return true;
	case 'c':
		c = (char)va_arg(*arguments, int);
		put_text(out, spec, &c, 1);
		return true;
	case 'd':
	case 'i':
		value = take_signed(arguments, spec);
		put_number(out, spec, value < 0 ? -(uint64_t)value : (uint64_t)value, 10,
			   value < 0 ? "-" : "");
		return true;
	case 'u':
		put_number(out, spec, take_unsigned(arguments, spec), 10, "");
		return true;
	case 'x':
	case 'X':
		put_number(out, spec, take_unsigned(arguments, spec), 16, "");
		return true;
	case 'p':
		put_number(out, spec, (uintptr_t)va_arg(*arguments, void *), 16, "0x");
		return true;
	case '%':
		put(out, '%');
		return true;
	default:
		return false;
	}
}

size_t base_format(char *to, size_t size, const char *format, va_list arguments)
{
	struct output out = {.to = to, .size = size, .length = 0};
	va_list rest;

	va_copy(rest, arguments);
	for (; *format; format++) {
		const char *end;
		struct spec spec;

		if (*format != '%') {
			put(&out, *format);
			continue;
		}
		end = parse(format + 1, &rest, &spec);
		if (convert(&out, &spec, &rest)) {
			format = end;
			continue;
		}
		put(&out, '%'); /* the rest follows as plain text */
	}
	va_end(rest);
	if (size)
		to[out.length < size ? out.length : size - 1] = '\0';
	return out.length;
}

size_t base_print(char *to, size_t size, const char *format, ...)
{
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	length = base_format(to, size, format, arguments);
	va_end(arguments);
	return length;
}
