/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry of the program, owned by real-time CPU 0. An entry is made after its object and
 * removed before the object's memory is freed, so that a name never leads to the handle of another
 * object. A call that waits for a name waits at an entry for that name, without a handle. The entry
 * exists as long as a call waits there, so a new name costs nothing for calls that wait for other
 * names.
 */
#include "object/registry.h"

#include <tactus/registry.h>

#include "base/hash.h"
#include "base/string.h"
#include "call/wait.h"
#include "kernel/delivery.h"
#include "kernel/object_memory.h"
#include "object/growth.h"

#define BUCKETS 1024

struct entry {
	struct nuc_object object; /* without a handle: kept until all finders are completed */
	struct base_hash_node node;
	uint32_t handle; /* 0: wanted, no object has the name yet */
	char name[TACT_NAME_BYTES];
	struct nuc_waitq finders;   /* while it is wanted */
	struct base_list want_link; /* in wanted, while it is wanted */
};

struct name_call {
	struct nuc_call call;
	const char *name;
	uint32_t handle;
};

static struct base_hash table;
static struct base_list wanted;

int nuc_name_check(const char *name)
{
	return !name || base_name_valid(name, TACT_NAME_BYTES) ? 0 : -TACT_EINVAL;
}

void nuc_name_copy(char to[TACT_NAME_BYTES], const char *name)
{
	if (name)
		base_copy_text(to, TACT_NAME_BYTES, name);
	else
		to[0] = '\0';
}

int nuc_registry_init(struct nuc_cpu *cpu)
{
	struct base_hash_node **buckets =
		nuc_pool_get(cpu, BUCKETS * sizeof(struct base_hash_node *));

	if (!buckets)
		return -TACT_ENOMEM;
	base_list_init(&wanted);
	return base_hash_init(&table, buckets, BUCKETS);
}

static struct entry *find(const char *name)
{
	struct base_hash_node *node = base_hash_find(&table, name);

	return node ? base_container_of(node, struct entry, node) : NULL;
}

static struct name_call *name_call_of(struct nuc_call *call)
{
	return base_container_of(call, struct name_call, call);
}

static void forget(struct nuc_cpu *cpu, struct entry *entry)
{
	base_list_unlink(&entry->want_link);
	base_hash_remove(&table, &entry->node);
	nuc_object_unnamed(cpu, &entry->object);
}

static void forget_unwanted(struct nuc_cpu *cpu, struct entry *entry)
{
	if (!entry->finders.count)
		forget(cpu, entry);
}

/* A finder's wait ended without the name. */
static void finder_left(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call,
			int result)
{
	(void)call;
	(void)result;
	forget_unwanted(cpu, base_container_of(queue, struct entry, finders));
}

static const struct nuc_waitq_ops finders_ops = {.left = finder_left};

/* Make the entry of a name that is not in the table. NULL: no memory. */
static struct entry *make_entry(struct nuc_cpu *cpu, const char *name)
{
	struct entry *entry = nuc_pool_get(cpu, sizeof(*entry));

	if (!entry)
		return NULL;
	base_hash_node_init(&entry->node);
	nuc_name_copy(entry->name, name);
	nuc_waitq_init(&entry->finders, &entry->object, TACT_FIFO);
	entry->finders.ops = &finders_ops;
	base_list_init(&entry->want_link);
	if (base_hash_insert(&table, &entry->node, entry->name))
		nuc_panic("registry: a name entered twice", entry->handle, 0);
	return entry;
}

/* result: a handle, or an error. No handle is NUC_OWN_RESULT, because no object has index 0. */
static void notify_found(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	if (result > 0) {
		name_call_of(call)->handle = (uint32_t)result;
		result = 0;
	}
	nuc_wake(cpu, call, result);
}

static void serve_finders(struct nuc_cpu *cpu, struct entry *entry)
{
	base_list_unlink(&entry->want_link);
	(void)nuc_wake_all_by(cpu, &entry->finders, (int)entry->handle, notify_found);
}

static int insert_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct name_call *args = name_call_of(call);
	struct entry *entry = find(args->name);

	(void)object;
	if (entry && entry->handle)
		return -TACT_EEXIST;
	if (!entry)
		entry = make_entry(cpu, args->name);
	if (!entry)
		return -TACT_ENOMEM;
	entry->handle = args->handle;
	serve_finders(cpu, entry);
	return 0;
}

static void remove_entry(struct nuc_cpu *cpu, const char *name, uint32_t handle)
{
	struct entry *entry = find(name);

	if (entry && entry->handle == handle)
		forget(cpu, entry);
}

