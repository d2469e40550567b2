/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Objects that other programs may also use: one of each kind for each of the two threads, and locks
 * that both want. */
#define _GNU_SOURCE
#include "deny.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
	pthread_mutex_t plain, robust, inheriting;
	pthread_cond_t cond;
	pthread_rwlock_t lock;
	sem_t sem, turn;
} * shared[2];
static sem_t *named[2];
static pthread_mutex_t *wanted[2];

bool use_shared(int me)
{
	pthread_mutex_t *const mutexes[] = {&shared[me]->plain, &shared[me]->robust,
					    &shared[me]->inheriting};
	bool well = true;

	for (int i = 0; i < 3; i++) {
		well &= !pthread_mutex_lock(mutexes[i]) && !pthread_mutex_unlock(mutexes[i]);
		well &= !pthread_mutex_trylock(mutexes[i]) && !pthread_mutex_unlock(mutexes[i]);
	}
	well &= !pthread_cond_signal(&shared[me]->cond) &&
		!pthread_cond_broadcast(&shared[me]->cond);
	well &= !pthread_rwlock_rdlock(&shared[me]->lock) &&
		!pthread_rwlock_unlock(&shared[me]->lock);
	well &= !pthread_rwlock_wrlock(&shared[me]->lock) &&
		!pthread_rwlock_unlock(&shared[me]->lock);
	well &= !sem_post(&shared[me]->sem) && !sem_wait(&shared[me]->sem);
	well &= !sem_post(named[me]) && !sem_wait(named[me]) && sem_trywait(named[me]) == -1;
	return well;
}

void begin_passing(void)
{
	sem_post(named[0]);
	sem_post(&shared[0]->turn);
}

bool pass_named(int me)
{
	return !sem_wait(named[me]) && !sem_post(named[!me]);
}

bool pass_shared(int me)
{
	return !sem_wait(&shared[me]->turn) && !sem_post(&shared[!me]->turn);
}

bool contend_shared(void)
{
	bool well = true;

	for (int i = 0; i < 2; i++) {
		well &= !pthread_mutex_lock(wanted[i]);
		usleep(50);
		well &= !pthread_mutex_unlock(wanted[i]);
	}
	return well;
}

void share(int me)
{
	pthread_mutexattr_t attribute;
	pthread_condattr_t of_cond;
	pthread_rwlockattr_t of_lock;
	char name[32];

	shared[me] = mmap(NULL, sizeof(*shared[me]), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared[me]->plain, &attribute);
	wanted[0] = &shared[me]->plain;
	wanted[1] = &shared[me]->inheriting;
	pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared[me]->robust, &attribute);
	pthread_mutexattr_setprotocol(&attribute, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&shared[me]->inheriting, &attribute);
	pthread_condattr_init(&of_cond);
	pthread_condattr_setpshared(&of_cond, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared[me]->cond, &of_cond);
	pthread_rwlockattr_init(&of_lock);
	pthread_rwlockattr_setpshared(&of_lock, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&shared[me]->lock, &of_lock);
	sem_init(&shared[me]->sem, 1, 0);
	sem_init(&shared[me]->turn, 1, 0);
	snprintf(name, sizeof(name), "/tactus-deny-%d-%d", (int)getpid(), me);
	named[me] = sem_open(name, O_CREAT, 0600, 0);
	sem_unlink(name);
}
