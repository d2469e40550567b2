/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program for tests/python/test_vx_shell.py: functions and variables that a shell uses. */
#include <semLib.h>
#include <shellLib.h>
#include <stdio.h>
#include <taskLib.h>

extern int counter;
extern short small_number;
extern long big_number;
extern char text_of_program[];
extern double real_number;
int add(int a, int b, int c);
int length(const char *text);
int waiter(SEM_ID sem);
void usrAppInit(void);

extern const int constant;

const int constant = 3;
int counter = 7;
short small_number = -2;
long big_number = 0x123456789;
char text_of_program[] = "text";
double real_number = 1.5;

int add(int a, int b, int c)
{
	return a + b + c;
}

int length(const char *text)
{
	int bytes = 0;

	while (text[bytes])
		bytes++;
	return bytes;
}

static int waits(SEM_ID sem)
{
	return semTake(sem, WAIT_FOREVER);
}

int waiter(SEM_ID sem)
{
	return taskSpawn("tWaiter", 80, VX_FP_TASK, 20000, (FUNCPTR)waits, (_Vx_usr_arg_t)sem, 0, 0,
			 0, 0, 0, 0, 0, 0, 0);
}

void usrAppInit(void)
{
	if (shellInit(0, 0) == ERROR)
		perror("shellInit");
	if (shellInit(0, 0) != ERROR)
		puts("a second shell was started");
	puts("ready");
	fflush(stdout);
}
