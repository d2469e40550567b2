/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread-local storage of light tasks: none. */
#ifndef LINUX_LIGHT_H
#define LINUX_LIGHT_H

#include <stdbool.h>
#include <stdint.h>

int linux_light_start(void);
bool linux_light_tls(uintptr_t address);
uint64_t linux_light_base(void);

#endif
