/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What skin_check.h leaves to the tests of a skin: a call of pSOS+ returns its code. */
#include "skin_check.h"

void skin_before(void)
{
}

long skin_code(long result)
{
	return result;
}
