/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the group `skins` measures of a skin, and of the nucleus beside it: a file each. Both sides
 * are called through this table, so the call itself costs the same on both. A program has one skin,
 * because several skins have functions of the same name.
 */
#ifndef BENCH_SKIN_H
#define BENCH_SKIN_H

#define SKIN_MESSAGE_BYTES 32

struct skin {
	/* Make what the operations use, and delete it. 0, or an error of the skin. Context: linux,
	 * after the start of the library. */
	int (*open)(void);
	void (*close)(void);
	/* Start a task of the skin that calls skin_run(what) and ends; all have one priority. 0, or
	 * an error. NULL: the skin also serves tasks that the native API made. Context: linux. */
	int (*spawn)(void *what);
	/* One operation. 0, or any other value: it failed. NULL: the skin has none. Context:
	 * task. */
	int (*create)(void); /* a semaphore, and delete it */
	int (*give)(int side);
	int (*take)(int side);       /* waits for ever; nobody waits for the semaphore of side 2 */
	int (*send_receive)(void);   /* SKIN_MESSAGE_BYTES, or the skin's message */
	int (*signal_receive)(void); /* an event flag, which is clear at the end */
	int (*start_stop)(void);     /* a timer that would expire in an hour */
};

#define SKIN_SEMS 3 /* sides */

void skin_run(void *what);

/* Of the file skins/NAME.c with which the program is linked, and of the nucleus. */
extern const struct skin skin_measured, skin_native;

#endif
