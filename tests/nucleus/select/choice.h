/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the cases of choices read from semaphores. */
#ifndef TESTS_SELECT_CHOICE_H
#define TESTS_SELECT_CHOICE_H

#include "test.h"

static inline uint32_t value_of(tact_sem_t sem)
{
	struct tact_sem_info info = {0};

	expect_ok(tact_sem_inquire(sem, &info));
	return info.value;
}

static inline void expect_nobody_waits(const tact_sem_t *sem, uint32_t count)
{
	struct tact_sem_info info = {0};

	for (uint32_t i = 0; i < count; i++) {
		expect_ok(tact_sem_inquire(sem[i], &info));
		expect_eq(info.waiters, 0);
	}
}

#endif
