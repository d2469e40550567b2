/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program for tests/python/test_vx_start.py: a module, with a task that ends. */
#include <stdio.h>
#include <taskLib.h>

int init_module(void);
void cleanup_module(void);

static int task(void)
{
	taskDelay(2);
	return puts("task");
}

int init_module(void)
{
	puts("init");
	return taskSpawn("tTask", 100, VX_FP_TASK, 20000, task, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) ==
	       ERROR;
}

void cleanup_module(void)
{
	puts("cleanup");
}
