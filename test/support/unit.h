/* Included by every unit test: cmocka with the headers that it needs. */
#ifndef TAFL_TEST_SUPPORT_UNIT_H
#define TAFL_TEST_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* True in the long run: LONG is set and not empty. */
bool unit_long(void);

#endif
