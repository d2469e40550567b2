/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The symbols of the program: those of an executable that was linked with -rdynamic. */
#ifndef VXWORKS_SYMLIB_H
#define VXWORKS_SYMLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_symLib_SYMBOL_NOT_FOUND (M_symLib | 1)

typedef unsigned char SYM_TYPE;
typedef struct symtab *SYMTAB_ID;

#define SYM_GLOBAL 0x01
#define SYM_TEXT   0x04

/* Its only table. */
extern SYMTAB_ID sysSymTbl;

STATUS symFindByName(SYMTAB_ID symTblId, char *name, char **pValue, SYM_TYPE *pType);

#ifdef __cplusplus
}
#endif

#endif
