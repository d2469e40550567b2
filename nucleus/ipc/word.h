/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words: what the start and the stop of a CPU have to do for them. */
#ifndef NUC_WORD_H
#define NUC_WORD_H

struct nuc_cpu;

/* Context: the CPU does not run yet. */
void nuc_words_init_cpu(struct nuc_cpu *cpu);

/* The program stops, and all tasks have ended: every wait for a word ends, and none begins any
 * more. Context: Linux. */
void nuc_words_close(void);

#endif
