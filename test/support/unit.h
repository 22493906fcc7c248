/* What every unit test includes: cmocka with the headers it wants before it. */
#ifndef TAFL_TEST_UNIT_H
#define TAFL_TEST_UNIT_H

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

#endif
