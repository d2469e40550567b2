/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The numbers of the modules, which are the upper halves of the codes in errno. */
#ifndef VXWORKS_VWMODNUM_H
#define VXWORKS_VWMODNUM_H

#define M_errno     0
#define M_taskLib   (3 << 16)
#define M_ioLib     (12 << 16)
#define M_iosLib    (13 << 16)
#define M_memLib    (17 << 16)
#define M_rngLib    (19 << 16)
#define M_semLib    (22 << 16)
#define M_symLib    (28 << 16)
#define M_wdLib     (34 << 16)
#define M_selectLib (57 << 16)
#define M_objLib    (61 << 16)
#define M_msgQLib   (65 << 16)
#define M_intLib    (67 << 16)
#define M_eventLib  (134 << 16)

#endif
