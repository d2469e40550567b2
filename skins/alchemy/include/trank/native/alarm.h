/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/alarm.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_ALARM_H
#define TRANK_NATIVE_ALARM_H

#include <alchemy/alarm.h>

#endif
