/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* In virtual time there is no file, as there are no other programs. Numbers are the program's. */
#include "runtime/served_file.h"

#include <errno.h>
#include <stdatomic.h>

int runtime_served_reserve(struct runtime_served_kind *kind, int number)
{
	return atomic_exchange(&kind->files[number].reserved, true) ? -EBUSY : 0;
}

void runtime_served_release(struct runtime_served_kind *kind, int number)
{
	atomic_store(&kind->files[number].reserved, false);
}

bool runtime_served_exists(const struct runtime_served_kind *kind, int number)
{
	(void)kind;
	(void)number;
	return false;
}

int runtime_served_open(struct runtime_served_kind *kind, int number, const char *name, void *owner)
{
	(void)kind;
	(void)number;
	(void)name;
	(void)owner;
	return 0;
}

void runtime_served_stop(struct runtime_served_kind *kind, int number)
{
	(void)kind;
	(void)number;
}

void runtime_served_close(struct runtime_served_kind *kind, int number)
{
	(void)kind;
	(void)number;
}
