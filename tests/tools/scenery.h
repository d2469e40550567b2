/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the program to look at does differently on each back end. */
#ifndef TESTS_TOOLS_SCENERY_H
#define TESTS_TOOLS_SCENERY_H

/* A Linux call that takes longer than any test. Context: task. */
void scenery_sleep_in_linux(void);

#endif
