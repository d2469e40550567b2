/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that does nothing, and says by its status how many arguments it got. */
int main(int argc, char **argv)
{
	(void)argv;
	return argc - 1;
}
