/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the tests of both versions of µITRON share. Sources of this folder are compiled for each of
 * them, against its headers. test_tasks.c defines the functions for tasks; set_up.c of a version
 * defines the packets, set_up() and task_state().
 */
#ifndef TESTS_ITRON_H
#define TESTS_ITRON_H

#include "skin_check.h"

#include <itron.h>
#ifdef TACTUS_ITRON4_H
#include <kernel.h>
/* A packet that ends a definition. */
#define NO_PACKET NULL
#else
#include <uitron/extend.h>
#define NO_PACKET NADR
#endif

/* A time that does not pass by itself. */
#define LONG 10000

extern T_CTSK ctsk;
extern T_CSEM csem;
extern T_CFLG cflg;
extern T_CMBX cmbx;
extern T_CMBF cmbf;
extern T_CPOR cpor;
extern T_CMPL cmpl;
extern T_CMPF cmpf;
extern T_DSVC dsvc;
extern T_DEXC dexc;
extern T_MSG message;
extern char bytes[64];
/* The entry of the tasks and handlers of the packets. */
void nothing(void);

/* Objects with the ID 1 at which a caller waits: empty ones. The message buffer 2 is full. The task
 * 1 is dormant. Handlers 1 do not run. Objects that are there stay. */
void set_up(void);
/* Make an object for set_up(), if it is not there. */
void made(ER code);
/* Create semaphores and ports until there is no memory for more. */
void use_up_memory(void);

/* What ref_tsk() tells: its parameters and packet differ between the versions. Returns its code. */
struct task_state {
	UINT state; /* TTS_x */
	PRI priority;
};
ER task_state(ID id, struct task_state *state);

/* A task runs a body, to its end. */
void in_task(void (*body)(void));
/* The same, and the body waits in a call, which is released. */
void released(void (*body)(void));
/* The same, and what it waits for is deleted. */
void deleted(void (*body)(void), ER (*del)(ID id), ID id);
/* Start a task with this ID, which runs a body until it rests. */
void start(ID id, PRI priority, void (*body)(void));
/* Wait until a task that was started waits, is suspended, is dormant or does not exist. */
void until_rests(ID id);
/* Wait until the task with this ID is dormant or does not exist. */
void until_dormant(ID id);

#endif
