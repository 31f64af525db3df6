/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tests of one group; test_curve.c sets G, GU, GROUP and GENERATOR_HEX and includes this. */

static void GROUP(multiple)(G(affine_t) * r, uint64_t k)
{
    const scalar_t scalar = {{k}};
    G(jac_t) p;

    G(from_affine)(&p, G(generator)());
    G(mul)(&p, &p, &scalar);
    *r = (G(affine_t)){0};
    if (!G(is_identity)(&p)) G(to_affine)(r, &p);
}

static void GROUP(test_encodings)(void **state)
{
    uint8_t known[GU(COMPRESSED_BYTES)];

    (void)state;
    assert_true(bytes_from_hex(known, sizeof known, GENERATOR_HEX, sizeof GENERATOR_HEX - 1));
    for (uint64_t k = 0; k < 40; k++) {
        uint8_t compressed[GU(COMPRESSED_BYTES)];
        uint8_t uncompressed[GU(UNCOMPRESSED_BYTES)];
        G(affine_t) p;
        G(affine_t) back;

        GROUP(multiple)(&p, k);
        assert_true(G(on_curve)(&p));
        G(write_compressed)(compressed, &p);
        G(write_uncompressed)(uncompressed, &p);
        if (k == 1) assert_memory_equal(compressed, known, sizeof known);
        assert_true(G(read_compressed)(&back, compressed));
        assert_memory_equal(&back, &p, sizeof p);
        assert_true(G(read_uncompressed)(&back, uncompressed));
        assert_memory_equal(&back, &p, sizeof p);
        /* x is the same in both, but for the flags. */
        assert_memory_equal(compressed + 1, uncompressed + 1, sizeof compressed - 1);
        /* Each form is refused where the other is expected. */
        assert_false(G(read_compressed)(&back, uncompressed));
        memset(uncompressed, 0, sizeof uncompressed);
        memcpy(uncompressed, compressed, sizeof compressed);
        assert_false(G(read_uncompressed)(&back, uncompressed));
    }
}

static void GROUP(test_flags)(void **state)
{
    uint8_t bytes[GU(UNCOMPRESSED_BYTES)];
    uint8_t changed[GU(UNCOMPRESSED_BYTES)];
    G(affine_t) p;
    G(affine_t) q;

    (void)state;
    G(write_compressed)(bytes, G(generator)());
    assert_true(G(read_compressed)(&p, bytes));
    bytes[0] ^= 0x20; /* the other y */
    assert_true(G(read_compressed)(&q, bytes));
    assert_memory_equal(&p.x, &q.x, sizeof p.x);
    assert_memory_not_equal(&p.y, &q.y, sizeof p.y);
    bytes[0] ^= 0x40; /* infinity, with an x */
    assert_false(G(read_compressed)(&q, bytes));

    /* Infinity is one encoding only. */
    memset(bytes, 0, sizeof bytes);
    bytes[0] = 0xc0;
    assert_true(G(read_compressed)(&q, bytes));
    assert_true(G(affine_is_identity)(&q));
    bytes[0] = 0xe0;
    assert_false(G(read_compressed)(&q, bytes));
    bytes[0] = 0x40;
    assert_true(G(read_uncompressed)(&q, bytes));
    assert_true(G(affine_is_identity)(&q));
    for (size_t i = 1; i < sizeof bytes; i += 13) {
        memcpy(changed, bytes, sizeof bytes);
        changed[i] = 1;
        assert_false(G(read_uncompressed)(&q, changed));
    }
    /* All zero, without the flag, is not a point. */
    bytes[0] = 0;
    assert_false(G(read_uncompressed)(&q, bytes));
    /* The sign flag has no place in the uncompressed form. */
    G(write_uncompressed)(bytes, G(generator)());
    bytes[0] |= 0x20;
    assert_false(G(read_uncompressed)(&q, bytes));
}

static void GROUP(test_range)(void **state)
{
    static const char modulus_hex[] = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf"
                                      "6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
    uint8_t modulus[FP_BYTES];
    uint8_t bytes[GU(UNCOMPRESSED_BYTES)];
    G(affine_t) p;

    (void)state;
    assert_true(bytes_from_hex(modulus, sizeof modulus, modulus_hex, sizeof modulus_hex - 1));
    for (size_t at = 0; at < sizeof bytes; at += FP_BYTES) {
        G(write_uncompressed)(bytes, G(generator)());
        memcpy(bytes + at, modulus, sizeof modulus);
        assert_false(G(read_uncompressed)(&p, bytes));
        memset(bytes + at, 0xff, sizeof modulus);
        bytes[at] = 0x1f;
        assert_false(G(read_uncompressed)(&p, bytes));
    }
    /* In range, off the curve. */
    G(write_uncompressed)(bytes, G(generator)());
    bytes[sizeof bytes - 1] ^= 1;
    assert_false(G(read_uncompressed)(&p, bytes));
}

