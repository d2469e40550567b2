/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Error codes: see error.h. */
#include "runtime/error.h"

int runtime_translate(const struct runtime_error *table, int result)
{
	while (table->from && table->from != result)
		table++;
	return table->from || table->to ? table->to : result;
}
