/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What skin_check.h leaves to the tests of a skin. */
#include "skin_check.h"

#include <vxWorks.h>

#include <errno.h>

void skin_before(void)
{
	errno = 0;
}

/* A failed call returns ERROR or NULL, and sets errno; one that succeeds may leave anything there.
 */
long skin_code(long result)
{
	return result == ERROR ? errno : OK;
}
