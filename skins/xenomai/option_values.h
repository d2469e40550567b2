/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of xenomai/init.h, one function for each. name: of the option, without its dashes.
 * value: "" if there is none. If a value is bad, a line is printed and the program ends with status
 * 1. */
#ifndef SKINS_OPTION_VALUES_H
#define SKINS_OPTION_VALUES_H

_Noreturn void skin_option_refuse(const char *name, const char *value, const char *allowed);
void skin_option_cpus(const char *name, const char *value);
void skin_option_pool(const char *name, const char *value);
void skin_option_tick(const char *name, const char *value);
void skin_option_session(const char *name, const char *value);
void skin_option_quiet(const char *name, const char *value);
void skin_option_verbosity(const char *name, const char *value);
void skin_option_trace(const char *name, const char *value);
void skin_option_printing(const char *name, const char *value);

#endif
