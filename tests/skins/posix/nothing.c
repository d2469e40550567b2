/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that does nothing, and returns the number of its arguments as its status. */
int main(int argc, char **argv)
{
	(void)argv;
	return argc - 1;
}
