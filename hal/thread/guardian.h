/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The guardian process, and what it and the next start do. */
#ifndef THREAD_GUARDIAN_H
#define THREAD_GUARDIAN_H

#include <stdbool.h>

/*
 * repair: puts back what programs that are gone have changed, in the guardian. It returns 0;
 * -EBUSY: another program relies on it; -EAGAIN: Linux refuses for the time being. Returns 0 or
 * -errno.
 */
int guardian_start(int (*repair)(void));
/* Let it do its work now; true when it said that it has. */
bool guardian_dismiss(void);
void guardian_forget(void);

#endif
