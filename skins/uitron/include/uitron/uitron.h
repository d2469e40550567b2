/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The header by the name that it has in Xenomai 2. */
#ifndef TACTUS_UITRON_UITRON_H
#define TACTUS_UITRON_UITRON_H

#include <itron.h>

#endif
