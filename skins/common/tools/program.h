/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the familiar tools take as every program of these interfaces does (<xenomai/init.h>). */
#ifndef SKINS_TOOLS_PROGRAM_H
#define SKINS_TOOLS_PROGRAM_H

/* Take these options out of the command line; --help, which a tool has itself, leaves it whole. */
void program_take_options(int *argc, char ***argv);

#endif
