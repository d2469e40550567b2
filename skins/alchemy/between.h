/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects of other processes: what is bound to one is a proxy, a record of a type of its own, so
 * that the services that are for objects of this process do not take it for one. A service that
 * does not find its object here asks alchemy_away(); the owner's side of it is alchemy_serve().
 */
#ifndef ALCHEMY_BETWEEN_H
#define ALCHEMY_BETWEEN_H

#include "alchemy_internal.h"
#include "session.h"

struct alchemy_proxy {
	struct session_owner *owner;
	uint64_t object;               /* its handle there */
	struct session_memory *memory; /* of a queue or heap; else NULL */
};

/* The services, by type and number. */
#define AWAY(type, number) ((uint32_t)(type) << 8 | (number))

enum alchemy_service {
	AWAY_CHECK = 0, /* of each type: is there one of this handle? The answer may have memory */
	AWAY_DELETE = 1,
	AWAY_INQUIRE = 2,
	AWAY_SEM_P = AWAY(ALCHEMY_SEM, 3),
	AWAY_SEM_V,
	AWAY_SEM_BROADCAST,
};

/*
 * The client's side (between.c). All return what the service returns: -EINVAL when the descriptor
 * is none of a proxy either, -EIDRM when the owner has ended.
 */
int64_t alchemy_away(const void *descriptor, enum alchemy_service service,
		     struct session_call *call);
/* One that says all that there is to say by its number, */
int alchemy_away_plain(const void *descriptor, enum alchemy_service service);
/* and waits, */
int alchemy_away_wait(const void *descriptor, enum alchemy_service service, tact_timeout_t timeout);
/* or asks for a structure. */
int alchemy_away_ask(const void *descriptor, enum alchemy_type type, void *info, size_t bytes);
/* The proxy of a descriptor, or NULL. */
struct alchemy_proxy *alchemy_proxy_of(const void *descriptor, enum alchemy_type type);

/* The session that the program asked for, or NULL (start.c). */
const char *alchemy_session_label(void);
/* Make the name of a reserved record known: 0, or -EEXIST, -EPERM. NULL and "": there is none. */
int alchemy_announce(struct alchemy_object *object, const char *name);
/* A proxy of what has this name in the session: 0, -TACT_EAGAIN (there is none), -TACT_ENOMEM. */
int alchemy_bind_away(enum alchemy_type type, const char *name, uintptr_t *handle);
/* The record of a descriptor if it is a proxy, which nobody else finds any more. */
bool alchemy_unbind_away(const void *descriptor);

/*
 * The owner's side (serve*.c).
 */
int64_t alchemy_serve(struct session_call *call);
void alchemy_left(uint64_t peer);
/* As services take it: NULL for ever, zero not at all. */
const struct timespec *alchemy_served_until(const struct session_call *call,
					    struct timespec *until);
/* Room for an answer of exactly this size? */
static inline void *alchemy_served_room(const struct session_call *call, size_t bytes)
{
	return call->room_bytes == bytes ? call->room : NULL;
}
int64_t alchemy_serve_sync(struct session_call *call);

#endif
