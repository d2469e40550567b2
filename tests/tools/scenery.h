/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of the inspected program that differ between the back ends. */
#ifndef TESTS_TOOLS_SCENERY_H
#define TESTS_TOOLS_SCENERY_H

/* A Linux call that takes longer than any test. Context: task. */
void scenery_sleep_in_linux(void);

#endif
