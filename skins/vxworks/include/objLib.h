/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The codes that all objects have in common, and that of a caller that is a handler. */
#ifndef VXWORKS_OBJLIB_H
#define VXWORKS_OBJLIB_H

#include <errno.h>

#define M_memLib 0x00110000
#define M_objLib 0x003d0000
#define M_intLib 0x00430000

#define S_intLib_NOT_ISR_CALLABLE (M_intLib | 1)

#define S_memLib_NOT_ENOUGH_MEMORY (M_memLib | 1)

#define S_objLib_OBJ_ID_ERROR    (M_objLib | 1)
#define S_objLib_OBJ_UNAVAILABLE (M_objLib | 2)
#define S_objLib_OBJ_DELETED     (M_objLib | 3)
#define S_objLib_OBJ_TIMEOUT     (M_objLib | 4)

#endif
