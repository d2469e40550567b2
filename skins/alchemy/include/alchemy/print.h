/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing from primary mode, among the headers of this skin. */
#ifndef ALCHEMY_PRINT_H
#define ALCHEMY_PRINT_H

#include <xenomai/print.h>

#endif
