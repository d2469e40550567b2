/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shell: the evaluation of a line, the task that gets lines, and where commands print. */
#ifndef VXWORKS_SHELL_H
#define VXWORKS_SHELL_H

#include <stdio.h>

/* Evaluate a line, and print its value or what is wrong with it. */
void vxworks_shell_line(const char *line, FILE *out);

/* Start the shell if the environment says so. */
void vxworks_shell_by_environment(void);

/* Where what the calling task calls prints its tables (show.c); NULL: to the standard output. */
void vxworks_set_out(FILE *out);
FILE *vxworks_out(void);

#endif
