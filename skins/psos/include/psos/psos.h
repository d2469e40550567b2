/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that the header has in Xenomai 3. */
#ifndef TACTUS_PSOS_PSOS_H
#define TACTUS_PSOS_PSOS_H

#include <psos.h>

#endif
