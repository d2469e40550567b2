/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests that are parts of one program, of which the command line selects some. This is the
 * interface of Xenomai's test programs. A program that includes this header is linked with what
 * `xeno-config --skin=smokey --ldflags` prints. Its main() runs the tests in smokey_test_list.
 *
 *   --list                list the tests: number, name, description
 *   --run[=ID[,ID...]]    run these tests, in this order. ID is a number, a name (also with *, ?
 *                         and [..]), or a range of either: FIRST-LAST, -LAST or FIRST-. Without ID:
 *                         all tests
 *   --exclude=ID[,ID...]  do not run these tests
 *   --keep-going          continue after a failure: smokey_keep_going
 *   --vm                  the machine is virtual, and times are not reliable: smokey_on_vm
 *   --verbose[=N]         how much the tests print: smokey_verbose_mode, 1 at first
 *   --quiet               the same as --verbose=0
 *
 * Source: Xenomai 3, "Smokey API".
 */
/* The macros are GNU C: they have statements in expressions, and arguments that may be missing. */
#pragma GCC system_header
#ifndef SMOKEY_SMOKEY_H
#define SMOKEY_SMOKEY_H

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <boilerplate/ancillaries.h>
#include <boilerplate/atomic.h>
#include <boilerplate/libc.h>
#include <boilerplate/list.h>
#include <boilerplate/setup.h>
#include <copperplate/clockobj.h>
#include <xenomai/init.h>

/* As in Xenomai: only if the compiler searches the folder of Cobalt's POSIX headers. */
#if __has_include(<sys/cobalt.h>)
#include <sys/cobalt.h>
#endif

#define do_fork fork

struct smokey_arg {
	const char *name;
	/* Returns 1 if the word s of the command line gives this argument, and then stores its
	   value; otherwise 0. */
	int (*parser)(const char *s, struct smokey_arg *arg);
	union {
		int n_val;
		char *s_val;
		size_t l_val;
	} u;
	int matched;
};

#define SMOKEY_ARG_OF(arg_name, arg_parser)                \
	{                                                  \
		.name = #arg_name, .parser = (arg_parser), \
	}
/* In this order: name=NUMBER; name or name=NUMBER; name=TEXT; name=BYTES, not 0, also as 64K, 16M
 * or 1G */
#define SMOKEY_INT(name)        SMOKEY_ARG_OF(name, smokey_int)
#define SMOKEY_BOOL(name)       SMOKEY_ARG_OF(name, smokey_bool)
#define SMOKEY_STRING(name)     SMOKEY_ARG_OF(name, smokey_string)
#define SMOKEY_SIZE(name)       SMOKEY_ARG_OF(name, smokey_size)
#define SMOKEY_ARGLIST(args...) ((struct smokey_arg[]){args})
#define SMOKEY_NOARGS           (((struct smokey_arg[]){{.name = NULL}}))

struct smokey_test {
	const char *name;
	struct smokey_arg *args;
	int nargs;
	const char *description;
	/* Returns 0, or a negative error number; -ENOSYS: the test cannot be run on this system. */
	int (*run)(struct smokey_test *t, int argc, char *const argv[]);
	struct {
		int id;
		struct pvholder next;
	} __reserved;
};

/* Define a test. Its function run_PLUGIN() follows the macro. */
#define smokey_test_plugin(plugin, arg_list, text)                                    \
	static int run_##plugin(struct smokey_test *t, int argc, char *const argv[]); \
	static struct smokey_test plugin = {                                          \
		.name = #plugin,                                                      \
		.args = (arg_list),                                                   \
		.nargs = sizeof(arg_list) / sizeof((arg_list)[0]),                    \
		.description = (text),                                                \
		.run = run_##plugin,                                                  \
	};                                                                            \
	__early_ctor void smokey_plugin_##plugin(void);                               \
	void smokey_plugin_##plugin(void)                                             \
	{                                                                             \
		smokey_register_plugin(&(plugin));                                    \
	}

#define for_each_smokey_test(pos) pvlist_for_each_entry((pos), &smokey_test_list, __reserved.next)

/* Values of arguments, after smokey_parse_args(). */
#define SMOKEY_ARG(plugin, arg)        (smokey_lookup_arg(&(plugin), #arg))
#define SMOKEY_ARG_ISSET(plugin, arg)  (SMOKEY_ARG(plugin, arg)->matched)
#define SMOKEY_ARG_INT(plugin, arg)    (SMOKEY_ARG(plugin, arg)->u.n_val)
#define SMOKEY_ARG_BOOL(plugin, arg)   (!!SMOKEY_ARG_INT(plugin, arg))
#define SMOKEY_ARG_STRING(plugin, arg) (SMOKEY_ARG(plugin, arg)->u.s_val)
#define SMOKEY_ARG_SIZE(plugin, arg)   (SMOKEY_ARG(plugin, arg)->u.l_val)

/* The same for a test t. name: the name of the argument, a string. */
#define smokey_arg_isset(t, name)  (smokey_lookup_arg(t, name)->matched)
#define smokey_arg_int(t, name)    (smokey_lookup_arg(t, name)->u.n_val)
#define smokey_arg_bool(t, name)   (!!smokey_arg_int(t, name))
#define smokey_arg_string(t, name) (smokey_lookup_arg(t, name)->u.s_val)
#define smokey_arg_size(t, name)   (smokey_lookup_arg(t, name)->u.l_val)

#define smokey_warning(format, args...) __smokey_warning(__FILE__, __LINE__, format, ##args)

/* For a call that sets errno: returns the value of the call. If the call fails, prints a warning
 * and returns -errno. */
