/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What xenomai_init() asks the parts of a program that registered themselves: boilerplate/setup.h.
 */
#ifndef SKINS_SETUP_H
#define SKINS_SETUP_H

#include <boilerplate/setup.h>

/* In this order. An error of a part ends the program with a line, and status 1. */
void skin_setup_tune(void);
/* How many words of the command line the option at words is; 0: none of theirs. words[0] begins
 * with two dashes. */
int skin_setup_take(char *const *words);
void skin_setup_help(void);
void skin_setup_begin(void);

/* The program's, if it has them: what --help and --version tell beside. */
void application_usage(void) __attribute__((__weak__));
void application_version(void) __attribute__((__weak__));

#endif
