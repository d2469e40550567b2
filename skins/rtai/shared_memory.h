/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory with a name that several programs have: on a machine a file (thread/shared_memory.c); in
 * virtual time, where a program is alone, there is none (sim/shared_memory.c).
 */
#ifndef RTAI_SHARED_MEMORY_H
#define RTAI_SHARED_MEMORY_H

#define RTAI_NO_FILE (-1)

/*
 * Use the memory of a name, which is made if no program has it. bytes: the size that is wanted; 0:
 * none is made; receives the size that it has. Returns a file to map, RTAI_NO_FILE (a program is
 * alone, and maps memory of its own), or below that -ENOENT, -ENOMEM. Context: linux, or a task,
 * which goes to secondary mode.
 */
int rtai_shared_open(const char *name, int *bytes);
/* Give it up. It goes with the last program that has it, also if that is killed. */
void rtai_shared_close(const char *name, int file);

#endif
