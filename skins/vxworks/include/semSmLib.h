/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores of several processors: not here. */
#error "semSmLib.h: Shared memory of processors is not here; use semLib.h, for all are in one program"
