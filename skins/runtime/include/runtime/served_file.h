/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files in /dev that the program serves by FUSE: other programs read and write what its tasks do.
 * In virtual time there is no file, as there are no other programs.
 *
 * A kind of files has numbers: /dev/rtp0, /dev/rtp1 … The number of a file is reserved on the
 * machine first; the file is made, stopped and removed later.
 */
#ifndef RUNTIME_SERVED_FILE_H
#define RUNTIME_SERVED_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define RUNTIME_SERVED_BYTES 16384u

/* What was taken in order to be read. `at` leads to the bytes, which may be in `room`. */
struct runtime_served_data {
	void *message; /* the owner's */
	const char *at;
	char room[RUNTIME_SERVED_BYTES];
};

/*
 * What an owner does. All are called by Linux threads of the runtime, with a lock, so none of them
 * may stop or close the file.
 */
struct runtime_served_ops {
	/* Take what is there now: its bytes; 0 or negative: nothing. A message is taken whole; of a
	 * stream at most so many bytes are taken. */
	int (*take)(void *owner, struct runtime_served_data *data, size_t most);
	/* Wait, without the lock, until there may be something, which this may take: its bytes; 0:
	 * it is to be looked for; negative: the objects are deleted. */
	int (*wait)(void *owner, struct runtime_served_data *data);
	/* Is there something to take? NULL: it is taken in order to know, and wait() takes, too. */
	bool (*ready)(void *owner);
	/* What was taken was read, or nobody will read it. NULL: nothing is to be done. */
	void (*drop)(void *owner, struct runtime_served_data *data);
	/* Bytes were written: how many of them were put; 0: there is no room; negative: EPIPE. */
	int (*put)(void *owner, const void *data, size_t bytes);
	/* After a read ('r') or a write ('w'): 0, or the negative error number that it ends with.
	 * NULL: nothing is to be done. */
	int (*done)(void *owner, int how);
};

struct runtime_served {
	_Atomic bool reserved;
	int lock;            /* valid if `reserved` */
	struct served *file; /* NULL: there is none */
	char path[64];
	char link[128];
};

struct runtime_served_kind {
	const char *name; /* "rtp" */
	int count;        /* numbers from 0 */
	bool single;      /* one program at a time may open a file */
	const struct runtime_served_ops *ops;
	struct runtime_served *files; /* so many */
	_Atomic bool known;           /* the runtime's */
	struct runtime_served_kind *next;
};

#define RUNTIME_SERVED_KIND(kind, name_, count_, single_, ops_) \
	static struct runtime_served kind##_files[count_];      \
	static struct runtime_served_kind kind = {              \
		.name = (name_),                                \
		.count = (count_),                              \
		.single = (single_),                            \
		.ops = (ops_),                                  \
		.files = kind##_files,                          \
	}

/* Reserve a number on this machine: 0 or -EBUSY. Context of all: linux, task in secondary mode. */
int runtime_served_reserve(struct runtime_served_kind *kind, int number);
void runtime_served_release(struct runtime_served_kind *kind, int number);

/* Is there such a file, of this program or another one? */
bool runtime_served_exists(const struct runtime_served_kind *kind, int number);

/* Make the file, and a link /run/tactus/KIND/NAME to it if the name is not empty. If that fails,
 * the reason is printed once, and this is not an error. 0 or -TACT_ENOMEM. */
int runtime_served_open(struct runtime_served_kind *kind, int number, const char *name,
			void *owner);

/* To be called before the objects of the owner are deleted: what is being read is dropped, and
 * readers get the end of file. */
void runtime_served_stop(struct runtime_served_kind *kind, int number);
/* Remove the file. The objects must be deleted already, so that no thread waits for them. */
void runtime_served_close(struct runtime_served_kind *kind, int number);

#endif
