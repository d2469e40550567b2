/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine-wide folder of leases and of what is to be restored. */
#ifndef LINUX_STATE_H
#define LINUX_STATE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define STATE_PATH_BYTES 300
#define STATE_WARILY     (O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

/* Path of a file in the folder. Returns 0 or -errno. */
int linux_state_path(char *path, size_t capacity, const char *file);

/*
 * A file that all users share, created when there is none, closed on exec. Returns a descriptor or
 * -errno; -EPERM: what has the name is no plain file of one name. One that others may only read is
 * opened for that.
 */
int linux_state_open(const char *file);
/* The same for reading, and only if it is there. */
int linux_state_look(const char *file);

/*
 * A new file beside that path, of exactly this mode, to be renamed to it as soon as it is what it
 * is to be: who is killed before that leaves nothing there that others stumble over. flags: of
 * open(). Returns a descriptor or -errno.
 */
int linux_state_make_temporary(const char *path, char temporary[STATE_PATH_BYTES], int flags,
			       mode_t mode);
/* Is that -errno of a rename one of a file system that cannot do it in such a way? */
bool linux_state_cannot_rename(int error);

/*
 * state_own.c. A file that is the user's own and that no other user writes; what else has its name
 * loses it. Opened to read, and to write at its end. Returns as linux_state_open(); -ENOENT: there
 * is none, and none is to be made.
 */
int linux_state_open_own(const char *file, bool to_make);

#endif
