/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A skin's error codes: one table from the nucleus's codes, which are Linux's numbers. */
#ifndef RUNTIME_ERROR_H
#define RUNTIME_ERROR_H

struct runtime_error {
	int from; /* a code of the nucleus, negative; 0: the last entry of the table */
	/* Of the last entry: of all codes that the table does not have. 0: they stay as they are.
	 */
	int to;
};

/* Context: any. */
int runtime_translate(const struct runtime_error *table, int result);

/* The skin's code for a result of the nucleus; 0 and more are returned unchanged. */
static inline int runtime_result(const struct runtime_error *table, int result)
{
	return result >= 0 ? result : runtime_translate(table, result);
}

#endif
