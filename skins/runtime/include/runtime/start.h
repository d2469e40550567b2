/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The start of the nucleus: by the first service that needs it, or with the program's root
 * function. If the program has started the nucleus itself, nothing is changed.
 */
#ifndef RUNTIME_START_H
#define RUNTIME_START_H

#include <stdbool.h>

#include <tactus/tact.h>

struct runtime_program {
	const char *main_name; /* of main() as a task */
	/* Fill in the configuration, which has the name of the program already. Runs once, before
	 * there is a task that would have to leave primary mode for Linux calls. quiet: set if
	 * remarks of a successful start are not printed. NULL: the defaults. */
	void (*configure)(struct tact_config *config, bool *quiet);
};

/*
 * To be called at the head of each service that creates or binds: starts the nucleus if it is not
 * started. main() becomes the weakest task (caller.h). A reason goes to the standard error output.
 * Returns 0, -TACT_ENOMEM, -TACT_EPERM (a handler; or the nucleus cannot be started).
 */
int runtime_begin(const struct runtime_program *program);

/*
 * Start the nucleus, and in it a task that runs the program's root function: usrAppInit(), ROOT,
 * init_module(). attr: of the task; TACT_TASK_NO_JOIN is ignored. Returns when the function has
 * returned or its task has ended: 0, or as runtime_begin(), tact_task_create(). Tasks that the
 * function has started go on until runtime_stop(), or the end of the process. Context: linux.
 */
int runtime_root(const struct runtime_program *program, const struct tact_task_attr *attr,
		 void (*root)(void *arg), void *arg);

/*
 * For main() after it has started the first task: wait until no task of a skin is left and goes_on
 * returns false. Signals are handled meanwhile. goes_on: is something else of the program at work,
 * for instance a timer? It is asked after the end of each task and after runtime_stay_again();
 * NULL: nothing is. Returns 0, -TACT_EPERM (not started), -TACT_ENOMEM, -TACT_EIDRM (it was
 * stopped). Context: linux.
 */
int runtime_stay(bool (*goes_on)(void));
/* What goes_on looks at has changed. Context: any. */
void runtime_stay_again(void);

/* tact_stop(), also for main() as the weakest task, which is a plain thread again then. Context:
 * linux. */
int runtime_stop(void);

#endif
