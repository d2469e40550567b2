/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Connections that came in (lines.c): the node's thread alone makes, hears and frees them; no lock.
 */
#ifndef SESSION_LINES_H
#define SESSION_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct session_connection;

/* To be called first. poller: the epoll descriptor, which reports each of them by its address. */
void session_connections_begin(int poller);
/* False: there is no descriptor for a connection that is coming in, which waits; try again soon. */
bool session_connection_accept(int listener);
/* The same for the descriptor alone (accept.c), which is returned, or -1. wants: no descriptor was
 * left except the spare one, which is then used. */
int session_accept(int listener, bool *wants);
/* Make a spare descriptor, a copy of this one, if there is none and one is left. */
void session_spare_keep(int like);
void session_spare_forget(void);
/* These events (EPOLL*) were reported for it. */
void session_connection_heard(struct session_connection *line, uint32_t events);
/* Drop the connections that are over. True: some have to be looked at again soon. */
bool session_connections_tidy(void);
/* The node ends: so does each connection, as soon as its task has ended. */
void session_connections_end(void);
/* In a fork's child. */
void session_connections_forget(void);

#endif
