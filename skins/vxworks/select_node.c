/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nodes and their lists: what a driver has of a task that waits in select(). A node is a place in a
 * table, and its number is what drivers see. A list holds numbers with the turn of the node, by
 * which a node of an earlier wait is recognised, so a driver may wake a list from a handler or from
 * another thread while a task leaves its wait. There is no lock.
 */
#include "select.h"

#include <intLib.h>
#include <memPartLib.h>

#define NODES 1024u

/* The low bits of a turn. */
enum { FREE, LIVE, CLAIMED, STATES = 3 };
#define NEXT_TURN 4u

struct node {
	_Atomic uint32_t turn; /* how often it was taken, and its state */
	int task;
	int fd;
	SELECT_TYPE type;
};

static struct node nodes[NODES];

static struct node *node_of(const SEL_WAKEUP_NODE *node)
{
	const uintptr_t number = (uintptr_t)node;

	return number && number <= NODES ? &nodes[number - 1] : NULL;
}

/* Does this turn of the node belong to a wait? The task may have been deleted in it. */
static bool lives(const struct node *node, uint32_t turn)
{
	return (turn & STATES) == LIVE && atomic_load(&node->turn) == turn &&
	       runtime_find(&vxworks_objects, (uint32_t)node->task, VXWORKS_TASK);
}

SEL_WAKEUP_NODE *vxworks_node_make(struct vxworks_object *task, int fd, SELECT_TYPE type)
{
	for (uint32_t i = 0; i < NODES; i++) {
		struct node *node = &nodes[i];
		uint32_t former = atomic_load(&node->turn);
		const uint32_t turn = (former & ~(uint32_t)STATES) + NEXT_TURN;

		/* One of a task that was deleted is taken over. */
		if ((former & STATES) == CLAIMED || lives(node, former) ||
		    !atomic_compare_exchange_strong(&node->turn, &former, turn | CLAIMED))
			continue;
		node->task = vxworks_task_id(task);
		node->fd = fd;
		node->type = type;
		atomic_fetch_add(&task->task.select_nodes, 1);
		atomic_store(&node->turn, turn | LIVE);
		return (SEL_WAKEUP_NODE *)(uintptr_t)(i + 1);
	}
	return vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
}

int vxworks_node_fd(const SEL_WAKEUP_NODE *node)
{
	return node_of(node)->fd;
}

void vxworks_node_free(struct vxworks_object *task, SEL_WAKEUP_NODE *node)
{
	atomic_fetch_sub(&task->task.select_nodes, 1);
	atomic_fetch_and(&node_of(node)->turn, ~(uint32_t)STATES);
}

/* Of a wait that taskRestart() has ended. */
void vxworks_nodes_drop(struct vxworks_object *task)
{
	if (!atomic_exchange(&task->task.select_nodes, 0))
		return;
	for (uint32_t i = 0; i < NODES; i++)
		if ((atomic_load(&nodes[i].turn) & STATES) == LIVE &&
		    nodes[i].task == vxworks_task_id(task))
			atomic_fetch_and(&nodes[i].turn, ~(uint32_t)STATES);
}

static void wake(const struct node *node, uint32_t turn)
{
	const int fd = node->fd;
	const SELECT_TYPE type = node->type;
	struct vxworks_object *task =
		vxworks_find((void *)(uintptr_t)(uint32_t)node->task, VXWORKS_TASK);

	if (!task || atomic_load(&node->turn) != turn)
		return;
	atomic_fetch_or(&task->task.ready[type][fd / 64], (uint64_t)1 << fd % 64);
	(void)tact_event_set(vxworks_events(task), VXWORKS_SELECT);
}

void selWakeup(SEL_WAKEUP_NODE *pWakeupNode)
{
	const struct node *node = node_of(pWakeupNode);
	const uint32_t turn = node ? atomic_load(&node->turn) : 0;

	if ((turn & STATES) == LIVE)
		wake(node, turn);
}

SELECT_TYPE selWakeupType(SEL_WAKEUP_NODE *pWakeupNode)
{
	const struct node *node = node_of(pWakeupNode);

	return node ? node->type : SELREAD;
}

static _Atomic uint64_t *entry(SEL_WAKEUP_LIST *list, uint32_t at)
{
	return (_Atomic uint64_t *)&list->nodes[at];
}

static struct node *node_in(uint64_t value)
{
	return node_of((const SEL_WAKEUP_NODE *)(uintptr_t)(uint32_t)value);
}

static bool entry_lives(uint64_t value)
{
	const struct node *node = node_in(value);

	return node && lives(node, (uint32_t)(value >> 32));
}

void selWakeupAll(SEL_WAKEUP_LIST *pWakeupList, SELECT_TYPE type)
{
	for (uint32_t i = 0; i < SEL_WAKEUP_NODES; i++) {
		const uint64_t value = atomic_load(entry(pWakeupList, i));

		if (entry_lives(value) && node_in(value)->type == type)
			wake(node_in(value), (uint32_t)(value >> 32));
	}
}

STATUS selNodeAdd(SEL_WAKEUP_LIST *pWakeupList, SEL_WAKEUP_NODE *pWakeupNode)
{
	const struct node *node = node_of(pWakeupNode);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!pWakeupList || !node)
		return vxworks_fail(EINVAL);
	for (uint32_t i = 0; i < SEL_WAKEUP_NODES; i++) {
		uint64_t value = atomic_load(entry(pWakeupList, i));

		if (!entry_lives(value) &&
		    atomic_compare_exchange_strong(entry(pWakeupList, i), &value,
						   (uint64_t)atomic_load(&node->turn) << 32 |
							   (uint32_t)(uintptr_t)pWakeupNode))
			return OK;
	}
	return vxworks_fail(S_memLib_NOT_ENOUGH_MEMORY);
}

STATUS selNodeDelete(SEL_WAKEUP_LIST *pWakeupList, SEL_WAKEUP_NODE *pWakeupNode)
{
	const struct node *node = node_of(pWakeupNode);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	for (uint32_t i = 0; pWakeupList && node && i < SEL_WAKEUP_NODES; i++) {
		uint64_t value =
			(uint64_t)atomic_load(&node->turn) << 32 | (uint32_t)(uintptr_t)pWakeupNode;

		if (atomic_compare_exchange_strong(entry(pWakeupList, i), &value, 0))
			return OK;
	}
	return vxworks_fail(EINVAL);
}

void selWakeupListInit(SEL_WAKEUP_LIST *pWakeupList)
{
	for (uint32_t i = 0; i < SEL_WAKEUP_NODES; i++)
		atomic_store(entry(pWakeupList, i), 0);
}

void selWakeupListTerm(SEL_WAKEUP_LIST *pWakeupList)
{
	selWakeupListInit(pWakeupList);
}

int selWakeupListLen(SEL_WAKEUP_LIST *pWakeupList)
{
	int found = 0;

	for (uint32_t i = 0; i < SEL_WAKEUP_NODES; i++)
		found += entry_lives(
			atomic_load_explicit(entry(pWakeupList, i), memory_order_acquire));
	return found;
}