static int remove_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct name_call *args = name_call_of(call);

	(void)object;
	remove_entry(cpu, args->name, args->handle);
	return 0;
}

/* On the object's home CPU: the object has its name from now on. */
static int mark_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)cpu;
	nuc_name_copy(object->name, name_call_of(call)->name);
	object->named = 1;
	return 0;
}

int nuc_registry_enter(const char *name, uint32_t handle)
{
	int error;

	NUC_CALL(struct name_call, insert, insert_run, NUC_TYPE_CPU, nuc_handle_of_cpu(0),
		 NUC_CALL_TASKS);
	NUC_CALL(struct name_call, mark, mark_run, NUC_TYPE_ANY, handle, NUC_CALL_TASKS);
	NUC_CALL(struct name_call, remove, remove_run, NUC_TYPE_CPU, nuc_handle_of_cpu(0),
		 NUC_CALL_TASKS);

	if (!name)
		return 0;
	insert.name = mark.name = remove.name = name;
	insert.handle = mark.handle = remove.handle = handle;
	/* The object has its name before any call can find it by the name. */
	error = nuc_call(&mark.call);
	if (!error)
		error = nuc_call_create(&insert.call);
	if (error)
		return error;
	/* If another caller, which guessed or found the handle, has deleted the object meanwhile,
	 * the name is removed, too. */
	error = nuc_call(&mark.call);
	if (error)
		(void)nuc_call(&remove.call);
	return error;
}

int nuc_registry_publish(const char *name, uint32_t handle, uint32_t *result)
{
	int error = nuc_registry_enter(name, handle);

	if (error)
		(void)tact_delete((tact_object_t){handle});
	else if (result)
		*result = handle;
	return error;
}

static void remove_back(struct nuc_cpu *cpu, struct nuc_message *message)
{
	nuc_object_unnamed(cpu, base_container_of(message, struct nuc_object, unname));
}

static void remove_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_object *object = base_container_of(message, struct nuc_object, unname);

	remove_entry(cpu, object->name, object->handle);
	message->deliver = remove_back;
	nuc_message_send(&nuc_cpus[nuc_handle_cpu(object->handle)], message);
}

void nuc_registry_remove(struct nuc_cpu *cpu, struct nuc_object *object)
{
	if (cpu->hal.index == 0) {
		remove_entry(cpu, object->name, object->handle);
		nuc_object_unnamed(cpu, object);
		return;
	}
	object->unname.deliver = remove_arrive;
	nuc_message_send(&nuc_cpus[0], &object->unname);
}

void nuc_object_retire(struct nuc_cpu *cpu, struct nuc_object *object)
{
	nuc_handle_remove(cpu, object);
	if (object->named)
		nuc_registry_remove(cpu, object);
	else
		nuc_object_unnamed(cpu, object);
}

static int find_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct name_call *args = name_call_of(call);
	struct entry *entry = find(args->name);
	int result;

	(void)object;
	if (entry && entry->handle) {
		args->handle = entry->handle;
		return 0;
	}
	if (call->timeout.kind == TACT_TIMEOUT_NOWAIT)
		return -TACT_EAGAIN;
	if (!entry)
		entry = make_entry(cpu, args->name);
	if (!entry)
		return -TACT_ENOMEM;
	if (!base_list_linked(&entry->want_link))
		base_list_push_back(&entry->want_link, &wanted);
	result = nuc_wait(cpu, call, &entry->finders);
	if (result != NUC_WAITING)
		forget_unwanted(cpu, entry);
	return result;
}

static int close_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	(void)call;
	for (struct base_list *link; (link = base_list_first(&wanted));) {
		struct entry *entry = base_container_of(link, struct entry, want_link);

		(void)nuc_wake_all(cpu, &entry->finders, -TACT_EIDRM);
		forget(cpu, entry);
	}
	return 0;
}

void nuc_registry_close(void)
{
	NUC_CALL(struct nuc_plain_call, args, close_run, NUC_TYPE_CPU, nuc_handle_of_cpu(0),
		 NUC_CALL_TASKS);

	(void)nuc_call(&args.call);
}

int tact_find(const char *name, tact_timeout_t timeout, tact_object_t *object)
{
	int result;

	if (!name || nuc_name_check(name))
		return -TACT_EINVAL;
	NUC_CALL(struct name_call, args, find_run, NUC_TYPE_CPU, nuc_handle_of_cpu(0),
		 NUC_CALL_WAITS);
	args.name = name;
	result = nuc_call_timeout(&args.call, timeout);
	if (!result && object)
		object->id = args.handle;
	return result;
}
