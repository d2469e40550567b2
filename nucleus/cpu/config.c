/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Configuration: the values of the program, overridden by those of the environment, and the
 * defaults for the rest; all is checked together.
 */
#include "cpu/config.h"

#include "base/string.h"
#include "hal/hal.h"
#include "kernel/sized.h"

#define POOL_BYTES_DEFAULT   (4u << 20)
#define POOL_BYTES_MIN       (256u << 10)
#define TASK_SLOTS_DEFAULT   256u
#define TASK_SLOTS_MAX       65536u
#define TRACE_EVENTS_DEFAULT 4096u
#define TRACE_EVENTS_MAX     (1u << 24)
#define WATCHDOG_MS_DEFAULT  4000u
#define PRIORITY_MAX         98u
#define GRAVITY_MAX_NS       1000000u

static bool parse_number(const char *text, uint32_t *value)
{
	uint64_t number = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		number = number * 10 + (uint64_t)(*text - '0');
		if (number > UINT32_MAX)
			return false;
	}
	*value = (uint32_t)number;
	return true;
}

static bool same(const char *a, const char *b)
{
	size_t length = base_length(b, 32);

	return base_length(a, 32) == length && base_compare(a, b, length) == 0;
}

static int number_from_environment(const char *name, uint32_t *value, char *reason)
{
	const char *text = hal_environment(name);

	if (!text || parse_number(text, value))
		return 0;
	base_print(reason, TACT_REASON_BYTES, "%s=%s: give a whole number", name, text);
	return -TACT_EINVAL;
}

static int switch_from_environment(const char *name, int *value, char *reason)
{
	const char *text = hal_environment(name);

	if (!text)
		return 0;
	if (!same(text, "0") && !same(text, "1")) {
		base_print(reason, TACT_REASON_BYTES, "%s=%s: give 0 or 1", name, text);
		return -TACT_EINVAL;
	}
	*value = text[0] == '1';
	return 0;
}

static int idle_from_environment(uint32_t *idle, char *reason)
{
	const char *text = hal_environment("TACTUS_IDLE");

	if (!text)
		return 0;
	if (same(text, "hybrid"))
		*idle = TACT_IDLE_HYBRID;
	else if (same(text, "sleep"))
		*idle = TACT_IDLE_SLEEP;
	else if (same(text, "spin"))
		*idle = TACT_IDLE_SPIN;
	else {
		base_print(reason, TACT_REASON_BYTES, "TACTUS_IDLE=%s: give sleep, hybrid or spin",
			   text);
		return -TACT_EINVAL;
	}
	return 0;
}

/* "handler:light:task:idle:preempt", each in ns; 0: not overridden. */
static int gravity_from_environment(struct tact_gravity *gravity, char *reason)
{
	uint32_t *const members[] = {&gravity->handler_ns, &gravity->light_ns, &gravity->task_ns,
				     &gravity->idle_ns, &gravity->preempt_ns};
	const unsigned count = sizeof(members) / sizeof(members[0]);
	const char *text = hal_environment("TACTUS_GRAVITY");
	const char *rest = text;

	for (unsigned i = 0; rest && i < count; i++) {
		char part[12];
		size_t length = 0;
		uint32_t value;

		while (rest[length] && rest[length] != ':' && length < sizeof(part) - 1) {
			part[length] = rest[length];
			length++;
		}
		part[length] = '\0';
		rest += length;
		if (!parse_number(part, &value) || value > GRAVITY_MAX_NS ||
		    *rest != (i + 1 < count ? ':' : '\0')) {
			base_print(
				reason, TACT_REASON_BYTES,
				"TACTUS_GRAVITY=%s: give handler:light:task:idle:preempt, each 0 "
				"to 1000000 ns",
				text);
			return -TACT_EINVAL;
		}
		rest++;
		if (value)
			*members[i] = value;
	}
	return 0;
}

static int refuse(char *reason, const char *what)
{
	base_print(reason, TACT_REASON_BYTES, "%s", what);
	return -TACT_EINVAL;
}

/* Tools print the name, and it is a component of the addresses of pipes:
 * "tactus/<program>/<pipe>". */
static bool name_usable(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++) {
		unsigned char byte = (unsigned char)*name;

		if (byte < 0x20 || byte == 0x7f || byte == '/')
			return false;
	}
	return true;
}