/* A point of the curve outside the subgroup: the first x that has a y, since the cofactor is
 * large. */
static void GROUP(outside_subgroup)(G(affine_t) * p)
{
    uint8_t bytes[GU(COMPRESSED_BYTES)] = {0x80};

    do {
        bytes[GU(COMPRESSED_BYTES) - 1]++;
        memset(p, 0, sizeof *p);
        G(affine_t) found;
        if (GROUP(uncompress)(&found, bytes)) *p = found;
    } while (G(affine_is_identity)(p) || G(in_subgroup)(p));
}

static void GROUP(test_subgroup)(void **state)
{
    uint8_t compressed[GU(COMPRESSED_BYTES)];
    uint8_t uncompressed[GU(UNCOMPRESSED_BYTES)];
    const G(affine_t) identity = {0};
    G(affine_t) p;
    G(affine_t) q;

    (void)state;
    GROUP(outside_subgroup)(&p);
    assert_true(G(on_curve)(&p));
    assert_false(G(in_subgroup)(&p));
    assert_true(G(in_subgroup)(G(generator)()));
    assert_true(G(in_subgroup)(&identity));
    assert_true(G(on_curve)(&identity));
    G(write_compressed)(compressed, &p);
    assert_false(G(read_compressed)(&q, compressed));
    G(write_uncompressed)(uncompressed, &p);
    assert_true(G(read_uncompressed)(&q, uncompressed));
    assert_memory_equal(&p, &q, sizeof p);
}

static void GROUP(test_group_law)(void **state)
{
    G(jac_t) sum = {0};
    G(jac_t) minus;
    G(jac_t) product;
    scalar_t order_less_one = fr_modulus;
    const scalar_t zero = {{0}};

    (void)state;
    for (uint64_t k = 0; k < 20; k++) {
        G(affine_t) want;
        G(affine_t) got = {0};

        GROUP(multiple)(&want, k);
        if (!G(is_identity)(&sum)) G(to_affine)(&got, &sum);
        assert_memory_equal(&got, &want, sizeof got);
        G(add_affine)(&sum, &sum, G(generator)());
    }
    minus = sum;
    G(neg)(&minus);
    G(add)(&minus, &minus, &sum);
    assert_true(G(is_identity)(&minus));
    G(add)(&product, &sum, &sum);
    G(double)(&minus, &sum);
    assert_true(G(equal)(&product, &minus));
    G(add)(&product, &sum, &(G(jac_t)){0});
    assert_true(G(equal)(&product, &sum));
    G(mul)(&product, &sum, &zero);
    assert_true(G(is_identity)(&product));
    order_less_one.l[0]--;
    G(mul)(&product, &sum, &order_less_one);
    G(neg)(&product);
    assert_true(G(equal)(&product, &sum));
}

/* Arrays of points give what stands in them, in their own form. */
static void GROUP(test_points)(void **state)
{
    enum { N = 9 };
    G(affine_t) points[N] = {0};
    G(affine_t) got[N];
    uint8_t bytes[N * GU(UNCOMPRESSED_BYTES)];
    uint8_t some[N * GU(UNCOMPRESSED_BYTES)];
    cuzk_error err;

    (void)state;
    for (uint64_t i = 0; i < N; i++) {
        GROUP(multiple)(&points[i], i % 4);
        G(write_uncompressed)(bytes + i * GU(UNCOMPRESSED_BYTES), &points[i]);
    }
    const points_t affine = G(points)(points, N);
    const points_t encoded = G(points_uncompressed)(bytes, N);
    assert_int_equal(affine.form, POINTS_AFFINE);
    assert_int_equal(encoded.form, POINTS_UNCOMPRESSED);
    for (size_t first = 0; first <= N; first++)
        for (size_t n = 0; first + n <= N; n++) {
            assert_int_equal(points_read(&affine, got, first, n, &err), CUZK_OK);
            assert_memory_equal(got, points + first, n * sizeof *got);
            assert_int_equal(points_read(&encoded, some, first, n, &err), CUZK_OK);
            for (size_t i = 0; i < n; i++) {
                assert_true(G(read_uncompressed)(&got[i], some + i * GU(UNCOMPRESSED_BYTES)));
                assert_memory_equal(&got[i], &points[first + i], sizeof *got);
            }
        }
}
