/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first real-time threads of a program are cancelled while they begin, and in code without
 * unwind tables (meson.build): later threads work, and the program ends. */
#define _GNU_SOURCE
#include <unistd.h>

#include "check.h"

static void *sleeps(void *argument)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sleep(40);
	return argument;
}

static void *works(void *argument)
{
	SHOW(usleep(1000));
	SHOW(is_task_if_expected());
	return argument;
}

int main(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_t thread = fifo_thread(30, sleeps, NULL);

		usleep((useconds_t)i * 2000);
		SHOW(pthread_cancel(thread));
		SHOW(joined(thread) == PTHREAD_CANCELED);
	}
	joined(fifo_thread(40, works, NULL));
	return 0;
}
