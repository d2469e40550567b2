/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creating tasks. The calling thread gets from Linux what only Linux can give, the stack and the
 * shadow; the calls to the home CPU only enter it. So no CPU ever waits for Linux.
 */
#include "base/string.h"
#include "call/wait.h"
#include "kernel/sized.h"
#include "kernel/trace.h"
#include "object/growth.h"
#include "object/object.h"
#include "task/end.h"
#include "task/entry.h"
#include "task/limits.h"
#include "task/mode.h"
#include "task/priority.h"
#include "task/status.h"
#include "task/timers.h"

#define ATTR_FLAGS                                                                     \
	(TACT_TASK_LIGHT | TACT_TASK_SUSPENDED | TACT_TASK_NO_LINUX | TACT_TASK_WARN | \
	 TACT_TASK_SIGNAL | TACT_TASK_NO_JOIN | NUC_HOME_FLAGS)

_Static_assert(sizeof(struct nuc_task) <= 1024,
	       "a light task costs at most 1 KiB beside its stack");

struct create_call {
	struct nuc_call call;
	const struct tact_task_attr *attr;
	const struct hal_stack *stack;
	struct hal_shadow *attached; /* the shadow of the calling thread; NULL: not attached */
	struct nuc_task *task;
};

struct finish_call {
	struct nuc_call call;
	struct hal_shadow *shadow;
};

/* The memory of a control block is only ever used for control blocks: see task.h. */
static struct nuc_task *block_get(struct nuc_cpu *cpu, int *error)
{
	struct base_list *link = base_list_pop_front(&cpu->free_tasks);
	struct nuc_object *object;
	struct nuc_task *task = NULL;

	if (link) {
		task = base_container_of(link, struct nuc_task, cpu_link);
		if (!nuc_task_at_rest(task)) {
			base_list_push_back(link, &cpu->free_tasks);
			task = NULL;
		}
	}
	if (!task) {
		object = nuc_object_new(cpu, NUC_TYPE_TASK, sizeof(*task), error);
		return object ? nuc_task_of(object) : NULL;
	}
	/* Its handle is zero already: a CPU that sees another field change sees the zero, too. */
	atomic_thread_fence(memory_order_release);
	base_fill(task, 0, sizeof(*task));
	task->object.type = NUC_TYPE_TASK;
	*error = nuc_handle_enter(cpu, &task->object);
	if (*error) {
		base_list_push_back(&task->cpu_link, &cpu->free_tasks);
		return NULL;
	}
	return task;
}

static void fill(struct nuc_cpu *cpu, struct nuc_task *task, const struct tact_task_attr *attr)
{
	struct tact_status_task *status = &task->own_status;

	nuc_waitq_init(&task->joiners, &task->object, TACT_FIFO);
	task->run_node.key = NUC_NO_DEADLINE | 1;
	base_list_init(&task->cpu_link);
	nuc_owned_locks_init(&task->owned_locks);
	atomic_store_explicit(&task->cpu, cpu, memory_order_relaxed);
	task->detached = (attr->flags & TACT_TASK_NO_JOIN) != 0;
	task->flags = attr->flags & ATTR_FLAGS;
	task->life = atomic_load_explicit(&nuc_life, memory_order_relaxed);
	task->base_priority = (uint16_t)attr->priority;
	task->sched_priority = task->base_priority;
	task->priority = task->base_priority;
	task->suspend_count = (attr->flags & TACT_TASK_SUSPENDED) != 0;
	nuc_name_copy(status->name, attr->name);
	status->handle = task->object.handle;
	status->base_priority = task->base_priority;
	status->priority = task->priority;
	status->light = (attr->flags & TACT_TASK_LIGHT) != 0;
	task->status = status;
	task->state =
		TACT_TASK_STATE_DORMANT | (task->suspend_count ? TACT_TASK_STATE_SUSPENDED : 0);
	status->state = task->state;
	nuc_slot_take(cpu, task);
	base_list_push_back(&task->cpu_link, &cpu->tasks);
	cpu->status->tasks++;
}

