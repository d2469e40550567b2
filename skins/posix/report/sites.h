/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where tasks left primary mode, for the summary. */
#ifndef POSIX_SITES_H
#define POSIX_SITES_H

#include "posix/libc/print.h"

/* Begin to collect; at the end, a line for each place, the most frequent first. */
void posix_sites_begin(void);
void posix_sites_print(struct posix_print *to);

#endif
