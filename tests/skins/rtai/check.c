/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What skin_check.h leaves to the tests of a skin. */
#include "skin_check.h"

void skin_before(void)
{
}

/*
 * RTAI has no errno: a result is its own code. A test of what succeeds with another number than 0,
 * or fails with -1, compares it. -1 is what skin_check.h makes of NULL.
 */
long skin_code(long result)
{
	return result == -1 ? 0 : result;
}
