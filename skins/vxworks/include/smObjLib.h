/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects of several processors: not here. */
#error "smObjLib.h: Shared memory of processors is not here; use semLib.h and msgQLib.h in one program"
