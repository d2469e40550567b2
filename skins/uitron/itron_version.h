/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 3.02, for the sources of skins/itron. */
#ifndef ITRON_VERSION_H
#define ITRON_VERSION_H

#include <itron.h>
#include <uitron/extend.h>

#include "uitron_errors.h"

#define ITRON_ERRORS uitron_wait_errors
#define ITRON_SKIN   "uitron"
/* Calls other than those that wait are served while the CPU is locked. */
#define ITRON_LOCKED_REFUSES 0
#define ITRON_NO_MORE_IDS    E_NOMEM
/* What ter_tsk() says of the caller itself, and whether it may suspend and wake itself. */
#define ITRON_SELF_REFUSED  E_OBJ
#define ITRON_SUSPENDS_SELF false
#define ITRON_WAKES_SELF    false
/* May handlers lock the CPU, and does unl_cpu() enable dispatching? */
#define ITRON_HANDLERS_LOCK     false
#define ITRON_UNLOCK_DISPATCHES true
/* rot_rdq(TPRI_RUN) of a handler. */
#define ITRON_ROTATE_NONE E_CTX
/* A second task waits for event flags of TA_WSGL. */
#define ITRON_SECOND_WAITER E_OBJ
/* fwd_por() to a port with longer replies than the first one. */
#define ITRON_REPLY_TOO_LONG E_OBJ
#define ITRON_WAIT_RECEIVE   TTW_MBF
#define ITRON_SIZE           INT
#define ITRON_INTNO          UINT
#define ITRON_SVC_RESULT     ER
/* A packet that ends a definition, and the attributes of one. */
#define ITRON_NO_PACKET  NADR
#define ITRON_ATTRIBUTES TA_HLNG

/* Members of the records of objects that only this version has. */
struct itron_task_more {
	char none;
};
struct itron_mutex {
	char none;
};

/* A message in the ring of a mailbox. */
struct itron_message {
	struct itron_message *next;
	T_MSG *message;
	INT priority;
};
struct itron_mailbox_more {
	struct itron_message *ring;  /* the memory */
	struct itron_message *spare; /* free ones */
};

struct itron_node;
static inline INT itron_node_priority(const struct itron_node *node)
{
	return ((const struct itron_message *)node)->priority;
}
static inline void *itron_node_message(const struct itron_node *node)
{
	return ((const struct itron_message *)node)->message;
}

#endif
