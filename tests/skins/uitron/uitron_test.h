/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of the skin share, beside tests/skins/itron/itron_test.h. */
#ifndef TESTS_UITRON_H
#define TESTS_UITRON_H

#include "itron_test.h"

/* Packets that only this version has; set_up.c has their values. */
extern T_DCYC dcyc;
extern T_DALM dalm;
extern T_DINT dint;

#endif
