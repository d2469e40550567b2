/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Name table: chained buckets, FNV-1a of 64 bits. Names are compared only when all 64 bits agree,
 * so a look-up reads one foreign name at most but for true collisions.
 */
#include "base/hash.h"

#include "base/error.h"

static uint64_t hash_of(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return hash;
}

static bool equal(const char *a, const char *b)
{
	for (; *a && *a == *b; a++)
		b++;
	return *a == *b;
}

/* The high half is mixed in: FNV's low bits alone are weak for names that end alike. */
static inline size_t bucket_of(const struct base_hash *table, uint64_t hash)
{
	return (size_t)(hash ^ hash >> 32) & table->mask;
}

int base_hash_init(struct base_hash *table, struct base_hash_node **buckets, size_t bucket_count)
{
	if (!buckets || !bucket_count || (bucket_count & (bucket_count - 1)))
		return -TACT_EINVAL;
	for (size_t i = 0; i < bucket_count; i++)
		buckets[i] = NULL;
	table->bucket = buckets;
	table->mask = bucket_count - 1;
	table->count = 0;
	return 0;
}

static struct base_hash_node *find(const struct base_hash *table, uint64_t hash, const char *name)
{
	struct base_hash_node *node = table->bucket[bucket_of(table, hash)];

	while (node && (node->hash != hash || !equal(node->name, name)))
		node = node->next;
	return node;
}

int base_hash_insert(struct base_hash *table, struct base_hash_node *node, const char *name)
{
	uint64_t hash = hash_of(name);
	struct base_hash_node **link = &table->bucket[bucket_of(table, hash)];

	if (node->link)
		return -TACT_EBUSY;
	if (find(table, hash, name))
		return -TACT_EEXIST;
	node->next = *link;
	node->link = link;
	node->name = name;
	node->hash = hash;
	if (*link)
		(*link)->link = &node->next;
	*link = node;
	table->count++;
	return 0;
}

void base_hash_remove(struct base_hash *table, struct base_hash_node *node)
{
	if (!node->link)
		return;
	*node->link = node->next;
	if (node->next)
		node->next->link = node->link;
	node->link = NULL;
	table->count--;
}

struct base_hash_node *base_hash_find(const struct base_hash *table, const char *name)
{
	return find(table, hash_of(name), name);
}

struct base_hash_node *base_hash_next(const struct base_hash *table,
				      const struct base_hash_node *node)
{
	size_t bucket = 0;

	if (node) {
		if (node->next)
			return node->next;
		bucket = bucket_of(table, node->hash) + 1;
	}
	for (; bucket <= table->mask; bucket++)
		if (table->bucket[bucket])
			return table->bucket[bucket];
	return NULL;
}
