/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words: one value in a word of the program, for which callers wait by its address. The word is
 * empty while it is 0. No object is created: a word that no caller waits for is nothing but memory.
 *
 * A word has a home CPU, which all callers of the word have to name alike. The nucleus reads and
 * writes the word there, inside a section. So its memory has to be present (locked, or touched
 * before), and a word at an address where nothing is mapped ends the program. The program may read
 * the word at any time, and may write it while no other caller uses it.
 *
 * Waiters are served by priority, then by deadline, then by arrival.
 */
#ifndef TACTUS_WORD_H
#define TACTUS_WORD_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Post a value: to the first caller that waits for the word if there is one, otherwise into the
 * word.
 * cpu:   home CPU of the word.
 * word:  its address, aligned to its size.
 * value: not 0.
 *
 * Returns 0, or
 *   -TACT_ENOSPC  the word is full: its value was not taken yet
 *   -TACT_EINVAL  word is NULL or not aligned, or value is 0
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EPERM   the program was not started
 *   -TACT_ENOMEM  from a handler to another CPU: no message record is free
 * Context: task, handler, linux. From a handler to another CPU it returns 0 once the value is sent;
 * the value is lost if the word is full when it arrives.
 * Cost: O(waiters for words of the same row); a CPU has 64 rows, selected by the address.
 * Source: VRTX32, sc_post() (ER_MIU: not empty; ER_ZMW: a message of 0).
 */
int tact_word_post(uint32_t cpu, uintptr_t *word, uintptr_t value);

/**
 * Take the value of a word, which is empty then; wait if it is empty.
 * cpu:   home CPU of the word.
 * word:  its address, aligned to its size.
 * value: receives the value, or NULL.
 *
 * Returns 0, or
 *   -TACT_EAGAIN    the word is empty and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no value came in time
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EIDRM     to a Linux thread: the program stopped meanwhile
 *   -TACT_EINVAL    word is NULL or not aligned, or a timeout of unknown kind
 *   -TACT_ENXIO     no such real-time CPU
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     the program was not started; from a handler, with a timeout other than
 *                   TACT_NOWAIT or of another CPU's word
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(waiters for words of the same row).
 * Source: VRTX32, sc_pend(), sc_accept() (TACT_NOWAIT).
 */
int tact_word_pend(uint32_t cpu, uintptr_t *word, uintptr_t *value, tact_timeout_t timeout);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
