/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can lend priority, and the tasks that show when it ends. */
#ifndef TESTS_BOOST_LENDERS_H
#define TESTS_BOOST_LENDERS_H

#include "exact.h"

#define LENT_MS     2
#define COMPUTES_MS 5
#define READY_MS    8
#define ENDS_MS     10
#define COMPUTED_MS 60

enum end { TIMES_OUT, UNBLOCKED, DELETED, OBJECT_DELETED };

#define NOT_COUNTED UINT64_MAX

/* Something to be owned and waited for. */
struct lender {
	tact_object_t (*create)(uint32_t flags);
	int (*remove)(tact_object_t object);
	void (*own)(tact_object_t object);
	int (*wait)(tact_object_t object, tact_timeout_t timeout);
	/* A task beside the owner that makes it an owner. NULL: none is needed. */
	void (*helper)(void *unused);
};

extern const struct lender by_mutex, by_mutex_by_arrival, by_chain, by_port, by_busy_port,
	by_reader, by_writer;

extern tact_time_t begin;
extern tact_object_t object;
extern volatile bool stop;
/* The number of messages that the owner's CPU had received while the owner had the boost, and of
 * those that will report the end. */
extern uint64_t messages_before, messages_due;

tact_timeout_t at_ms(uint64_t ms);
struct tact_cpu_info info_of_cpu(void);

/* Tasks. The owner and the waiters get the lender as their argument. */
void computer(void *unused);
void rival(void *unused);
void owner(void *lender);
void waiter(void *lender);
/* As the above, until another task ends its wait. */
void patient_waiter(void *lender);

/* Another task ends the wait. If the wait times out, none does. */
void break_in(const struct lender *lender, tact_task_t waiting, enum end end);

void own_mutex(tact_object_t mutex);
int lock_mutex(tact_object_t mutex, tact_timeout_t timeout);
void serve(tact_object_t port);
int send_nothing(tact_object_t port, tact_timeout_t timeout);

#endif
