/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The places at which tasks left primary mode, for the summary. */
#ifndef POSIX_SITES_H
#define POSIX_SITES_H

#include "posix/libc/print.h"

/* begin: begin to collect. print: at the end, print a line for each place, the most frequent
 * first. */
void posix_sites_begin(void);
void posix_sites_print(struct posix_print *to);

#endif
