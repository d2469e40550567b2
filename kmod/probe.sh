#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# probe.sh OUTPUT PROBE... -- COMPILER FLAG...
#
# Compiles each probe with the kernel's own flags, and writes a header with `#define TACTUS_HAS_NAME
# 1` for each probe that compiles. The version of the kernel decides nothing, because stable kernels
# adopt later changes. For a probe that does not compile, the header has the compiler's first error.
# Every error must be about the subject of the probe (its line `about:`, an extended regular
# expression): a probe that fails for another reason would select code that does not fit this
# kernel.
output=$1
shift
probes=
while [ "$1" != -- ]; do
	probes="$probes $1"
	shift
done
shift

fail() {
	printf 'tactus: %s\n' "$@" >&2
	rm -f "$output.new" "$output.o" "$output.fails.c"
	exit 1
}

# said SOURCE COMPILER...: prints the compiler's messages; its result is that of the compiler.
said() {
	source=$1
	shift
	case $source in
	*.S) set -- "$@" -D__ASSEMBLY__ ;;
	esac
	LC_ALL=C "$@" -c -o "$output.o" "$source" 2>&1
}

# If everything compiles, the probes prove nothing.
printf '#include <linux/cpu.h>\nint probe(void);\nint probe(void)\n{\n\treturn tactus_none();\n}\n' >"$output.fails.c"
message=$(said "$output.fails.c" "$@") && fail "the compiler accepts calls of functions that do not exist"
case $message in
*tactus_none*) ;;
*) fail "this kernel's headers do not compile: install them whole, with their compiler" "$message" ;;
esac

{
	echo '/* SPDX-License-Identifier: GPL-2.0-only */'
	echo '/* Made by probe.sh: what this kernel has. */'
} >"$output.new"
for probe in $probes; do
	name=${probe##*/}
	name=$(echo "${name%.*}" | tr a-z A-Z)
	if message=$(said "$probe" "$@"); then
		echo "#define TACTUS_HAS_$name 1"
		continue
	fi
	about=$(sed -n 's/^.*about: //p' "$probe")
	# Without the path, which contains the probe's name.
	errors=$(echo "$message" | sed -n 's/.*[Ee]rror: //p')
	other=$(echo "$errors" | grep -v -E "$about")
	[ -n "$errors" ] && [ -z "$other" ] || fail "probes/${probe##*/} does not compile for another reason: correct it for this kernel" "$message"
	echo "/* no $name: $(echo "$errors" | sed 's,\*/,,g; q') */"
done >>"$output.new"
rm -f "$output.o" "$output.fails.c"
mv "$output.new" "$output"
