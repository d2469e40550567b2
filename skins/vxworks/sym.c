/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Symbols: those that the dynamic linker knows. */
#define _GNU_SOURCE
#include <symLib.h>

#include <dlfcn.h>
#include <intLib.h>

#include "vxworks_internal.h"

SYMTAB_ID sysSymTbl = (SYMTAB_ID)&sysSymTbl;

STATUS symFindByName(SYMTAB_ID symTblId, char *name, char **pValue, SYM_TYPE *pType)
{
	char *value;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (symTblId != sysSymTbl)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	value = name ? dlsym(RTLD_DEFAULT, name) : NULL;
	if (!value)
		return vxworks_fail(S_symLib_SYMBOL_NOT_FOUND);
	if (pValue)
		*pValue = value;
	if (pType)
		*pType = SYM_GLOBAL | SYM_TEXT;
	return OK;
}
