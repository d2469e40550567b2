/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "common/json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/complain.h"

int json_open(struct json *json, const char *path)
{
	*json = (struct json){.path = path};
	if (path == NULL)
		return 0;
	json->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	if (json->file != NULL)
		return 0;
	return complain("--json %s: %s: name a file that can be written", path, strerror(errno));
}

bool json_has_stdout(const struct json *json)
{
	return json->file == stdout;
}

/* The texts come from this program, strerror() and the kernel; still, no text may break the
 * JSON. */
static void quote(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text != '\0'; text++) {
		if (*text == '"' || *text == '\\')
			putc('\\', file);
		if ((unsigned char)*text >= ' ')
			putc(*text, file);
	}
	putc('"', file);
}

static bool member(struct json *json, const char *key)
{
	if (json->file == NULL)
		return false;
	if (json->more)
		fputs(", ", json->file);
	json->more = true;
	if (key != NULL) {
		quote(json->file, key);
		fputs(": ", json->file);
	}
	return true;
}

void json_begin(struct json *json, const char *key, char bracket)
{
	if (!member(json, key))
		return;
	putc(bracket, json->file);
	json->more = false;
}

void json_end(struct json *json, char bracket)
{
	if (json->file == NULL)
		return;
	putc(bracket, json->file);
	json->more = true;
}

void json_unsigned(struct json *json, const char *key, uint64_t value)
{
	if (member(json, key))
		fprintf(json->file, "%" PRIu64, value);
}

void json_signed(struct json *json, const char *key, int64_t value)
{
	if (member(json, key))
		fprintf(json->file, "%" PRId64, value);
}

void json_real(struct json *json, const char *key, double value)
{
	if (!member(json, key))
		return;
	if (isfinite(value))
		fprintf(json->file, "%.3f", value);
	else
		fputs("null", json->file);
}

void json_bool(struct json *json, const char *key, bool value)
{
	if (member(json, key))
		fputs(value ? "true" : "false", json->file);
}

void json_text(struct json *json, const char *key, const char *text)
{
	if (!member(json, key))
		return;
	if (text != NULL)
		quote(json->file, text);
	else
		fputs("null", json->file);
}

void json_notices(struct json *json, const struct notices *notices)
{
	json_begin(json, "notices", '[');
	for (unsigned int i = 0; i < notices->count; i++)
		json_text(json, NULL, notices->text[i]);
	json_end(json, ']');
}

int json_close(struct json *json)
{
	bool failed;

	if (json->file == NULL)
		return 0;
	putc('\n', json->file);
	failed = fflush(json->file) != 0 || ferror(json->file);
	if (json->file != stdout)
		failed = fclose(json->file) != 0 || failed;
	json->file = NULL;
	if (!failed)
		return 0;
	return complain("--json %s: %s: the result is incomplete, free space and measure again",
			json->path, strerror(errno));
}
