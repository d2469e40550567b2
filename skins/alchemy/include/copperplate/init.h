/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that xenomai_init() had before Xenomai 3.0. */
#ifndef COPPERPLATE_INIT_H
#define COPPERPLATE_INIT_H

#include <xenomai/init.h>

#define copperplate_init(argcp, argvp) xenomai_init(argcp, argvp)

#endif
