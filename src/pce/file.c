/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "pce/form.h"

/* The file: a header of fixed size, then five sections one after the other. The layout is in
 * docs/algorithms/synthesis.md; all integers are little-endian. */

enum {
    SECTIONS = 5,
    MAX_REFS = 1 << 28,
    MAX_FILE = 1 << 28 /* ten times the largest circuit's */
};

typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t header_bytes;
    char label[PCE_LABEL_BYTES];
    uint8_t digest[SHA256_BYTES];
    uint64_t n_constraints;
    uint32_t n_inputs, n_aux, n_elements;
    uint32_t n_coeffs, n_templates, n_stamps, n_runs, n_parts;
    struct {
        uint64_t bytes;
        uint8_t digest[SHA256_BYTES];
    } sections[SECTIONS];
    uint8_t header_digest[SHA256_BYTES]; /* of all before it */
} header_t;

_Static_assert(sizeof(header_t) == 16 + 64 + 32 + 8 + 32 + 5 * 40 + 32, "no holes");

static const char magic[8] = "CUZKPCE";

enum { COEFFS, TEMPLATES, STAMPS, RUNS, PARTS };
static const char *const section_names[SECTIONS] = {"coefficients", "templates", "stamps", "slots",
                                                    "parts"};

/* A template begins with these numbers; then its bitmap, its ends and its terms follow. */
typedef struct {
    uint32_t n_slots, n_aux, n_inputs, n_rows, n_terms, zero;
} template_head_t;

typedef struct {
    uint64_t n_constraints;
    uint32_t n_inputs, n_aux, n_elements, zero;
} part_t;

static size_t is_bit_bytes(const template_t *t)
{
    return bitmap_words((uint64_t)1 + t->n_slots + t->n_aux) * sizeof *t->is_bit;
}

/* A writer of a section: to the stream (when there is one), the digest and the count. */
typedef struct {
    FILE *stream;
    sha256_t hash;
    uint64_t bytes;
    int error; /* errno of the first write that failed */
} sink_t;

static void put(sink_t *s, const void *p, size_t n)
{
    if (n == 0) return;
    sha256_update(&s->hash, p, n);
    s->bytes += n;
    if (s->stream == NULL || s->error != 0) return;
    if (fwrite(p, 1, n, s->stream) != n) s->error = errno != 0 ? errno : EIO;
}

static void put_templates(sink_t *s, const pce_t *pce)
{
    for (uint32_t i = 0; i < pce->n_templates; i++) {
        const template_t *t = &pce->templates[i];
        const template_head_t head = {.n_slots = t->n_slots,
                                      .n_aux = t->n_aux,
                                      .n_inputs = t->n_inputs,
                                      .n_rows = t->n_rows,
                                      .n_terms = t->n_terms};

        put(s, &head, sizeof head);
        put(s, t->is_bit, is_bit_bytes(t));
        put(s, t->ends, (size_t)3 * t->n_rows * sizeof *t->ends);
        put(s, t->terms, t->n_terms * sizeof *t->terms);
    }
}

static void put_coeffs(sink_t *s, const pce_t *pce)
{
    for (uint32_t i = 0; i < pce->n_coeffs; i++) {
        uint8_t bytes[FR_BYTES];

        fr_to_bytes(bytes, &pce->coeffs[i]);
        put(s, bytes, sizeof bytes);
    }
}

static void put_parts(sink_t *s, const circuit_plan_t *plan)
{
    for (uint32_t i = 0; plan->n_parts > 0 && i <= plan->n_parts; i++) {
        const circuit_position_t at = plan->parts[i];
        const part_t part = {.n_constraints = at.n_constraints,
                             .n_inputs = at.n_inputs,
                             .n_aux = at.n_aux,
                             .n_elements = at.n_elements};

        put(s, &part, sizeof part);
    }
}

static void put_section(sink_t *s, const pce_t *pce, unsigned section)
{
    switch (section) {
    case COEFFS:
        put_coeffs(s, pce);
        break;
    case TEMPLATES:
        put_templates(s, pce);
        break;
    case STAMPS:
        put(s, pce->stamps, pce->n_stamps * sizeof *pce->stamps);
        break;
    case RUNS:
        put(s, pce->runs, pce->n_runs * sizeof *pce->runs);
        break;
    default:
        put_parts(s, &pce->plan);
        break;
    }
}

