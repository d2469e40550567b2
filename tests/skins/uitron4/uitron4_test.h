/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of the skin share, beside tests/skins/itron/itron_test.h. */
#ifndef TESTS_UITRON4_H
#define TESTS_UITRON4_H

#include "itron_test.h"

/* Packets that only this version has; set_up.c has their values. set_up() makes data queues of
 * them, too, of which 2 is full, and a mutex that the task 50 has locked. */
extern T_CDTQ cdtq;
extern T_CMTX cmtx;
extern T_CCYC ccyc;
extern T_CALM calm;
extern T_CISR cisr;
extern T_DTEX dtex;
extern T_DOVR dovr;
extern T_DINH dinh;

#endif