/* The default name: the name by which the program was started, if that is usable. */
static const char *own_name(void)
{
	const char *name = hal_program_name();

	return name_usable(name) ? name : "tactus";
}

static int check(const struct tact_config *config, char *reason)
{
	const struct tact_gravity *gravity = &config->gravity;

	if (!name_usable(config->name))
		return refuse(reason, "name: not empty, no slash and no control character");
	if (config->cpus > TACT_CPU_MAX)
		return refuse(reason, "cpus: at most 31 real-time CPUs");
	if (config->priority > PRIORITY_MAX)
		return refuse(reason, "priority: 1 to 98, one is kept for the back end's helper");
	if (config->idle > TACT_IDLE_SPIN)
		return refuse(reason, "idle: TACT_IDLE_HYBRID, _SLEEP or _SPIN");
	if (config->fault > TACT_FAULT_STOP_PROGRAM)
		return refuse(reason, "fault: TACT_FAULT_STOP_TASK or _STOP_PROGRAM");
	if (config->pool_bytes < POOL_BYTES_MIN)
		return refuse(reason, "pool_bytes: at least 256 KiB");
	if (config->task_slots > TASK_SLOTS_MAX)
		return refuse(reason, "task_slots: at most 65536");
	if (config->trace_events > TRACE_EVENTS_MAX ||
	    config->trace_events & (config->trace_events - 1))
		return refuse(reason, "trace_events: a power of two, at most 16777216");
	if (gravity->handler_ns > GRAVITY_MAX_NS || gravity->light_ns > GRAVITY_MAX_NS ||
	    gravity->task_ns > GRAVITY_MAX_NS || gravity->idle_ns > GRAVITY_MAX_NS ||
	    gravity->preempt_ns > GRAVITY_MAX_NS)
		return refuse(reason, "gravity: each member at most 1000000 ns");
	return 0;
}

#define DEFAULT(field, value)                    \
	do {                                     \
		if (!wanted->field)              \
			wanted->field = (value); \
	} while (0)

static void fill_defaults(struct tact_config *wanted)
{
	DEFAULT(name, own_name());
	DEFAULT(cpus, 1);
	DEFAULT(pool_bytes, POOL_BYTES_DEFAULT);
	DEFAULT(task_slots, TASK_SLOTS_DEFAULT);
	DEFAULT(trace_events, TRACE_EVENTS_DEFAULT);
	DEFAULT(watchdog_ms, WATCHDOG_MS_DEFAULT);
}

/* The environment may ask for more CPUs than the program names: the back end chooses the rest. */
static void fill_cpus(struct tact_config *wanted, uint32_t named)
{
	static uint32_t cpus[TACT_CPU_MAX]; /* one start at a time, which is over before the next */

	if (!wanted->linux_cpu || wanted->cpus <= named || wanted->cpus > TACT_CPU_MAX)
		return;
	for (uint32_t i = 0; i < wanted->cpus; i++)
		cpus[i] = i < named ? wanted->linux_cpu[i] : TACT_CPU_ANY;
	wanted->linux_cpu = cpus;
}

int nuc_config_resolve(const struct tact_config *given, struct tact_config *wanted, char *reason)
{
	const char *options = hal_environment("TACTUS_OPTIONS");
	int error;

	base_fill(wanted, 0, sizeof(*wanted));
	if (given && nuc_sized_read(wanted, sizeof(*wanted), sizeof(*wanted), given))
		return refuse(reason, "size: sizeof(struct tact_config) or 0; or a newer "
				      "program needs a newer library");
	error = number_from_environment("TACTUS_CPUS", &wanted->cpus, reason);
	if (!error)
		error = number_from_environment("TACTUS_PRIORITY", &wanted->priority, reason);
	if (!error)
		error = idle_from_environment(&wanted->idle, reason);
	if (!error)
		error = switch_from_environment("TACTUS_SHARE", &wanted->share, reason);
	if (!error)
		error = switch_from_environment("TACTUS_REQUIRE", &wanted->require, reason);
	if (!error)
		error = gravity_from_environment(&wanted->gravity, reason);
	if (error)
		return error;
	if (options)
		wanted->options = options;
	fill_defaults(wanted);
	if (given)
		fill_cpus(wanted, given->cpus ? given->cpus : 1);
	return check(wanted, reason);
}
