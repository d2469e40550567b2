/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text that hal_start() returns: linux_notice() adds a sentence if it fits as a whole,
 * linux_refuse() replaces the text. */
#ifndef LINUX_REASON_H
#define LINUX_REASON_H

#include "hal/cpu.h"

void linux_notice(char reason[HAL_REASON_BYTES], const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int linux_refuse(char reason[HAL_REASON_BYTES], int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
