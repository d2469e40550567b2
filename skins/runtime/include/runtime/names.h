/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names. In a skin each type of object has a name space of its own, while the nucleus has one for
 * all types. So the nucleus's name of an object, its key, is `type:name`; of a task, which tools
 * show, it is the name alone.
 */
#ifndef RUNTIME_NAMES_H
#define RUNTIME_NAMES_H

#include "runtime/record.h"

/* Fill in the name of a record, cut to RUNTIME_NAME_BYTES. NULL and "": one is made up of the
 * type's name and a number. */
void runtime_name(struct runtime_record *record, const char *name);
/*
 * type: what the key begins with; NULL: it is the name alone. key: receives TACT_NAME_BYTES. Two
 * names of one type have two keys, also if they are longer than a key or contain control
 * characters, which the nucleus accepts in no name. Names without a type are cut. Returns key.
 */
const char *runtime_key(const char *type, const char *name, char *key);

#endif
