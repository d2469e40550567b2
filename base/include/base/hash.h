/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Intrusive hash table from names to nodes; the caller gives the buckets and owns nodes and names.
 *
 * Context: any, by the owner of the table only; nothing here blocks or allocates.
 * Cost: the length of the name plus the nodes in its bucket: with as many buckets as nodes, one on
 * average. The table never grows; whoever creates it bounds the number of nodes.
 * Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV non-cryptographic hash algorithm".
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_hash_node {
	struct base_hash_node *next;
	struct base_hash_node **link; /* what points to this node; NULL: not in a table */
	const char *name;             /* the caller's, unchanged while the node is in the table */
	uint64_t hash;
};

struct base_hash {
	struct base_hash_node **bucket;
	size_t mask;
	size_t count;
};

/*
 * Makes an empty table.
 * buckets: the caller's for the table's life; bucket_count: a power of two, at least 1.
 * Returns 0; -TACT_EINVAL: bucket_count is no power of two. Cost: bucket_count.
 */
int __attribute__((warn_unused_result))
base_hash_init(struct base_hash *table, struct base_hash_node **buckets, size_t bucket_count);

static inline void base_hash_node_init(struct base_hash_node *node)
{
	node->link = NULL;
}

static inline bool base_hash_linked(const struct base_hash_node *node)
{
	return node->link != NULL;
}

/*
 * Enters an initialised node under a NUL-terminated name.
 * Returns 0; -TACT_EEXIST: the name is taken; -TACT_EBUSY: the node is in a table already.
 */
int __attribute__((warn_unused_result))
base_hash_insert(struct base_hash *table, struct base_hash_node *node, const char *name);

/* Removes a node of this table; harmless when it is in none. Cost: constant. */
void base_hash_remove(struct base_hash *table, struct base_hash_node *node);

/* The node of this name, or NULL. */
struct base_hash_node *base_hash_find(const struct base_hash *table, const char *name);

/*
 * Walks the table in no particular order: the node after node, the first for NULL, NULL at the end.
 * The table must not change during a walk, but for nodes already passed being removed. Cost: all
 * buckets in a whole walk.
 */
struct base_hash_node *base_hash_next(const struct base_hash *table,
				      const struct base_hash_node *node);

#endif
