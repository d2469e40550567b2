/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tests in the form of Xenomai's, for smokey.sh: their arguments, and the actions of their
 * program. */
#include <smokey/smokey.h>
#include <stdio.h>
#include <sys/cobalt.h>
#include <xenomai/tunables.h>

smokey_test_plugin(first_one, SMOKEY_NOARGS, "Does nothing, well");

smokey_test_plugin(takes_arguments,
		   SMOKEY_ARGLIST(SMOKEY_INT(number), SMOKEY_BOOL(flag), SMOKEY_STRING(text)),
		   "Tells its arguments");

smokey_test_plugin(fails, SMOKEY_NOARGS, "Fails in each way");

smokey_test_plugin(has_barrier, SMOKEY_NOARGS, "Waits for a thread, and for nobody");

smokey_test_plugin(names_its_own,
		   SMOKEY_ARGLIST(SMOKEY_SIZE(mem_size), SMOKEY_INT(number), SMOKEY_BOOL(flag),
				  SMOKEY_STRING(text)),
		   "Tells its arguments by their names");

static int run_first_one(struct smokey_test *t, int argc, char *const argv[])
{
	smokey_note("%s of %d words, level %d, vm %d", t->name, argc,
		    get_runtime_tunable(verbosity_level), smokey_on_vm);
	smokey_trace("a trace");
	return argv[argc] ? -EINVAL : 0;
}

static int run_takes_arguments(struct smokey_test *t, int argc, char *const argv[])
{
	smokey_note("%d arguments", smokey_parse_args(t, argc, argv));
	if (SMOKEY_ARG_ISSET(takes_arguments, number))
		smokey_note("number %d", SMOKEY_ARG_INT(takes_arguments, number));
	if (SMOKEY_ARG_ISSET(takes_arguments, flag))
		smokey_note("flag %d", SMOKEY_ARG_BOOL(takes_arguments, flag));
	if (SMOKEY_ARG_ISSET(takes_arguments, text))
		smokey_note("text %s", SMOKEY_ARG_STRING(takes_arguments, text));
	return 0;
}

static int run_names_its_own(struct smokey_test *t, int argc, char *const argv[])
{
	smokey_note("%d arguments", smokey_parse_args(t, argc, argv));
	if (smokey_arg_isset(t, "mem_size"))
		smokey_note("%zu bytes", smokey_arg_size(t, "mem_size"));
	if (smokey_arg_isset(t, "text"))
		smokey_note("%s, %d, %d", smokey_arg_string(t, "text"), smokey_arg_int(t, "number"),
			    smokey_arg_bool(t, "flag"));
	return SMOKEY_ARG_SIZE(names_its_own, mem_size) == smokey_arg_size(t, "mem_size") ? 0
											  : -EINVAL;
}

static int run_fails(struct smokey_test *t, int argc, char *const argv[])
{
	int ret = 0;

	(void)t;
	(void)argc;
	(void)argv;
	if (smokey_check_errno(close(-1)) != -EBADF || smokey_check_status(EPERM) != -EPERM ||
	    smokey_assert(ret == 1) || __T(ret, -EINVAL) || ret != -EINVAL || __F(ret, 0) ||
	    !__F(ret, EBUSY) || ret != -EBUSY || __Tassert(ret == 0) || __Fassert(ret != 0) ||
	    __Terrno(ret, close(-1)) || ret != -EBADF)
		return 0;
	return -EPROTO;
}

static void *release(void *arg)
{
	smokey_barrier_release(arg);
	return NULL;
}

static int run_has_barrier(struct smokey_test *t, int argc, char *const argv[])
{
	struct smokey_barrier barrier;
	struct timespec soon;
	pthread_t thread;
	int ret;

	(void)t;
	(void)argc;
	(void)argv;
	if (!__T(ret, smokey_barrier_init(&barrier)))
		return ret;
	clock_gettime(CLOCK_REALTIME, &soon);
	timespec_adds(&soon, &soon, 1000000);
	if (!__Tassert(smokey_barrier_timedwait(&barrier, &soon) == ETIMEDOUT))
		return -EINVAL;
	if (!__T(ret, pthread_create(&thread, NULL, release, &barrier)) ||
	    !__T(ret, smokey_barrier_wait(&barrier)) || !__T(ret, pthread_join(thread, NULL)))
		return ret;
	smokey_barrier_destroy(&barrier);
	if (!__Tassert(smokey_fork_exec("/bin/false", "x") == 1) ||
	    !__Tassert(smokey_run_extprog("/bin", "true", "x", &ret) == 0 && ret == 0) ||
	    !__Tassert(smokey_run_extprog("/bin", "false", "x", &ret) == 1 && ret == 1) ||
	    !__Tassert(smokey_rmmod("none") == -ENOSYS))
		return -EINVAL;
	/* A test that needs a module is skipped. */
	return smokey_modprobe("none", true);
}

static int tune(void)
{
	size_t pool = get_config_tunable(mem_pool_size);

	set_config_tunable(mem_pool_size, 2 * pool);
	if (!pool || get_config_tunable(mem_pool_size) != 2 * pool)
		return -EINVAL;
	set_config_tunable(print_buffer_size, 4096);
	return get_config_tunable(print_buffer_size) == 4096 ? 0 : -EINVAL;
}

static struct setup_descriptor own = {.name = "own", .tune = tune};

user_setup_call(own)

	int main(int argc, char *const argv[])
{
	struct smokey_test *t;
	int failed = 0;

	for_each_smokey_test(t)
	{
		int ret = t->run(t, argc, argv);

		printf("%s: %s\n", t->name, ret ? symerror(ret) : "OK");
		failed |= ret && ret != -ENOSYS;
		if (failed && !smokey_keep_going)
			break;
	}
	return failed;
}
