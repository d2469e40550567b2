/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the familiar tools take as every program of these interfaces does (<xenomai/init.h>). */
#ifndef SKINS_TOOLS_PROGRAM_H
#define SKINS_TOOLS_PROGRAM_H

/* Take these options out of the command line; --help, which a tool has itself, leaves it whole. A
 * bad one ends the tool with a line, and status 2: it could not start. */
void program_take_options(int *argc, char ***argv);
/* Complain of what getopt_long() answered with '?' or ':'. letters: those that it was called with;
 * words without a letter have values from 256 on. Returns -1. */
int program_refuse(const char *tool, int answer, char **argv, const char *letters);
/* Have the signals that end Xenomai's tools call this. */
void program_end_by(void (*end)(int signal));

#endif