/* The calling thread is a shadow already. */
static void attach_thread(struct nuc_task *task, struct hal_shadow *shadow)
{
	task->shadow = shadow;
	task->attached = 1;
	task->started = 1;
	task->status->linux_tid = hal_shadow_tid(shadow);
	nuc_task_set_state(task,
			   (task->state & TACT_TASK_STATE_THROTTLED) | TACT_TASK_STATE_RELAXED);
	hal_shadow_own(shadow, task);
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct create_call *args = base_container_of(call, struct create_call, call);
	const struct tact_task_attr *attr = args->attr;
	const struct nuc_class *class = nuc_class_table[attr->sched->sched_class];
	struct nuc_task *task;
	int error = class->check ? class->check(cpu, attr->sched, attr->priority) : 0;

	(void)object;
	if (error)
		return error;
	error = nuc_task_timers_reserve(cpu, class->timers);
	if (error)
		return error;
	task = block_get(cpu, &error);
	if (!task) {
		nuc_task_timers_unreserve(cpu, class->timers);
		return error;
	}
	fill(cpu, task, attr);
	task->stack = *args->stack;
	nuc_task_join_class(cpu, task, attr->sched);
	if (attr->flags & TACT_TASK_LIGHT)
		hal_context_prepare(&task->context, &task->stack, NULL, nuc_task_entry, task);
	if (args->attached)
		attach_thread(task, args->attached);
	nuc_trace(cpu, TACT_TRACE_TASK_NEW, task->object.handle, task->priority);
	args->task = task;
	args->call.handle = task->object.handle;
	return 0;
}

/* The shadow exists: the task can be started from now on. */
static int finish_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct finish_call *args = base_container_of(call, struct finish_call, call);
	struct nuc_task *task = nuc_task_of(object);

	(void)cpu;
	task->shadow = args->shadow;
	task->status->linux_tid = hal_shadow_tid(args->shadow);
	hal_context_prepare(&task->context, &task->stack, args->shadow, nuc_task_entry, task);
	return 0;
}

static int check_attr(const struct tact_task_attr *attr)
{
	if (!attr->priority || attr->priority > TACT_PRIORITY_MAX || attr->flags & ~ATTR_FLAGS ||
	    attr->reserved || attr->sched->sched_class >= NUC_SCHED_CLASSES ||
	    !nuc_class_table[attr->sched->sched_class])
		return -TACT_EINVAL;
	if (nuc_sched_check_slice(attr->sched))
		return -TACT_EINVAL;
	return nuc_name_check(attr->name);
}

static int finish(uint32_t handle, struct hal_shadow *shadow)
{
	NUC_CALL(struct finish_call, args, finish_run, NUC_TYPE_TASK, handle, NUC_CALL_TASKS);

	args.shadow = shadow;
	return nuc_call(&args.call);
}

static int make(const struct tact_task_attr *attr, const struct hal_stack *stack,
		struct hal_shadow *attached, struct nuc_task **task)
{
	uint32_t cpu;
	int error = nuc_home_of_flags(attr->flags, &cpu);

	if (error)
		return error;
	NUC_CALL(struct create_call, create, create_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_TASKS);
	create.attr = attr;
	create.stack = stack;
	create.attached = attached;
	error = nuc_call_create(&create.call);
	if (!error)
		*task = create.task;
	return error;
}

static int make_full(const struct tact_task_attr *attr, struct nuc_task *task)
{
	const tact_task_t handle = {task->object.handle};
	struct hal_shadow *shadow;
	int error = nuc_go_linux();

	if (!error)
		error = hal_shadow_create(&shadow, task, nuc_task_linux_priority(task), attr->name);
	if (!error)
		error = finish(handle.id, shadow);
	if (error)
		(void)tact_task_delete(handle);
	return error;
}

