/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The guardian process, and what it and the next start do. */
#ifndef THREAD_GUARDIAN_H
#define THREAD_GUARDIAN_H

#include <stdbool.h>

/* Returns 0 or -errno. */
int guardian_start(void);
/* Let it do its work now; true when it said that it has. */
bool guardian_dismiss(void);
void guardian_forget(void);

/*
 * settings.c: put back what programs that are gone have changed. Returns 0; -EBUSY: another program
 * relies on it; -EAGAIN: Linux refuses for the time being.
 */
int thread_settings_repair(void);

#endif
