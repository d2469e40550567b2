/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of shadows' records, which is never freed. */
#define _GNU_SOURCE

#include "shadow/record.h"

#include <stdlib.h>
#include <string.h>

#include "port.h"

#define RECORD_BYTES 1024u

/*
 * A thread that a shadow creates inherits its GS base. Such a thread is recognised by its TLS base,
 * and its own GS base is corrected. That may happen long after the shadow ended. So records are
 * kept for other shadows, and never freed. No shadow has the TLS base of such a thread, because the
 * thread lives.
 */
static _Atomic(struct hal_shadow *) spare_records;

/* All records that ever were made, for code that visits all shadows. */
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

/* Takes all records and gives back the rest, so that no list changes between a read and its
 * comparison. */
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