/* Sections' lengths and digests come before them in the file, so they are made twice. */
static header_t make_header(const pce_t *pce)
{
    const circuit_plan_t *plan = &pce->plan;
    header_t h = {.version = PCE_FILE_VERSION,
                  .header_bytes = sizeof h,
                  .n_constraints = plan->counts.n_constraints,
                  .n_inputs = plan->counts.n_inputs,
                  .n_aux = plan->counts.n_aux,
                  .n_elements = plan->n_elements,
                  .n_coeffs = pce->n_coeffs,
                  .n_templates = pce->n_templates,
                  .n_stamps = pce->n_stamps,
                  .n_runs = pce->n_runs,
                  .n_parts = plan->n_parts};

    memcpy(h.magic, magic, sizeof magic);
    memcpy(h.label, pce->label, sizeof h.label);
    memcpy(h.digest, pce->digest, sizeof h.digest);
    for (unsigned i = 0; i < SECTIONS; i++) {
        sink_t sink = {0};

        sha256_init(&sink.hash);
        put_section(&sink, pce, i);
        sha256_final(h.sections[i].digest, &sink.hash);
        h.sections[i].bytes = sink.bytes;
    }
    sha256(h.header_digest, &h, offsetof(header_t, header_digest));
    return h;
}

cuzk_status pce_save(pce_t *pce, const char *path, cuzk_error *err)
{
    atomic_file_t file;
    uint8_t digest[SHA256_BYTES];

    cuzk_status st = pce->has_digest ? CUZK_OK : pce_digest(digest, pce, err);
    if (st != CUZK_OK) return st;
    const header_t h = make_header(pce);
    st = atomic_file_open(&file, path, true, err);
    if (st != CUZK_OK) return st;
    sink_t sink = {.stream = file.stream};
    sha256_init(&sink.hash);
    put(&sink, &h, sizeof h);
    for (unsigned i = 0; i < SECTIONS; i++) put_section(&sink, pce, i);
    sha256_final(digest, &sink.hash);
    if (sink.error == 0) return atomic_file_commit(&file, err);
    atomic_file_discard(&file);
    return error_set(err, CUZK_ERR_IO, "%s: write failed: %s", path, strerror(sink.error));
}

/* A file under inspection. */
typedef struct {
    const char *name;
    const uint8_t *bytes;
    size_t length;
    header_t h;
    const uint8_t *sections[SECTIONS];
    cuzk_error *err;
} source_t;

static cuzk_status bad(const source_t *s, const char *what)
{
    return error_set(s->err, CUZK_ERR_FORMAT, "%s: %s", s->name, what);
}

static cuzk_status read_header(source_t *s)
{
    uint8_t digest[SHA256_BYTES];

    if (s->length < sizeof s->h) return bad(s, "shorter than the header of a PCE");
    memcpy(&s->h, s->bytes, sizeof s->h);
    if (memcmp(s->h.magic, magic, sizeof magic) != 0) return bad(s, "not a PCE");
    if (s->h.version != PCE_FILE_VERSION || s->h.header_bytes != sizeof s->h)
        return error_set(s->err, CUZK_ERR_FORMAT, "%s: version %u, expected %d", s->name,
                         s->h.version, PCE_FILE_VERSION);
    sha256(digest, &s->h, offsetof(header_t, header_digest));
    if (memcmp(digest, s->h.header_digest, sizeof digest) != 0)
        return bad(s, "the header's checksum is wrong");
    if (memchr(s->h.label, 0, sizeof s->h.label) == NULL) return bad(s, "the label has no end");
    if (s->h.n_inputs == 0 || s->h.n_inputs > CS_MAX_VARIABLES || s->h.n_aux > CS_MAX_VARIABLES)
        return bad(s, "counts out of range");
    return CUZK_OK;
}

/* Lengths, then checksums. */
static cuzk_status find_sections(source_t *s)
{
    const uint64_t n_parts = s->h.n_parts == 0 ? 0 : (uint64_t)s->h.n_parts + 1;
    const uint64_t expected[SECTIONS] = {[COEFFS] = (uint64_t)s->h.n_coeffs * FR_BYTES,
                                         [TEMPLATES] = s->h.sections[TEMPLATES].bytes,
                                         [STAMPS] = (uint64_t)s->h.n_stamps * sizeof(stamp_t),
                                         [RUNS] = (uint64_t)s->h.n_runs * sizeof(slot_run_t),
                                         [PARTS] = n_parts * sizeof(part_t)};
    size_t at = sizeof s->h;

    for (unsigned i = 0; i < SECTIONS; i++) {
        const uint64_t bytes = s->h.sections[i].bytes;

        if (bytes != expected[i] || bytes > s->length - at)
            return error_set(s->err, CUZK_ERR_FORMAT, "%s: %s: %llu bytes do not fit", s->name,
                             section_names[i], (unsigned long long)bytes);
        s->sections[i] = s->bytes + at;
        at += bytes;
    }
    if (at != s->length) return bad(s, "bytes behind its end");
    for (unsigned i = 0; i < SECTIONS; i++) {
        uint8_t digest[SHA256_BYTES];

        sha256(digest, s->sections[i], s->h.sections[i].bytes);
        if (memcmp(digest, s->h.sections[i].digest, sizeof digest) != 0)
            return error_set(s->err, CUZK_ERR_FORMAT, "%s: %s: wrong checksum", s->name,
                             section_names[i]);
    }
    return CUZK_OK;
}

