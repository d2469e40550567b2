/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Results as JSON, written at once: objects and arrays are opened and closed by calls, and
 * commas are added here. On a writer without a file each call does nothing, so that callers need
 * no check.
 */
#ifndef COMMON_JSON_H
#define COMMON_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/notices.h"

struct json {
	FILE *file; /* NULL: no output is wanted */
	const char *path;
	bool more; /* the next member needs a comma before it */
};

/* path: NULL for none, "-" for standard output. Returns 0, or -1 after one line on stderr. */
int json_open(struct json *json, const char *path);

/* True if the result goes to standard output, to which then nothing else may be written. */
bool json_has_stdout(const struct json *json);

/* key: NULL within an array, or for the outermost object. */
void json_begin(struct json *json, const char *key, char bracket);
void json_end(struct json *json, char bracket);
void json_unsigned(struct json *json, const char *key, uint64_t value);
void json_signed(struct json *json, const char *key, int64_t value);
void json_real(struct json *json, const char *key, double value); /* null if it is no number */
void json_bool(struct json *json, const char *key, bool value);
void json_text(struct json *json, const char *key, const char *text); /* NULL: null */
void json_notices(struct json *json, const struct notices *notices);

/* End the file. Returns 0, or -1 after one line on stderr (it could not be written). */
int json_close(struct json *json);

#endif
