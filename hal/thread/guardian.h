/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The guardian process, and what it and the next start do. */
#ifndef THREAD_GUARDIAN_H
#define THREAD_GUARDIAN_H

#include <stdbool.h>

/*
 * repair: called in the guardian; restores what programs that are gone have changed. It returns 0;
 * -EBUSY: another program relies on it; -EAGAIN: Linux refuses for now. Returns 0 or -errno.
 */
int guardian_start(int (*repair)(void));
/* Let the guardian do its work now. True: it has said that it has done it. */
bool guardian_dismiss(void);
void guardian_forget(void);

#endif
