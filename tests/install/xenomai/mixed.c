/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both interfaces in one program: tasks of the native one use POSIX objects and sockets, and a
 * POSIX thread waits for a native semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <alchemy/sem.h>
#include <alchemy/task.h>
#include <alchemy/timer.h>
#include <rtdm/ipc.h>

static const struct sockaddr_ipc port = {.sipc_family = AF_RTIPC, .sipc_port = 3};
static RT_TASK receiver;
static RT_TASK sender;
static RT_SEM native_sem;
static sem_t turns;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int taken;
static int received;
static int was_woken = -1;

static void receive(void *arg)
{
	int *s = arg;
	char text[8];

	for (int i = 0; i < 5; i++) {
		if (sem_wait(&turns))
			return;
		pthread_mutex_lock(&lock);
		taken++;
		pthread_mutex_unlock(&lock);
	}
	received = (int)recvfrom(*s, text, sizeof(text), 0, NULL, 0);
}

static void send_all(void *arg)
{
	int s = socket(AF_RTIPC, SOCK_DGRAM, IPCPROTO_IDDP);

	(void)arg;
	rt_task_set_periodic(NULL, TM_NOW, rt_timer_ns2ticks(1000000));
	for (int i = 0; i < 5; i++) {
		rt_task_wait_period(NULL);
		sem_post(&turns);
	}
	rt_task_wait_period(NULL);
	(void)sendto(s, "hello", 5, 0, (const struct sockaddr *)&port, sizeof(port));
	close(s);
}

static void *wait_for_native(void *arg)
{
	(void)arg;
	was_woken = rt_sem_p(&native_sem, TM_INFINITE);
	return NULL;
}

int main(void)
{
	struct sched_param parameter = {.sched_priority = 30};
	pthread_attr_t attributes;
	pthread_t thread;
	int s = socket(AF_RTIPC, SOCK_DGRAM, IPCPROTO_IDDP);

	mlockall(MCL_CURRENT | MCL_FUTURE);
	sem_init(&turns, 0, 0);
	if (bind(s, (const struct sockaddr *)&port, sizeof(port)) ||
	    rt_sem_create(&native_sem, NULL, 0, S_PRIO))
		return 1;
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	if (pthread_create(&thread, &attributes, wait_for_native, NULL) ||
	    rt_task_spawn(&receiver, NULL, 0, 50, T_JOINABLE, receive, &s) ||
	    rt_task_spawn(&sender, NULL, 0, 40, T_JOINABLE, send_all, NULL))
		return 1;
	rt_task_join(&sender);
	rt_task_join(&receiver);
	rt_sem_v(&native_sem);
	pthread_join(thread, NULL);
	printf("%d turns, %d bytes, %d\n", taken, received, was_woken);
	return 0;
}
