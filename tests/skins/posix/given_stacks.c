/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads on memory that the program supplies: they run there and nowhere else, and the memory
 * below stays untouched. A thread with little memory stays with Linux. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define LITTLE 16384u
#define BELOW  65536u /* of memory that belongs to others */
#define FILLED 0xa5

struct place {
	unsigned char *below, *stack;
	size_t bytes;
};

static pthread_key_t key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static const struct place *handled_at;
static volatile sig_atomic_t handled;

static void make(struct place *place, size_t bytes)
{
	place->below = mmap(NULL, BELOW + bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	place->stack = place->below + BELOW;
	place->bytes = bytes;
	memset(place->below, FILLED, BELOW);
}

static int end(struct place *place)
{
	int touched = 0;

	for (size_t i = 0; i < BELOW; i++)
		touched += place->below[i] != FILLED;
	munmap(place->below, BELOW + place->bytes);
	return touched;
}

static pthread_t thread_at(const struct place *place, int policy, void *(*entry)(void *))
{
	struct sched_param parameter = {.sched_priority = policy == SCHED_OTHER ? 0 : 30};
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, place->stack, place->bytes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, policy);
	pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(&thread, &attributes, entry, (void *)(uintptr_t)place);
	pthread_attr_destroy(&attributes);
	if (error)
		exit(error == EPERM ? 77 : 1);
	return thread;
}

static int is_there(const struct place *place, const void *what)
{
	return (uintptr_t)what - (uintptr_t)place->stack < place->bytes;
}

static int is_told(const struct place *place)
{
	pthread_attr_t attributes;
	void *stack = NULL;
	size_t bytes = 0;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return 0;
	pthread_attr_getstack(&attributes, &stack, &bytes);
	pthread_attr_destroy(&attributes);
	return stack == place->stack && bytes == place->bytes;
}

static void handle(int signal)
{
	volatile char here = (char)signal;

	handled += is_there(handled_at, (const void *)(uintptr_t)&here);
}

/* Calls that wait here and in Linux, with a handler in between and during one. */
static void call(const struct place *place)
{
	struct timespec until = later(CLOCK_REALTIME, 2000000);
	char text[64];
	int fd;

	handled_at = place;
	handled = 0;
	SHOW(usleep(1000));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_cond_timedwait(&cond, &mutex, &until) == ETIMEDOUT);
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_kill(pthread_self(), SIGUSR1));
	fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	SHOW(write(fd, text, (size_t)snprintf(text, sizeof(text), "%d %f", fd > 0, 1.5)));
	close(fd);
	SHOW(usleep(1000));
	SHOW(handled);
}

static void *works(void *argument)
{
	const struct place *place = argument;
	struct sched_param parameter;
	char here = 0;
	int policy;

	SHOW(is_there(place, &here));
	SHOW(is_told(place));
	SHOW(place->bytes == LITTLE ? is_no_task() : is_task_if_expected());
	call(place);
	SHOW(pthread_getschedparam(pthread_self(), &policy, &parameter));
	SHOW(policy == SCHED_FIFO && parameter.sched_priority == 30);
	return argument;
}

/* A plain thread that becomes a real-time thread, and plain again. */
static void *changes(void *argument)
{
	struct sched_param parameter = {.sched_priority = 20};
	const struct place *place = argument;

	SHOW(pthread_setschedparam(pthread_self(), SCHED_RR, &parameter));
	SHOW(place->bytes == LITTLE ? is_no_task() : is_task_if_expected());
	call(place);
	parameter.sched_priority = 0;
	SHOW(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameter));
	SHOW(is_told(place));
	return argument;
}

static void clean(void *what)
{
	SHOW((long)what);
}

static void *sleeps(void *argument)
{
	pthread_setspecific(key, (void *)2);
	pthread_cleanup_push(clean, (void *)1);
	sem_post(&ready);
	sleep(40);
	pthread_cleanup_pop(0);
	return argument;
}

static void *sleeps_under_lock(void *argument)
{
	pthread_setspecific(key, (void *)2);
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(clean, (void *)1);
	sem_post(&ready);
	pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	return argument;
}

static void *leaves(void *argument)
{
	pthread_cleanup_push(clean, (void *)3);
	usleep(1000);
	pthread_exit(argument);
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancelled(const struct place *place, void *(*entry)(void *))
{
	pthread_t thread = thread_at(place, SCHED_FIFO, entry);
	int error;

	while (sem_wait(&ready))
		;
	usleep(2000);
	error = pthread_cancel(thread);
	SHOW(joined(thread) == PTHREAD_CANCELED);
	SHOW(error);
}

static void all_on(size_t bytes)
{
	struct place place;

	SHOW(bytes);
	make(&place, bytes);
	SHOW(joined(thread_at(&place, SCHED_FIFO, works)) == &place);
	SHOW(joined(thread_at(&place, SCHED_OTHER, changes)) == &place);
	cancelled(&place, sleeps);
	cancelled(&place, sleeps_under_lock);
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(joined(thread_at(&place, SCHED_FIFO, leaves)) == &place);
	SHOW(end(&place));
}

/* The requested size is returned, whatever the real one is. */
static void *told(void *argument)
{
	pthread_attr_t attributes;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstacksize(&attributes, argument);
	pthread_attr_destroy(&attributes);
	SHOW(is_task_if_expected());
	return NULL;
}

static void asked_for(size_t bytes)
{
	struct sched_param parameter = {.sched_priority = 30};
	pthread_attr_t attributes;
	pthread_t thread;
	size_t found = 0;
	int error;

	pthread_attr_init(&attributes);
	SHOW(pthread_attr_setstacksize(&attributes, bytes));
	SHOW(pthread_attr_getstacksize(&attributes, &found));
	SHOW(found == bytes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(&thread, &attributes, told, &found);
	joined(thread);
	SHOW(error);
	SHOW(found == bytes);
	pthread_attr_getstacksize(&attributes, &found);
	SHOW(found == bytes);
	pthread_attr_destroy(&attributes);
}

int main(void)
{
	static const size_t sizes[] = {LITTLE, 32768, 65536, 262144};
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

	/* Messages about threads that do not become tasks are not wanted. */
	dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
	sem_init(&ready, 0, 0);
	pthread_key_create(&key, clean);
	sigaction(SIGUSR1, &action, NULL);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		all_on(sizes[i]);
	asked_for(LITTLE);
	asked_for(1048576);
	return 0;
}
