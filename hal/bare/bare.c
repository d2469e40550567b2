/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cores of this program, and the way to the module. */
#include "bare.h"

struct bare_program bare_program = {.device = -1};
