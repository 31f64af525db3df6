/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/mman.h>

#include "pce/pce.h"
#include "pce/test_toy.h"
#include "synthesis/owned.h"
#include "synthesis/shape.h"

/* Every allocation of a plan, a run, a shape and a compiled circuit is refused once: a status, and
 * nothing held (a sanitizer sees the rest). The linker's --wrap sends our calls here. */

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset);

static unsigned left; /* allocations until the refused one; 0: none is */

static bool refused(void)
{
    return left > 0 && --left == 0;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return refused() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return refused() ? NULL : __real_realloc(p, size);
}

void *__wrap_mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return refused() ? MAP_FAILED : __real_mmap(at, length, protection, flags, fd, offset);
}

static const toy_t toy = {.n_parts = 40, .one_in_b = 2, .seed = 1};

static cuzk_status make_stamped(cuzk_error *err)
{
    owned_assignment_t owned;
    const cuzk_status st = owned_assignment_make(&owned, toy_parts, &toy, true, NULL, err);

    if (st == CUZK_OK) owned_assignment_clear(&owned);
    return st;
}

static cuzk_status make_generic(cuzk_error *err)
{
    const synthesis_options_t options = {.path = SYNTHESIS_GENERIC};
    owned_assignment_t owned;
    const cuzk_status st = owned_assignment_make(&owned, toy_parts, &toy, true, &options, err);

    if (st == CUZK_OK) owned_assignment_clear(&owned);
    return st;
}

static cuzk_status make_shape(cuzk_error *err)
{
    const shape_options_t options = {.level = SHAPE_VALUES, .block = 8};
    shape_t shape;
    const cuzk_status st = synthesis_shape(&shape, toy_parts, &toy, &options, err);

    if (st == CUZK_OK) shape_clear(&shape);
    return st;
}

static cuzk_status make_pce(cuzk_error *err)
{
    uint8_t digest[SHA256_BYTES];
    pce_t *pce;
    cuzk_status st = pce_extract(&pce, "toy", toy_parts, &toy, err);

    if (st != CUZK_OK) return st;
    st = pce_digest(digest, pce, err);
    pce_free(pce);
    return st;
}

static void refuse_each(cuzk_status (*make)(cuzk_error *err), unsigned least)
{
    cuzk_status st = CUZK_ERR_MEMORY;
    unsigned n = 0;

    while (st != CUZK_OK) {
        cuzk_error err = {0};

        left = ++n;
        st = make(&err);
        if (st == CUZK_OK && left == 0) { /* it could do without */
            st = CUZK_ERR_MEMORY;
            continue;
        }
        left = 0;
        if (st != CUZK_OK) assert_int_equal(st, CUZK_ERR_MEMORY);
        if (st != CUZK_OK) assert_int_equal(err.status, CUZK_ERR_MEMORY);
    }
    assert_true(n > least);
}

static void a_stamped_run_can_be_refused_memory(void **unused)
{
    (void)unused;
    refuse_each(make_stamped, 10);
}

static void a_generic_run_can_be_refused_memory(void **unused)
{
    (void)unused;
    refuse_each(make_generic, 10);
}

static void a_shape_can_be_refused_memory(void **unused)
{
    (void)unused;
    refuse_each(make_shape, 10);
}

static void a_compiled_circuit_can_be_refused_memory(void **unused)
{
    (void)unused;
    refuse_each(make_pce, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamped_run_can_be_refused_memory),
        cmocka_unit_test(a_generic_run_can_be_refused_memory),
        cmocka_unit_test(a_shape_can_be_refused_memory),
        cmocka_unit_test(a_compiled_circuit_can_be_refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
