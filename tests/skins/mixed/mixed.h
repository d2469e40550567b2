/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores without names, of skins whose headers cannot be included together. */
#ifndef TESTS_SKINS_MIXED_H
#define TESTS_SKINS_MIXED_H

#define MANY 4

/* Make and delete the semaphore with this number, below MANY. */
void psos_make(int number);
void psos_unmake(int number);
void uitron_make(int number);
void uitron_unmake(int number);

#endif
