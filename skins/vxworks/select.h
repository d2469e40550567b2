/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The nodes of select() (select_node.c). */
#ifndef VXWORKS_SELECT_H
#define VXWORKS_SELECT_H

#include "vxworks_internal.h"

/* A node of the calling task; NULL: there is none left, and errno says so. */
SEL_WAKEUP_NODE *vxworks_node_make(struct vxworks_object *task, int fd, SELECT_TYPE type);
int vxworks_node_fd(const SEL_WAKEUP_NODE *node);
void vxworks_node_free(struct vxworks_object *task, SEL_WAKEUP_NODE *node);
/* Free those of a wait that did not end by itself. */
void vxworks_nodes_drop(struct vxworks_object *task);

#endif
