/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cases of kmod-test: each prints one line "ok …" or "not ok …" per check, and returns 0 or
 * 1. */
#ifndef TESTS_KMOD_CASES_H
#define TESTS_KMOD_CASES_H

#include "ring3.h"

int case_attack(int count, char **words);
int case_bound(int count, char **words);
int case_doorbell(int count, char **words);
int case_clock(int count, char **words);
int case_cycle(int count, char **words);
int case_contain(int count, char **words);
int case_gorge(int count, char **words);
int case_unplug(int count, char **words);
int case_kexec(int count, char **words);
int case_hold(int count, char **words);
int case_kill(int count, char **words);
int case_ends(int count, char **words);
int case_memory(int count, char **words);
int case_permit(int count, char **words);
int case_refuse(int count, char **words);
int case_siblings(int count, char **words);
int case_mcheck(int count, char **words);
int case_msix(int count, char **words);
int case_race(int count, char **words);
int case_starve(int count, char **words);
int case_several(int count, char **words);
int case_fuzz(int count, char **words);
int case_storm(int count, char **words);
int case_hang(int count, char **words);
int case_edu(int count, char **words);
int case_lines(int count, char **words);
int case_lost(int count, char **words);
int case_wire(int count, char **words);

/* Prints the line; counts failures. */
void check(bool good, const char *format, ...) __attribute__((format(printf, 2, 3)));
int checks_failed(void);
/* The progress of a long case, for the reader of the console, each ten seconds. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

double now_ms(void);
/* Waits in steps of a millisecond, at most 5 s. */
bool becomes(bool (*condition)(void *data), void *data);
bool cpu_is_online(unsigned cpu);
/* Is it online within that time? */
bool cpu_comes_back(unsigned cpu);
/* How often Linux's CPUs have got it, and how many of them. */
unsigned long interrupts_heard(int interrupt, unsigned *cpus);
/* The time of the clock page; also in ring 3. */
uint64_t clock_read(const volatile struct tact_bare_clock *page);
/* RUN in a separate thread, which starts it again when a signal woke it. */
void owner_begin(struct ring3 *self);
int owner_end(struct ring3 *self);

#endif
