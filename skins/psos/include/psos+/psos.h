/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that the header has in Xenomai 2. */
#ifndef TACTUS_PSOSPLUS_PSOS_H
#define TACTUS_PSOSPLUS_PSOS_H

#include <psos.h>

#endif
