/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of the skin share: objects with the ID 1, and tasks that run a call. */
#ifndef TESTS_UITRON4_H
#define TESTS_UITRON4_H

#include "skin_check.h"

#include <kernel.h>

/* A time that does not pass by itself. */
#define LONG 10000

/* Packets; test_tasks.c has their values. */
extern T_CTSK ctsk;
extern T_CSEM csem;
extern T_CFLG cflg;
extern T_CDTQ cdtq;
extern T_CMBX cmbx;
extern T_CMTX cmtx;
extern T_CMBF cmbf;
extern T_CPOR cpor;
extern T_CMPL cmpl;
extern T_CMPF cmpf;
extern T_CCYC ccyc;
extern T_CALM calm;
extern T_CISR cisr;
extern T_DTEX dtex;
extern T_DOVR dovr;
extern T_DINH dinh;
extern T_DSVC dsvc;
extern T_DEXC dexc;
extern T_MSG message;
extern char bytes[64];

/* Objects with the ID 1 at which a caller waits: empty ones, and a mutex that the task 50 has
 * locked. The message buffer 2 and the data queue 2 are full. The task 1 is dormant. Handlers 1 do
 * not run. Objects that are there stay. */
void set_up(void);

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
