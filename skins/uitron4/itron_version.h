/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 4.0, for the sources of skins/itron. */
#ifndef ITRON_VERSION_H
#define ITRON_VERSION_H

#include <stdbool.h>

#include <kernel.h>

#include "uitron4_errors.h"

#define ITRON_ERRORS uitron4_wait_errors
#define ITRON_SKIN   "uitron4"
/* While the CPU is locked, calls are E_CTX. */
#define ITRON_LOCKED_REFUSES 1
#define ITRON_NO_MORE_IDS    E_NOID
/* What ter_tsk() says of the caller itself, and whether it may suspend and wake itself. */
#define ITRON_SELF_REFUSED  E_ILUSE
#define ITRON_SUSPENDS_SELF true
#define ITRON_WAKES_SELF    true
/* May handlers lock the CPU, and does unl_cpu() enable dispatching? */
#define ITRON_HANDLERS_LOCK     true
#define ITRON_UNLOCK_DISPATCHES false
/* rot_rdq(TPRI_SELF) of a handler. */
#define ITRON_ROTATE_NONE E_PAR
/* A second task waits for event flags of TA_WSGL. */
#define ITRON_SECOND_WAITER E_ILUSE
/* fwd_por() to a port with longer replies than the first one. */
#define ITRON_REPLY_TOO_LONG E_ILUSE
#define ITRON_WAIT_RECEIVE   TTW_RMBF
#define ITRON_SIZE           UINT
#define ITRON_INTNO          INTNO
#define ITRON_SVC_RESULT     ER_UINT
/* A packet that ends a definition, and the attributes of one. */
#define ITRON_NO_PACKET  NULL
#define ITRON_ATTRIBUTES TA_ASM

typedef RDVNO RNO;

struct itron_object;

/* Members of the records of objects that only this version has. */
struct itron_task_more {
	FP exceptions; /* the routine; NULL: none */
	bool enabled;
	bool in_routine;
	struct itron_object *mutexes; /* that it has locked */
	bool limited;                 /* sta_ovr() */
	uint64_t limit_ns;            /* of the time that the task has run */
};
struct itron_mutex {
	struct itron_object *owner;
	struct itron_object *next; /* of the same owner */
	PRI ceiling;               /* 0: none */
};
struct itron_mailbox_more {
	PRI lowest; /* priority of messages */
};

struct itron_node;
static inline INT itron_node_priority(const struct itron_node *node)
{
	return ((const T_MSG_PRI *)(const void *)node)->msgpri;
}
static inline void *itron_node_message(struct itron_node *node)
{
	return node;
}

#endif