/* A copy of the next n elements; NULL when there is no memory. */
static void *take(const uint8_t **at, size_t n, size_t size, cuzk_error *err)
{
    void *p = mem_alloc(n, size, "compiled circuit", err);

    if (p != NULL && n > 0) memcpy(p, *at, n * size);
    *at += n * size;
    return p;
}

/* Reads a template's counts at *at; false when it does not fit before `end`. */
static bool read_template_head(template_t *t, const uint8_t **at, const uint8_t *end)
{
    template_head_t head;

    if ((size_t)(end - *at) < sizeof head) return false;
    memcpy(&head, *at, sizeof head);
    *at += sizeof head;
    if (head.n_slots > MAX_REFS || head.n_aux > MAX_REFS || head.n_inputs > MAX_REFS ||
        head.n_rows > MAX_REFS || head.zero != 0 ||
        head.n_inputs > head.n_terms) /* the one count that takes no bytes here */
        return false;
    *t = (template_t){.n_slots = head.n_slots,
                      .n_aux = head.n_aux,
                      .n_inputs = head.n_inputs,
                      .n_rows = head.n_rows,
                      .n_terms = head.n_terms};
    const uint64_t needed = is_bit_bytes(t) + (uint64_t)3 * t->n_rows * sizeof *t->ends +
                            (uint64_t)t->n_terms * sizeof *t->terms;
    return needed <= (uint64_t)(end - *at);
}

static cuzk_status read_template_arrays(template_t *t, const uint8_t **at, cuzk_error *err)
{
    t->is_bit = take(at, is_bit_bytes(t) / sizeof *t->is_bit, sizeof *t->is_bit, err);
    if (t->is_bit == NULL) return CUZK_ERR_MEMORY;
    t->ends = take(at, (size_t)3 * t->n_rows, sizeof *t->ends, err);
    if (t->ends == NULL) return CUZK_ERR_MEMORY;
    t->terms = take(at, t->n_terms, sizeof *t->terms, err);
    return t->terms != NULL ? CUZK_OK : CUZK_ERR_MEMORY;
}

static cuzk_status read_templates(pce_t *pce, const source_t *s)
{
    const uint8_t *at = s->sections[TEMPLATES];
    const uint8_t *end = at + s->h.sections[TEMPLATES].bytes;

    if (s->h.n_templates > s->h.sections[TEMPLATES].bytes / sizeof(template_head_t))
        return bad(s, "templates: more than there is room for");
    pce->templates = mem_alloc(s->h.n_templates, sizeof *pce->templates, "templates", s->err);
    if (pce->templates == NULL) return CUZK_ERR_MEMORY;
    for (uint32_t i = 0; i < s->h.n_templates; i++) {
        template_t *t = &pce->templates[pce->n_templates++];

        if (!read_template_head(t, &at, end)) return bad(s, "templates: one does not fit");
        const cuzk_status st = read_template_arrays(t, &at, s->err);
        if (st != CUZK_OK) return st;
    }
    return at == end ? CUZK_OK : bad(s, "templates: bytes behind the last");
}

static cuzk_status read_coeffs(pce_t *pce, const source_t *s)
{
    pce->coeffs = mem_alloc(s->h.n_coeffs, sizeof *pce->coeffs, "coefficients", s->err);
    if (pce->coeffs == NULL) return CUZK_ERR_MEMORY;
    pce->n_coeffs = s->h.n_coeffs;
    for (uint32_t i = 0; i < pce->n_coeffs; i++) {
        if (!fr_from_bytes(&pce->coeffs[i], s->sections[COEFFS] + (size_t)i * FR_BYTES) ||
            fr_is_zero(&pce->coeffs[i]))
            return bad(s, "coefficients: one is zero or not below the modulus");
    }
    return CUZK_OK;
}

