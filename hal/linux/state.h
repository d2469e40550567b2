/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine-wide folder of leases, and of what must be restored. */
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
 * A file that all users share; created if there is none, closed on exec. A file that this user may
 * only read is opened for reading. Returns a descriptor or -errno; -EPERM: the name belongs to
 * something else than a plain file of one name.
 */
int linux_state_open(const char *file);
/* The same for reading, and only if the file exists. */
int linux_state_open_existing(const char *file);

/*
 * A new file beside that path, of exactly this mode. The caller renames it to the path when it is
 * complete: a program that is killed before leaves nothing there that disturbs others. flags: of
 * open(). Returns a descriptor or -errno.
 */
int linux_state_make_temporary(const char *path, char temporary[STATE_PATH_BYTES], int flags,
			       mode_t mode);
/* Does this -errno of a rename mean that the file system cannot do it in that way? */
bool linux_state_cannot_rename(int error);

/*
 * state_own.c. A file that belongs to the user and that no other user can write. Anything else of
 * that name loses the name. Opened to read, and to write at its end. Returns as linux_state_open();
 * -ENOENT: there is none, and to_make is false.
 */
int linux_state_open_own(const char *file, bool to_make);

#endif
