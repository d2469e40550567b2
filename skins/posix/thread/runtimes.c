/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recognises runtimes, by the names of their libraries or functions. */
#define _GNU_SOURCE
#include "posix/thread/runtimes.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "posix/libc/real.h"

/* Also the libraries with which their starters are linked, which are loaded before any thread
 * exists. */
static const char *const runtimes[] = {
	"libjvm.so", "libjli.so", "libcoreclr.so", "libhostfxr.so", "libmonosgen-2.0.so",
};

static bool is_runtime(const char *path)
{
	for (size_t i = 0; path && i < sizeof(runtimes) / sizeof(runtimes[0]); i++)
		if (strstr(path, runtimes[i]))
			return true;
	return false;
}

bool posix_runtime_at(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) && is_runtime(info.dli_fname);
}

static int is_runtime_object(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	return is_runtime(info->dlpi_name);
}

bool posix_runtime_loaded(void)
{
	return dl_iterate_phdr(is_runtime_object, NULL);
}

/* With one handler, on a stack of its own, as Go's runtime does. */
bool posix_runtime_takes_signals(void)
{
	struct sigaction first, one;

	if (posix_real.sigaction(SIGSEGV, NULL, &first) || !(first.sa_flags & SA_ONSTACK) ||
	    first.sa_handler == SIG_DFL || first.sa_handler == SIG_IGN)
		return false;
	for (int signal = SIGRTMIN + 1; signal <= SIGRTMAX; signal++)
		if (posix_real.sigaction(signal, NULL, &one) || one.sa_handler != first.sa_handler)
			return false;
	return true;
}

bool posix_runtime_follows_threads(void)
{
	return dlsym(RTLD_DEFAULT, "__tsan_init");
}

/*
 * If a program is linked with AddressSanitizer's runtime as a library, the runtime refuses to start
 * after another library, which might keep its functions from being called. This library passes all
 * calls on that it interposes, and interposes nothing that the runtime has to see first. Source:
 * gcc's and clang's <sanitizer/asan_interface.h>.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}
