/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The codes that all objects have in common. */
#ifndef VXWORKS_OBJLIB_H
#define VXWORKS_OBJLIB_H

#include <errno.h>

#include <vwModNum.h>
#include <vxWorks.h>

#define S_objLib_OBJ_ID_ERROR    (M_objLib | 1)
#define S_objLib_OBJ_UNAVAILABLE (M_objLib | 2)
#define S_objLib_OBJ_DELETED     (M_objLib | 3)
#define S_objLib_OBJ_TIMEOUT     (M_objLib | 4)
#define S_objLib_OBJ_NO_METHOD   (M_objLib | 5)

typedef struct obj_core *OBJ_ID;

#endif
