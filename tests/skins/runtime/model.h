/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A small skin, as docs/guide/new-skin.md describes one: ids in an int, a tick of 60 Hz, words of
 * its own for errors, tasks, and a root function. */
#ifndef TESTS_RUNTIME_MODEL_H
#define TESTS_RUNTIME_MODEL_H

#define MODEL_FOREVER  (-1)
#define MODEL_OK       0
#define MODEL_TIMEOUT  (-2)
#define MODEL_INVALID  (-3) /* no such id, or a bad argument */
#define MODEL_CONTEXT  (-4) /* not from here */
#define MODEL_EXISTS   (-5)
#define MODEL_DELETED  (-6)
#define MODEL_FAILED   (-7) /* any other reason */
#define MODEL_TICKS_HZ 60

/* The id, or an error. */
int model_sem_create(const char *name, unsigned int count);
int model_sem_find(const char *name);
int model_sem_take(int id, int ticks);
int model_sem_give(int id);
int model_sem_delete(int id);

int model_task_spawn(const char *name, unsigned int priority, void (*entry)(void *), void *arg);
/* The id of the calling task; MODEL_CONTEXT: it is not one. */
int model_task_self(void);
/* Of a task that has ended, too; MODEL_INVALID: it was deleted. */
int model_task_delete(int id);

int model_result(int result);
/* Runs root in a task; returns when it has returned. */
int model_start(void (*root)(void *), void *arg);

#endif
