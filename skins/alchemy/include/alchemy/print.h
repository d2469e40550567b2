/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing from primary mode, under the name that this skin has for it. */
#ifndef ALCHEMY_PRINT_H
#define ALCHEMY_PRINT_H

#include <xenomai/print.h>

#endif
