/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The status segment, and what examines the program from inside. */
#ifndef LINUX_INTROSPECT_H
#define LINUX_INTROSPECT_H

void linux_introspect_start(void);
void linux_status_close(void);

#endif
