/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of pSOSystem that is not here. */
#error "prpc.h: pRPC+ (remote procedure calls) is not here: use a library of Linux, such as libtirpc"
