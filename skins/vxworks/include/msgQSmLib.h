/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues of several processors: not here. */
#error "msgQSmLib.h: Shared memory of processors is not here; use msgQLib.h, for all are in one program"
