/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes and names without a C library. Words are moved through __builtin_memcpy() of eight bytes,
 * which is one load or store and right for any alignment; the build keeps the compiler from turning
 * the loops back into calls of memcpy() and memset().
 */
#include "base/string.h"

#define WORD sizeof(uint64_t)

void base_copy(void *to, const void *from, size_t count)
{
	unsigned char *target = to;
	const unsigned char *source = from;
	uint64_t word[4];

	for (; count >= sizeof(word); count -= sizeof(word)) {
		__builtin_memcpy(&word[0], source, WORD);
		__builtin_memcpy(&word[1], source + WORD, WORD);
		__builtin_memcpy(&word[2], source + 2 * WORD, WORD);
		__builtin_memcpy(&word[3], source + 3 * WORD, WORD);
		__builtin_memcpy(target, &word[0], WORD);
		__builtin_memcpy(target + WORD, &word[1], WORD);
		__builtin_memcpy(target + 2 * WORD, &word[2], WORD);
		__builtin_memcpy(target + 3 * WORD, &word[3], WORD);
		source += sizeof(word);
		target += sizeof(word);
	}
	for (; count >= WORD; count -= WORD) {
		__builtin_memcpy(word, source, WORD);
		__builtin_memcpy(target, word, WORD);
		source += WORD;
		target += WORD;
	}
	while (count--)
		*target++ = *source++;
}

void base_fill(void *to, unsigned char value, size_t count)
{
	unsigned char *target = to;
	uint64_t word = value * UINT64_C(0x0101010101010101);

	for (; count >= WORD; count -= WORD) {
		__builtin_memcpy(target, &word, WORD);
		target += WORD;
	}
	while (count--)
		*target++ = value;
}

int base_compare(const void *a, const void *b, size_t count)
{
	const unsigned char *left = a;
	const unsigned char *right = b;

	for (; count; count--, left++, right++)
		if (*left != *right)
			return *left < *right ? -1 : 1;
	return 0;
}

size_t base_length(const char *text, size_t limit)
{
	size_t length = 0;

	while (length < limit && text[length])
		length++;
	return length;
}

bool base_copy_text(char *to, size_t size, const char *text)
{
	size_t length = base_length(text, size);
	bool whole = length < size;

	if (!whole)
		length = size - 1;
	base_copy(to, text, length);
	to[length] = '\0';
	return whole;
}

bool base_name_valid(const char *name, size_t size)
{
	size_t length;

	if (!name)
		return false;
	length = base_length(name, size);
	if (!length || length == size)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)name[i];

		if (byte < 0x20 || byte == 0x7f)
			return false;
	}
	return true;
}
