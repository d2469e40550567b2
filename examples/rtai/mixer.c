/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A mixing plant as an LXRT program: a periodic controller in hard real time, an operator who sends
 * recipes and waits for the answer, a tasklet that watches the level, and a logger that is a plain
 * thread of Linux and reads a FIFO. Instants are ms since the start.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <rtai_bits.h>
#include <rtai_fifos.h>
#include <rtai_lxrt.h>
#include <rtai_mbx.h>
#include <rtai_msg.h>
#include <rtai_sem.h>
#include <rtai_shm.h>
#include <rtai_tasklets.h>

#define MS(n) nano2count((n)*1000000ll)

#define LOG_FIFO 0
#define FULL     1ul /* bits */
#define STOP     2ul

struct entry {
	int ms;
	char text[44];
};

struct plant {
	int level; /* ml */
	int inflow;
};

static RTIME start;
static struct plant *plant;
static SEM *valve;
static BITS *state;

static void note(const char *text)
{
	struct entry entry = {.ms = (int)(count2nano(rt_get_time() - start) / 1000000)};

	strncpy(entry.text, text, sizeof(entry.text) - 1);
	rtf_put(LOG_FIFO, &entry, sizeof(entry));
}

/* Moves the plant on by 10 ms, each time. */
static void *control(void *arg)
{
	rt_task_init(nam2num("CTRL"), 1, 0, 0);
	rt_make_hard_real_time();
	rt_task_make_periodic(NULL, start + MS(10), MS(10));
	while (rt_bits_wait_if(state, ALL_CLR, STOP, NOP_BITS, 0, NULL) == 1) {
		rt_sem_wait(valve);
		plant->level += plant->inflow;
		rt_sem_signal(valve);
		rt_task_wait_period();
	}
	note("controller ends");
	rt_task_delete(NULL);
	return arg;
}

/* Called every 15 ms. */
static void watch(unsigned long limit)
{
	if (plant->level >= (int)limit)
		rt_bits_signal(state, SET_BITS, FULL);
}

/* Answers recipes, an inflow each, when the tank is full. */
static void *mix(void *arg)
{
	unsigned long inflow;
	RT_TASK *operator;

	rt_task_init(nam2num("MIXER"), 2, 0, 0);
	rt_make_hard_real_time();
	while ((operator= rt_receive(0, &inflow)) && inflow) {
		note("recipe accepted");
		rt_sem_wait(valve);
		plant->level = 0;
		plant->inflow = (int)inflow;
		rt_bits_signal(state, CLR_BITS, FULL);
		rt_sem_signal(valve);
		rt_bits_wait(state, ALL_SET, FULL, CLR_BITS, FULL, NULL);
		rt_sem_wait(valve);
		plant->inflow = 0;
		rt_sem_signal(valve);
		note("tank is full");
		rt_return(operator,(unsigned long) plant->level);
	}
	rt_bits_signal(state, SET_BITS, STOP);
	rt_return(operator, 0);
	note("mixer ends");
	rt_task_delete(NULL);
	return arg;
}

/* No task of RTAI: it looks every 20 ms. */
static void *log_all(void *arg)
{
	struct entry entry;
	int *done = arg;

	do {
		usleep(20000);
		while (rtf_get(LOG_FIFO, &entry, sizeof(entry)) == sizeof(entry))
			printf("%4d ms  %s\n", entry.ms, entry.text);
	} while (!__atomic_load_n(done, __ATOMIC_ACQUIRE));
	return NULL;
}

static void operate(void)
{
	static const unsigned long recipes[] = {50, 120, 30};
	RT_TASK *mixer;
	unsigned long level;
	char text[44];

	while (!(mixer = rt_get_adr(nam2num("MIXER"))))
		rt_sleep(MS(1));
	for (unsigned int i = 0; i < 3; i++) {
		rt_rpc(mixer, recipes[i], &level);
		snprintf(text, sizeof(text), "operator has %lu ml", level);
		note(text);
		rt_sleep(MS(25));
	}
	rt_rpc(mixer, 0, &level);
}

int main(void)
{
	struct rt_tasklet_struct *watcher;
	pthread_t logger;
	long controller;
	long mixer;
	int done = 0;

	rt_task_init(nam2num("MAIN"), 10, 0, 0);
	start_rt_timer(0);
	start = rt_get_time();
	plant = rt_shm_alloc(nam2num("PLANT"), sizeof(*plant), USE_VMALLOC);
	valve = rt_typed_sem_init(nam2num("VALVE"), 1, RES_SEM);
	state = rt_bits_init(nam2num("STATE"), 0);
	rtf_create(LOG_FIFO, 4096);
	watcher = rt_init_timer();
	rt_insert_timer(watcher, 3, start + MS(15), MS(15), watch, 300, 0);
	controller = rt_thread_create((void *)control, NULL, 0);
	mixer = rt_thread_create((void *)mix, NULL, 0);
	pthread_create(&logger, NULL, log_all, &done);
	operate();
	rt_thread_join(mixer);
	rt_thread_join(controller);
	rt_delete_timer(watcher);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	pthread_join(logger, NULL);
	rtf_destroy(LOG_FIFO);
	rt_bits_delete(state);
	rt_sem_delete(valve);
	rt_shm_free(nam2num("PLANT"));
	stop_rt_timer();
	rt_task_delete(NULL);
	return 0;
}
