/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions on bytes and texts: those of the C library. */
#ifndef TACTUS_RTAI_LINUX_STRING_H
#define TACTUS_RTAI_LINUX_STRING_H

#ifndef __KERNEL__
#include_next <linux/string.h>
#else
#include <linux/types.h>

void *memset(void *memory, int value, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
void *memchr(const void *memory, int value, size_t bytes);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t bytes);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t bytes);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t bytes);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t bytes);
int strcasecmp(const char *a, const char *b);
char *strchr(const char *text, int letter);
char *strrchr(const char *text, int letter);
char *strstr(const char *text, const char *part);
char *strsep(char **text, const char *letters);

static inline size_t strlcpy(char *to, const char *from, size_t bytes)
{
	const size_t length = strlen(from);

	if (bytes) {
		const size_t copied = length < bytes ? length : bytes - 1;

		memcpy(to, from, copied);
		to[copied] = 0;
	}
	return length;
}
#endif

#endif
