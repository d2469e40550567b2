/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of a program that have registered themselves (boilerplate/setup.h), as xenomai_init()
 * calls them. */
#ifndef SKINS_SETUP_H
#define SKINS_SETUP_H

#include <boilerplate/setup.h>

/* To be called in this order. If a part returns an error, a line is printed and the program ends
 * with status 1. */
void skin_setup_tune(void);
/* How many words of the command line the option at words takes; 0: it is not an option of a part.
 * words[0] begins with two dashes. */
int skin_setup_take(char *const *words);
void skin_setup_help(void);
void skin_setup_begin(void);

/* Functions of the program, if it has them: what --help and --version print in addition. */
void application_usage(void) __attribute__((__weak__));
void application_version(void) __attribute__((__weak__));

#endif