static int build(struct tact_task_attr *wanted, tact_task_t *task)
{
	struct nuc_task *made;
	struct hal_stack stack;
	tact_task_t handle;
	int error;

	/* The shadow and the stack come from Linux. */
	if (!(wanted->flags & TACT_TASK_LIGHT)) {
		error = nuc_go_linux();
		if (error)
			return error;
	}
	error = hal_stack_get(wanted->stack_bytes, &stack);
	/* None is in the pool: get one from Linux, if the caller may. */
	if (error == -TACT_ENOMEM && !nuc_go_linux())
		error = hal_stack_get(wanted->stack_bytes, &stack);
	if (error)
		return error;
	error = make(wanted, &stack, NULL, &made);
	if (error) {
		hal_stack_put(&stack);
		return error;
	}
	handle.id = made->object.handle;
	/* From here on the end of the task gives the stack back. */
	if (!(wanted->flags & TACT_TASK_LIGHT))
		error = make_full(wanted, made);
	if (error)
		return error;
	return nuc_registry_publish(wanted->name, handle.id, NUC_ID_OF(task));
}

/* Attributes with their defaults, and the class parameters to which they point. */
struct wanted {
	struct tact_task_attr attr;
	struct tact_sched_param sched;
};

static int resolve(const struct tact_task_attr *attr, struct wanted *wanted)
{
	int error = 0;

	*wanted = (struct wanted){.attr.priority = 0};
	if (attr)
		error = nuc_sized_read(&wanted->attr, sizeof(*attr), sizeof(*attr), attr);
	if (!error && wanted->attr.sched)
		error = nuc_sized_read(&wanted->sched, sizeof(wanted->sched), sizeof(wanted->sched),
				       wanted->attr.sched);
	if (error)
		return error;
	wanted->attr.sched = &wanted->sched;
	if (!wanted->attr.priority)
		wanted->attr.priority = TACT_PRIORITY_MIN;
	return check_attr(&wanted->attr);
}

int tact_task_create(const struct tact_task_attr *attr, tact_task_t *task)
{
	struct wanted wanted;
	int error = resolve(attr, &wanted);

	if (error)
		return error;
	if (tact_mode() == TACT_MODE_HANDLER)
		return -TACT_EPERM;
	if (!wanted.attr.stack_bytes)
		wanted.attr.stack_bytes = HAL_STACK_DEFAULT;
	if (tact_mode() != TACT_MODE_NONE)
		return build(&wanted.attr, task);
	error = nuc_maker_begin();
	if (error)
		return error;
	error = build(&wanted.attr, task);
	nuc_maker_end();
	return error;
}

/*
 * The thread becomes a shadow before its task exists, so that one message to the CPU makes the task
 * and ties the two.
 */
static int attach(const struct tact_task_attr *wanted, tact_task_t *task)
{
	static const struct hal_stack own = {.base = NULL};
	struct hal_shadow *shadow;
	struct nuc_task *made;
	tact_task_t handle;
	int error = hal_shadow_attach(&shadow, NULL,
				      nuc_linux_priority(wanted->priority, wanted->sched));

	if (error)
		return error;
	error = make(wanted, &own, shadow, &made);
	if (error) {
		hal_shadow_release(shadow);
		return error;
	}
	handle.id = made->object.handle;
	error = nuc_registry_enter(wanted->name, handle.id);
	if (error) {
		/* Deleting the task would end the caller's thread with it. */
		(void)tact_task_detach();
		return error;
	}
	if (task)
		*task = handle;
	return 0;
}

int tact_task_attach(const struct tact_task_attr *attr, tact_task_t *task)
{
	struct wanted wanted;
	int error = resolve(attr, &wanted);

	if (error)
		return error;
	if (wanted.attr.flags & (TACT_TASK_LIGHT | TACT_TASK_SUSPENDED))
		return -TACT_EINVAL;
	if (tact_mode() != TACT_MODE_NONE)
		return tact_mode() == TACT_MODE_HANDLER ? -TACT_EPERM : -TACT_EBUSY;
	error = nuc_maker_begin();
	if (error)
		return error;
	error = attach(&wanted.attr, task);
	nuc_maker_end();
	if (error)
		return error;
	error = tact_task_harden();
	/* The program stopped meanwhile: the thread must not stay a task if the call fails. */
	if (error)
		(void)tact_task_detach();
	return error;
}
