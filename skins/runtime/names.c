/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of objects, and their names in the nucleus's registry: see names.h. */
#include "runtime/names.h"

#include <stdio.h>
#include <string.h>

void runtime_name(struct runtime_record *record, const char *name)
{
	const struct runtime_table *table = record->table;

	if (name && *name)
		snprintf(record->name, sizeof(record->name), "%s", name);
	else
		snprintf(record->name, sizeof(record->name), "%s@%u",
			 table->type_name[record->type],
			 atomic_fetch_add_explicit(&table->made_up[record->type], 1,
						   memory_order_relaxed) +
				 1);
}

/* FNV-1a, 64 bit. */
static uint64_t hash_of(const char *name, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
	return hash;
}

/* Replace control characters, which the nucleus accepts in no name. Returns whether there was
 * one. */
static bool make_plain(char *plain, const char *name, size_t bytes)
{
	bool changed = false;

	for (size_t i = 0; i < bytes; i++) {
		const unsigned char byte = (unsigned char)name[i];
		const bool control = byte < 0x20 || byte == 0x7f;

		plain[i] = control ? '?' : name[i];
		changed |= control;
	}
	plain[bytes] = '\0';
	return changed;
}

const char *runtime_key(const char *type, const char *name, char *key)
{
	char text[2 * TACT_NAME_BYTES];
	char plain[RUNTIME_NAME_BYTES];
	/* Cut as the names of records are. */
	size_t bytes = strnlen(name, RUNTIME_NAME_BYTES - 1);
	bool changed = make_plain(plain, name, bytes);
	unsigned long long hash = hash_of(name, bytes);

	if (!type && !changed)
		snprintf(text, sizeof(text), "%s", plain);
	else if (!type)
		snprintf(text, sizeof(text), "%.13s~%016llx", plain, hash);
	else if (!changed && strlen(type) + 1 + bytes < TACT_NAME_BYTES)
		snprintf(text, sizeof(text), "%s:%s", type, plain);
	else
		snprintf(text, sizeof(text), "%s:%.6s~%016llx", type, plain, hash);
	memcpy(key, text, TACT_NAME_BYTES);
	key[TACT_NAME_BYTES - 1] = '\0';
	return key;
}
