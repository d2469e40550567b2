/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of each thread, as it is before the thread is known: the signals that it blocks are
 * not read. */
#define _GNU_SOURCE
#include "posix/state/record.h"

#include "posix/state/mask_cells.h"

__thread struct posix_thread posix_me __attribute__((tls_model("initial-exec"))) = {
	.mask = &posix_mask_cell_nobodys,
};
