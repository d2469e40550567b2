/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of shadows' records: there for good, once there. */
#define _GNU_SOURCE

#include "shadow/record.h"

#include <stdlib.h>
#include <string.h>

#include "port.h"

#define RECORD_BYTES 1024u

/*
 * A thread that a shadow creates inherits the GS base. It is told by its TLS base, and its own GS
 * base is put right. It may do so long after that shadow ended: records are kept for other shadows
 * and never freed. No shadow has the TLS base of such a thread, for that lives.
 */
static _Atomic(struct hal_shadow *) spare_records;

/* All there ever were, for who goes through those that are there. */
static _Atomic(struct hal_shadow *) known;

static void know(struct hal_shadow *record)
{
	record->known = atomic_load_explicit(&known, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&known, &record->known, record,
						      memory_order_release, memory_order_relaxed))
		;
}

struct hal_shadow *shadow_first_known(void)
{
	return atomic_load_explicit(&known, memory_order_acquire);
}

static void keep_records(struct hal_shadow *first, struct hal_shadow *last)
{
	last->next = atomic_load_explicit(&spare_records, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&spare_records, &last->next, first,
						      memory_order_release, memory_order_relaxed))
		;
}

/* Takes all and gives back the rest, so nobody's list changes under a comparison. */
struct hal_shadow *shadow_record_get(void)
{
	struct hal_shadow *record =
		atomic_exchange_explicit(&spare_records, NULL, memory_order_acquire);
	struct hal_shadow *none = NULL;
	struct hal_shadow *last;

	_Static_assert(sizeof(struct hal_shadow) <= RECORD_BYTES, "allocation");
	if (!record) {
		record = aligned_alloc(LINUX_CACHE_LINE, RECORD_BYTES);
		if (!record)
			return NULL;
		memset(record, 0, sizeof(*record));
		know(record);
		return record;
	}
	last = record->next;
	if (last &&
	    !atomic_compare_exchange_strong_explicit(&spare_records, &none, last,
						     memory_order_release, memory_order_relaxed)) {
		while (last->next)
			last = last->next;
		keep_records(record->next, last);
	}
	return record;
}

void shadow_record_put(struct hal_shadow *record)
{
	keep_records(record, record);
}
