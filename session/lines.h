/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connections that came in (lines.c): the node's thread alone makes, hears and frees them; no lock.
 */
#ifndef SESSION_LINES_H
#define SESSION_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct session_connection;

/* Before all else: the epoll descriptor that tells of them, each by its address. */
void session_connections_begin(int poller);
/* False: there is no descriptor for who comes, and he waits; try again soon. */
bool session_connection_accept(int listener);
/* The same, with the descriptor alone (accept.c): -1, or one; wants: there was none left but the
 * spare one, which is used up then. */
int session_accept(int listener, bool *wants);
/* There is a spare one from here on, a copy of this, if there can be. */
void session_spare_keep(int like);
void session_spare_forget(void);
/* It is ready for these events (EPOLL*). */
void session_connection_heard(struct session_connection *line, uint32_t events);
/* Drop those who are over. True: there is something left that has to be looked at again soon. */
bool session_connections_tidy(void);
/* The node ends: so do they all, as soon as their tasks let them. */
void session_connections_end(void);
/* In a fork's child. */
void session_connections_forget(void);

#endif