static cuzk_status read_stamps(pce_t *pce, const source_t *s)
{
    pce->stamps = mem_alloc((size_t)s->h.n_stamps + 1, sizeof *pce->stamps, "stamps", s->err);
    if (pce->stamps == NULL) return CUZK_ERR_MEMORY;
    pce->n_stamps = s->h.n_stamps;
    pce->n_runs = s->h.n_runs;
    if (pce->n_stamps > 0)
        memcpy(pce->stamps, s->sections[STAMPS], pce->n_stamps * sizeof *pce->stamps);
    pce->stamps[pce->n_stamps].first_run = pce->n_runs;
    for (uint32_t i = 0; i < pce->n_stamps; i++) {
        if (pce->stamps[i].first_run > pce->stamps[i + 1].first_run)
            return bad(s, "stamps: their slots do not rise");
    }
    const uint8_t *runs = s->sections[RUNS];
    pce->runs = take(&runs, pce->n_runs, sizeof *pce->runs, s->err);
    return pce->runs != NULL ? CUZK_OK : CUZK_ERR_MEMORY;
}

static cuzk_status read_plan(pce_t *pce, const source_t *s)
{
    circuit_plan_t *plan = &pce->plan;

    plan->counts.n_inputs = s->h.n_inputs;
    plan->counts.n_aux = s->h.n_aux;
    plan->counts.n_constraints = s->h.n_constraints;
    plan->n_elements = s->h.n_elements;
    plan->n_parts = s->h.n_parts;
    if (plan->n_parts == 0) return CUZK_OK;
    plan->parts = mem_alloc((size_t)plan->n_parts + 1, sizeof *plan->parts, "parts", s->err);
    if (plan->parts == NULL) return CUZK_ERR_MEMORY;
    for (size_t i = 0; i <= plan->n_parts; i++) {
        part_t part;

        memcpy(&part, s->sections[PARTS] + i * sizeof part, sizeof part);
        if (part.zero != 0) return bad(s, "parts: a number that should be zero is not");
        plan->parts[i] = (circuit_position_t){.n_inputs = part.n_inputs,
                                              .n_aux = part.n_aux,
                                              .n_elements = part.n_elements,
                                              .n_constraints = part.n_constraints};
    }
    return CUZK_OK;
}

static cuzk_status match(const source_t *s, const char *label, const uint8_t *digest)
{
    if (strcmp(s->h.label, label) != 0)
        return error_set(s->err, CUZK_ERR_ARG, "%s: a PCE of %s, not of %s", s->name, s->h.label,
                         label);
    if (digest != NULL && memcmp(s->h.digest, digest, SHA256_BYTES) != 0)
        return error_set(s->err, CUZK_ERR_ARG, "%s: the constraints are not those of %s", s->name,
                         label);
    return CUZK_OK;
}

cuzk_status pce_read(pce_t **out, const uint8_t *bytes, size_t length, const char *name,
                     const char *label, const uint8_t *digest, cuzk_error *err)
{
    source_t s = {.name = name, .bytes = bytes, .length = length, .err = err};
    pce_t *pce = NULL;

    *out = NULL;
    cuzk_status st = read_header(&s);
    if (st == CUZK_OK) st = match(&s, label, digest);
    if (st == CUZK_OK) st = find_sections(&s);
    if (st != CUZK_OK) return st;
    pce = mem_alloc(1, sizeof *pce, "compiled circuit", err);
    if (pce == NULL) return CUZK_ERR_MEMORY;
    memcpy(pce->label, s.h.label, sizeof pce->label);
    memcpy(pce->digest, s.h.digest, sizeof pce->digest);
    pce->has_digest = true;
    st = read_plan(pce, &s);
    if (st == CUZK_OK) st = read_coeffs(pce, &s);
    if (st == CUZK_OK) st = read_templates(pce, &s);
    if (st == CUZK_OK) st = read_stamps(pce, &s);
    if (st == CUZK_OK) st = pce_finish(pce, name, err);
    if (st != CUZK_OK)
        pce_free(pce);
    else
        *out = pce;
    return st;
}

cuzk_status pce_load(pce_t **pce, const char *path, const char *label, const uint8_t *digest,
                     cuzk_error *err)
{
    uint8_t *bytes;
    size_t length;

    struct stat info;

    *pce = NULL;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return error_set(err, CUZK_ERR_MISSING, "%s: not a regular file", path);
    /* Not mapped: a fault of the disk, or a file cut short meanwhile, is then an error, no signal.
     */
    cuzk_status st = file_read(&bytes, &length, path, MAX_FILE, err);
    if (st != CUZK_OK) return st;
    st = pce_read(pce, bytes, length, path, label, digest, err);
    free(bytes);
    return st;
}
