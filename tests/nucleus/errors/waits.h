/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every call of the native API that waits, as a row of a table: what can end its wait. */
#ifndef TESTS_ERRORS_WAITS_H
#define TESTS_ERRORS_WAITS_H

#include "test.h"

enum waits_has {
	WAITS_TIMEOUT = 1u << 0, /* it takes a timeout of any kind */
	WAITS_DELETED = 1u << 1, /* the deletion of its object ends it */
	WAITS_TIMER = 1u << 2,   /* of another CPU it takes a timer of the home CPU */
	WAITS_LINUX = 1u << 3,   /* a Linux thread can wait, too, and then takes such a timer */
};

struct waits_row {
	const char *name;
	/* Wait in vain, and return what the call returns. Context: task of CPU 0 or 1;
	 * with WAITS_LINUX also linux. */
	int (*wait)(tact_timeout_t timeout);
	unsigned has;
	uint32_t state; /* of the task meanwhile */
	/* Of the object it waits for; NULL: not WAITS_DELETED. */
	int (*delete)(void);
	/* End all waits of the object; NULL: there is no such call. */
	int (*flush)(void);
};

extern const struct waits_row waits_rows[];
extern const unsigned waits_count;

/* New objects, with which each row waits in vain. Context: linux. */
void waits_make(void);

/* Fail the case unless this is what the row has returned. */
void waits_expect(const struct waits_row *row, const char *what, int actual, int expected);

#endif