#define smokey_check_errno(expr)                                          \
	({                                                                \
		int smokey_ret_ = (expr);                                 \
		if (smokey_ret_ < 0) {                                    \
			smokey_ret_ = -errno;                             \
			smokey_warning("%s: %s", #expr, strerror(errno)); \
		}                                                         \
		smokey_ret_;                                              \
	})

/* For a call that returns 0 or an error number: returns 0. If the call fails, prints a warning and
 * returns the error number, negative. */
#define smokey_check_status(expr)                                               \
	({                                                                      \
		int smokey_ret_ = (expr);                                       \
		if (smokey_ret_) {                                              \
			smokey_warning("%s: %s", #expr, strerror(smokey_ret_)); \
			smokey_ret_ = -smokey_ret_;                             \
		}                                                               \
		smokey_ret_;                                                    \
	})

#define smokey_assert(expr)                                            \
	({                                                             \
		int smokey_ret_ = !!(expr);                            \
		if (!smokey_ret_)                                      \
			smokey_warning("assertion failed: %s", #expr); \
		smokey_ret_;                                           \
	})

/* For a call that returns 0 or an error number of either sign; ret receives 0 or the error number,
 * negative. __T: did the call succeed? __F: did it fail? __Terrno: as __T, for a call that sets
 * errno. An answer of no prints a warning. */
#define __T(ret, action)                                                                        \
	({                                                                                      \
		(ret) = (action);                                                               \
		if (ret) {                                                                      \
			(ret) = (ret) > 0 ? -(ret) : (ret);                                     \
			smokey_warning("FAILED: %s (=%s)", __stringify(action), symerror(ret)); \
		}                                                                               \
		(ret) == 0;                                                                     \
	})
#define __F(ret, action)                                                        \
	({                                                                      \
		(ret) = (action);                                               \
		if (!(ret))                                                     \
			smokey_warning("FAILED: %s (=0)", __stringify(action)); \
		(ret) = (ret) > 0 ? -(ret) : (ret);                             \
		(ret) != 0;                                                     \
	})
#define __Terrno(ret, action)                                                                   \
	({                                                                                      \
		(ret) = (action);                                                               \
		if (ret) {                                                                      \
			(ret) = -errno;                                                         \
			smokey_warning("FAILED: %s (=%s)", __stringify(action), symerror(ret)); \
		}                                                                               \
		(ret) == 0;                                                                     \
	})
#define __Tassert(expr)                                                           \
	({                                                                        \
		int smokey_ret_ = !!(expr);                                       \
		if (!smokey_ret_)                                                 \
			smokey_warning("FAILED: %s (=false)", __stringify(expr)); \
		smokey_ret_;                                                      \
	})
#define __Fassert(expr)                                                          \
	({                                                                       \
		int smokey_ret_ = !!(expr);                                      \
		if (smokey_ret_)                                                 \
			smokey_warning("FAILED: %s (=true)", __stringify(expr)); \
		!smokey_ret_;                                                    \
	})

/* Threads wait at it until it is released, once. */
struct smokey_barrier {
	pthread_mutex_t lock;
	pthread_cond_t barrier;
	int signaled;
};

#ifdef __cplusplus
extern "C" {
#endif

extern struct pvlistobj smokey_test_list; /* the selected tests */
extern int smokey_keep_going;
extern int smokey_verbose_mode;
extern int smokey_on_vm;

void smokey_register_plugin(struct smokey_test *t);
int smokey_int(const char *s, struct smokey_arg *arg);
int smokey_bool(const char *s, struct smokey_arg *arg);
int smokey_string(const char *s, struct smokey_arg *arg);
int smokey_size(const char *s, struct smokey_arg *arg);
/* Returns the argument of that name. If the test has none, ends the program with a message. */
struct smokey_arg *smokey_lookup_arg(struct smokey_test *t, const char *arg);
/* Read the test's arguments from the command line. Returns how many of them it gives. */
int smokey_parse_args(struct smokey_test *t, int argc, char *const argv[]);

/* Print a line. smokey_note(): unless --quiet is given. smokey_trace(), smokey_vatrace(): with
 * --verbose=2 and more. __smokey_warning(): on the standard error output, with its place in the
 * source, unless --quiet is given. */
void smokey_note(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));
void smokey_trace(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));
void smokey_vatrace(const char *fmt, va_list ap) __attribute__((__format__(__printf__, 1, 0)));
void __smokey_warning(const char *file, int lineno, const char *fmt, ...)
	__attribute__((__format__(__printf__, 3, 4)));

/* Return 0, or an error number of the POSIX calls that they make. ts: instant of CLOCK_REALTIME. */
int smokey_barrier_init(struct smokey_barrier *b);
void smokey_barrier_destroy(struct smokey_barrier *b);
int smokey_barrier_wait(struct smokey_barrier *b);
int smokey_barrier_timedwait(struct smokey_barrier *b, struct timespec *ts);
void smokey_barrier_release(struct smokey_barrier *b);

/* Run a program with one argument, and wait for its end. Returns its exit status, or a negative
 * error number; -EINTR: a signal ended it. */
int smokey_fork_exec(const char *path, const char *arg);
/* As smokey_fork_exec() for base_dir/prog_name. Prints whether it failed. exec_ret: receives the
 * result. Returns 0, or 1 if the program failed and --keep-going was not given. */
int smokey_run_extprog(const char *base_dir, const char *prog_name, const char *args,
		       int *exec_ret);

/* Return -ENOSYS, because there are no kernel modules of Xenomai; the test is then skipped. They
 * print a line, except with silent. */
int smokey_modprobe(const char *name, bool silent);
int smokey_rmmod(const char *name);

#ifdef __cplusplus
}
#endif

#endif
