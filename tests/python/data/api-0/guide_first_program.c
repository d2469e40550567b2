/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program of docs/guide/first-program.md. */
#include <stdio.h>
#include <tactus/tact.h>

static void control(void *arg)
{
	tact_time_t release;
	uint64_t missed;

	(void)arg;
	tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, TACT_MS(1));
	for (int i = 0; i < 1000; i++) {
		int error = tact_task_wait_period(&missed, &release);

		if (error == -TACT_ETIMEDOUT)
			continue; /* `missed` releases were missed; count them, do not hide them */
				  /* read, compute, write: no Linux call here */
	}
}

int main(void)
{
	struct tact_task_attr attr = {.name = "control", .priority = 80};
	char reason[TACT_REASON_BYTES];
	tact_task_t task;
	int error = tact_start(NULL, reason);

	if (reason[0])
		fprintf(stderr, "%s\n",
			reason); /* what failed, or what the machine could not give */
	if (error)
		return 1;
	error = tact_task_spawn(&attr, control, NULL, &task);
	if (!error)
		error = tact_task_join(task, TACT_FOREVER);
	tact_stop();
	return error ? 1 : 0;
}
