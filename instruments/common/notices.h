/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a run did not get (privileges, memory), one sentence each, as a part of its result. */
#ifndef COMMON_NOTICES_H
#define COMMON_NOTICES_H

#define NOTICES_MAX       8
#define NOTICES_TEXT_SIZE 320

struct notices {
	unsigned int count;
	char text[NOTICES_MAX][NOTICES_TEXT_SIZE];
};

/* Add one; beyond NOTICES_MAX it goes to stderr instead. Context: the main thread. */
void notices_add(struct notices *notices, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
