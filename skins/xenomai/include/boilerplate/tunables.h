/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The older name of <xenomai/tunables.h>. */
#ifndef BOILERPLATE_TUNABLES_H
#define BOILERPLATE_TUNABLES_H

#include <xenomai/tunables.h>

#endif
