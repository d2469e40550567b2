/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The links of a device's header. */
#ifndef VXWORKS_DLLLIB_H
#define VXWORKS_DLLLIB_H

typedef struct dlnode {
	struct dlnode *next;
	struct dlnode *previous;
} DL_NODE;

#endif
