/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "pce/store.h"
#include "pce/test_seal.h"
#include "pce/test_toy.h"

enum { MAX_FILE = 1 << 20, MAX_NOTICES = 8, ASKERS = 6, AT_LABEL = 16, AT_DIGEST = 80 };

#define ANEW   "; the circuit is compiled anew"
#define MEMORY "; the compiled circuit is held in memory alone"

/* What the caches of a test share: a folder, the toy and its digest, what was counted and told. */
static struct {
    char folder[128];
    char path[256];
    uint8_t digest[SHA256_BYTES];
    toy_t toy;
    atomic_uint runs;
    atomic_uint n_notices;
    char notices[MAX_NOTICES][1024];
} world;

static void keep_notice(void *arg, const char *text)
{
    const unsigned n = atomic_fetch_add(&world.n_notices, 1);

    if (arg == &world && n < MAX_NOTICES)
        (void)snprintf(world.notices[n], sizeof world.notices[n], "%s", text);
}

static int make_world(void **unused)
{
    pce_t *pce;
    cuzk_error err;

    (void)unused;
    memset(&world, 0, sizeof world);
    world.toy = (toy_t){.n_parts = 60, .one_in_b = 2, .seed = 1};
    assert_int_equal(pce_extract(&pce, "toy", toy_parts, &world.toy, &err), CUZK_OK);
    pce_digest(world.digest, pce);
    pce_free(pce);
    world.toy.runs = &world.runs;
    (void)snprintf(world.folder, sizeof world.folder, "%s/test_cache.XXXXXX", CUZK_BINARY_DIR);
    assert_non_null(mkdtemp(world.folder));
    char *path = pce_store_path(world.folder, "toy", world.digest);
    (void)snprintf(world.path, sizeof world.path, "%s", path);
    free(path);
    return 0;
}

/* Removes what is in the folder; returns how many entries there were. */
static unsigned empty_folder(void)
{
    DIR *dir = opendir(world.folder);
    unsigned n = 0;

    if (dir == NULL) return 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        const bool is_folder = unlinkat(dirfd(dir), entry->d_name, 0) != 0;
        if (is_folder) (void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
        n++;
    }
    (void)closedir(dir);
    return n;
}

static int remove_world(void **unused)
{
    (void)unused;
    (void)empty_folder();
    (void)rmdir(world.folder);
    return 0;
}

static unsigned count_entries(void)
{
    DIR *dir = opendir(world.folder);
    unsigned n = 0;

    assert_non_null(dir);
    while (readdir(dir) != NULL) n++;
    (void)closedir(dir);
    return n - 2;
}

static pce_circuit_t the_toy(void)
{
    return (pce_circuit_t){
        .label = "toy", .digest = world.digest, .circuit = toy_parts, .values = &world.toy};
}

/* Asks a new cache over the folder for the toy, as a new process would; false when what it gives is
 * not right. For threads and children, where a test cannot fail by itself. */
static bool try_anew(void)
{
    const pce_circuit_t circuit = the_toy();
    pce_cache_t *cache = pce_cache_new(world.folder, keep_notice, &world);
    const pce_t *pce;
    cuzk_error err;

    bool right = pce_cache_get(&pce, cache, &circuit, &err) == CUZK_OK &&
                 pce_plan(pce)->n_parts == world.toy.n_parts;
    if (right && pce_info(pce).has_digest) right = pce_validate(pce, &err) == CUZK_OK;
    pce_cache_free(cache);
    return right;
}

static void ask_anew(void)
{
    assert_true(try_anew());
}

/* Expects as many runs of the circuit and notices since the last time. */
static void expect(unsigned runs, unsigned n_notices)
{
    if (world.n_notices != n_notices)
        fail_msg("%u notices: \"%s\"", world.n_notices, world.notices[0]);
    assert_int_equal(world.runs, runs);
    world.runs = 0;
    world.n_notices = 0;
}

/* Notice i is about this path and says just this. */
static void expect_text(unsigned i, const char *about, const char *text)
{
    char want[512];

    (void)snprintf(want, sizeof want, "%s: %s", about, text);
    assert_string_equal(world.notices[i], want);
}

static struct stat stat_of(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0) fail_msg("%s is not there", path);
    return info;
}

static void files_are_made_once_and_then_read(void **unused)
{
    const mode_t mask = umask(027);
    pce_t *pce;
    cuzk_error err;

    (void)unused;
    ask_anew();
    (void)umask(mask);
    expect(1, 0);
    assert_int_equal(count_entries(), 1);
    const struct stat made = stat_of(world.path);
    assert_int_equal(made.st_mode & 0777, 0640);
    assert_int_equal(pce_load(&pce, world.path, "toy", world.digest, &err), CUZK_OK);
    pce_free(pce);
    ask_anew();
    expect(0, 0);
    const struct stat read = stat_of(world.path);
    assert_int_equal(read.st_ino, made.st_ino);
    assert_memory_equal(&read.st_mtim, &made.st_mtim, sizeof read.st_mtim);
    assert_int_equal(count_entries(), 1);
}

static void names_tell_circuits_and_versions_apart(void **unused)
{
    char want[256], hex[17];

    (void)unused;
    hex_encode(hex, world.digest, 8);
    (void)snprintf(want, sizeof want, "%s/toy-v%d-%s.pce", world.folder, PCE_FILE_VERSION, hex);
    assert_string_equal(world.path, want);
}

static void without_folder_or_digest_nothing_is_written(void **unused)
{
    pce_circuit_t circuit = the_toy();
    pce_cache_t *caches[2] = {pce_cache_new(NULL, NULL, NULL),
                              pce_cache_new(world.folder, keep_notice, &world)};
    const pce_t *pce, *again;
    cuzk_error err;

    (void)unused;
    circuit.digest = NULL;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pce_cache_get(&pce, caches[i], &circuit, &err), CUZK_OK);
        assert_int_equal(pce_cache_get(&again, caches[i], &circuit, &err), CUZK_OK);
        assert_ptr_equal(pce, again);
        expect(1, 0);
        pce_cache_free(caches[i]);
    }
    assert_int_equal(count_entries(), 0);
    ask_anew();
    ask_anew();
    expect(1, 0);
}

static void labels_are_refused_when_too_long(void **unused)
{
    char label[PCE_LABEL_BYTES + 1] = {0};
    pce_circuit_t circuit = the_toy();
    pce_cache_t *cache = pce_cache_new(world.folder, keep_notice, &world);
    const pce_t *pce;
    cuzk_error err;

    (void)unused;
    memset(label, 'x', PCE_LABEL_BYTES);
    circuit.label = label;
    assert_int_equal(pce_cache_get(&pce, cache, &circuit, &err), CUZK_ERR_ARG);
    assert_null(pce);
    label[PCE_LABEL_BYTES - 1] = 0;
    assert_int_equal(pce_cache_get(&pce, cache, &circuit, &err), CUZK_OK);
    pce_cache_free(cache);
    assert_int_equal(count_entries(), 1);
}

/* The file as it should be, and what is made of it. */
static uint8_t *good;
static size_t good_length;

static void write_bytes(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* The damaged file is replaced by the good one, told in these words, and read the next time. */
static void expect_mended(const char *text)
{
    uint8_t *bytes;
    size_t length;
    cuzk_error err;

    ask_anew();
    expect(1, 1);
    expect_text(0, world.path, text);
    assert_int_equal(read_file(&bytes, &length, world.path, MAX_FILE, &err), CUZK_OK);
    assert_int_equal(length, good_length);
    assert_memory_equal(bytes, good, length);
    free(bytes);
    ask_anew();
    expect(0, 0);
    assert_int_equal(count_entries(), 1);
}

typedef struct {
    unsigned at;
    uint8_t flip;
    bool sealed; /* all checksums made right afterwards */
    const char *text;
} damage_t;

static void damaged_and_strange_files_are_replaced(void **unused)
{
    static const damage_t damages[] = {
        {0, 1, false, "not a PCE" ANEW},
        {AT_VERSION, 2, true, "version 3, expected 1" ANEW},
        {AT_VERSION + 4, 1, true, "version 1, expected 1" ANEW},
        {AT_LABEL, 't' ^ 'm', true, "a PCE of moy, not of toy" ANEW},
        {AT_DIGEST, 1, true, "the constraints are not those of toy" ANEW},
        {AT_DIGEST + 31, 0x80, true, "the constraints are not those of toy" ANEW},
        {AT_DIGEST, 1, false, "the header's checksum is wrong" ANEW},
        {AT_INPUTS, 1, false, "the header's checksum is wrong" ANEW},
        {AT_CHECKSUM, 1, false, "the header's checksum is wrong" ANEW},
        {HEADER_BYTES, 1, false, "coefficients: wrong checksum" ANEW},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        const damage_t *d = &damages[i];
        uint8_t *bytes = malloc(good_length);

        memcpy(bytes, good, good_length);
        bytes[d->at] ^= d->flip;
        if (d->sealed) reseal(bytes, good_length);
        write_bytes(world.path, bytes, good_length);
        free(bytes);
        expect_mended(d->text);
    }
}

static void every_section_is_looked_at(void **unused)
{
    static const char *const names[SECTIONS] = {"coefficients", "templates", "stamps", "slots",
                                                "parts"};

    (void)unused;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const size_t end = i + 1 < SECTIONS ? section_start(good, i + 1) : good_length;
        uint8_t *bytes = malloc(good_length);
        char text[128];

        memcpy(bytes, good, good_length);
        bytes[end - 1] ^= 0x80;
        write_bytes(world.path, bytes, good_length);
        free(bytes);
        (void)snprintf(text, sizeof text, "%s: wrong checksum" ANEW, names[i]);
        expect_mended(text);
    }
}

static void expect_cut(const char *name, unsigned section)
{
    const uint64_t bytes = load_le64(good + AT_SECTIONS + (size_t)section * SECTION_BYTES);
    char text[128];

    (void)snprintf(text, sizeof text, "%s: %llu bytes do not fit" ANEW, name,
                   (unsigned long long)bytes);
    expect_mended(text);
}

static void cut_and_grown_files_are_replaced(void **unused)
{
    static const size_t starts[] = {0, 1, HEADER_BYTES - 1};

    (void)unused;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        write_bytes(world.path, good, starts[i]);
        expect_mended("shorter than the header of a PCE" ANEW);
    }
    write_bytes(world.path, good, HEADER_BYTES);
    expect_cut("coefficients", 0);
    write_bytes(world.path, good, good_length - 1);
    expect_cut("parts", SECTIONS - 1);
    assert_int_equal(truncate(world.path, (off_t)good_length + 1), 0);
    expect_mended("bytes behind its end" ANEW);
    assert_int_equal(truncate(world.path, (off_t)1 << 40), 0); /* nothing of it is read */
    expect_mended("longer than the 268435456 bytes allowed" ANEW);
}

static void what_is_no_file_is_told(void **unused)
{
    (void)unused;
    assert_int_equal(unlink(world.path), 0);
    assert_int_equal(mkdir(world.path, 0777), 0);
    ask_anew();
    expect(1, 2);
    expect_text(0, world.path, "is a folder, not a file" ANEW);
    expect_text(1, world.path, "is a folder, not a file" MEMORY);
    assert_int_equal(rmdir(world.path), 0);
    /* opening it would wait for a writer */
    assert_int_equal(mkfifo(world.path, 0666), 0);
    expect_mended("is no regular file" ANEW);
    assert_int_equal(unlink(world.path), 0);
    /* a link to nowhere is as good as nothing */
    assert_int_equal(symlink("nowhere", world.path), 0);
    ask_anew();
    expect(1, 0);
    ask_anew();
    expect(0, 0);
    if (geteuid() == 0) return;
    assert_int_equal(chmod(world.path, 0), 0);
    expect_mended("cannot be opened: Permission denied" ANEW);
}

static int make_good(void **state)
{
    cuzk_error err;

    (void)make_world(state);
    ask_anew();
    world.runs = 0;
    return read_file(&good, &good_length, world.path, MAX_FILE, &err) != CUZK_OK;
}

static int drop_good(void **state)
{
    free(good);
    return remove_world(state);
}

static void other_constraints_than_expected_are_our_fault(void **unused)
{
    pce_circuit_t circuit = the_toy();
    pce_cache_t *cache = pce_cache_new(world.folder, keep_notice, &world);
    char have[2 * SHA256_BYTES + 1], want[2 * SHA256_BYTES + 1], text[512];
    uint8_t other[SHA256_BYTES];
    const pce_t *pce;
    cuzk_error err;

    (void)unused;
    memcpy(other, world.digest, sizeof other);
    other[31] ^= 1;
    circuit.digest = other;
    for (int i = 0; i < 2; i++) { /* the next one tries again */
        assert_int_equal(pce_cache_get(&pce, cache, &circuit, &err), CUZK_ERR_INTERNAL);
        assert_null(pce);
        expect(1, 0);
    }
    hex_encode(have, world.digest, sizeof world.digest);
    hex_encode(want, other, sizeof other);
    (void)snprintf(text, sizeof text,
                   "toy: the compiled circuit has other constraints than the reference's "
                   "(r1cs_sha256 %s, expected %s)",
                   have, want);
    assert_string_equal(err.text, text);
    assert_int_equal(count_entries(), 0);
    circuit.digest = world.digest;
    assert_int_equal(pce_cache_get(&pce, cache, &circuit, &err), CUZK_OK);
    pce_cache_free(cache);
}

static void a_folder_that_goes_away_stops_nothing(void **unused)
{
    const pce_circuit_t circuit = the_toy();
    pce_cache_t *cache = pce_cache_new(world.folder, keep_notice, &world);
    const pce_t *pce;
    cuzk_error err;

    (void)unused;
    assert_int_equal(rmdir(world.folder), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pce_cache_get(&pce, cache, &circuit, &err), CUZK_OK);
    expect(1, 1);
    expect_text(0, world.folder, "cannot be written to: No such file or directory" MEMORY);
    assert_int_equal(access(world.folder, F_OK), -1);
    pce_cache_free(cache);
    /* without anyone to tell */
    cache = pce_cache_new(world.folder, NULL, NULL);
    assert_int_equal(pce_cache_get(&pce, cache, &circuit, &err), CUZK_OK);
    pce_cache_free(cache);
}

/* As a full disk: files of this process end at a kilobyte. */
static void limit_files(void)
{
    const struct rlimit limit = {.rlim_cur = 1000, .rlim_max = RLIM_INFINITY};

    (void)setrlimit(RLIMIT_FSIZE, &limit);
}

static void a_failed_write_leaves_nothing(void **unused)
{
    struct rlimit before;

    (void)unused;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    limit_files();
    ask_anew();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    expect(1, 1);
    expect_text(0, world.path, "write failed: File too large" MEMORY);
    assert_int_equal(count_entries(), 0);
    ask_anew();
    expect(1, 0);
}

static void kill_this_process(int unused)
{
    (void)unused;
    (void)kill(getpid(), SIGKILL);
}

/* A process that gets SIGKILL in the middle of a write to the part file. */
static void die_while_saving(void)
{
    int status;
    const pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGXFSZ, kill_this_process);
        limit_files();
        (void)try_anew();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGKILL);
}

static void what_a_killed_process_leaves_is_not_read_and_goes(void **unused)
{
    (void)unused;
    die_while_saving();
    die_while_saving(); /* takes the part of the first away, and leaves its own */
    assert_int_equal(access(world.path, F_OK), -1);
    assert_int_equal(count_entries(), 1);
    ask_anew();
    expect(1, 0);
    assert_int_equal(count_entries(), 1);
    ask_anew();
    expect(0, 0);
}

static const char *beside(const char *suffix)
{
    static char path[300];

    (void)snprintf(path, sizeof path, "%s%s", world.path, suffix);
    return path;
}

static void parts_of_others_stay(void **unused)
{
    static const char *const others[] = {".tmp.abcdefg", ".tmp.abcde", ".bak.abcdef",
                                         "x.tmp.abcdef"};
    enum { OTHERS = sizeof others / sizeof *others };

    (void)unused;
    for (unsigned i = 0; i < OTHERS; i++) write_bytes(beside(others[i]), world.digest, 1);
    write_bytes(beside(".tmp.abcdef"), world.digest, 1);
    /* as long as someone else is saving */
    const int lock = open(world.folder, O_RDONLY | O_DIRECTORY);
    assert_int_equal(flock(lock, LOCK_SH), 0);
    ask_anew();
    expect(1, 0);
    assert_int_equal(count_entries(), OTHERS + 2);
    /* who holds the folder for himself delays us, no more */
    assert_int_equal(unlink(world.path), 0);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    ask_anew();
    expect(1, 0);
    assert_int_equal(count_entries(), OTHERS + 2);
    assert_int_equal(close(lock), 0);
    assert_int_equal(unlink(world.path), 0);
    ask_anew();
    expect(1, 0);
    assert_int_equal(count_entries(), OTHERS + 1);
    assert_int_equal(access(beside(".tmp.abcdef"), F_OK), -1);
}

typedef struct {
    pce_cache_t *cache; /* NULL: one's own */
    const pce_t *got;
    bool good;
} asker_t;

static void *ask(void *arg)
{
    const pce_circuit_t circuit = the_toy();
    asker_t *a = arg;
    cuzk_error err;

    if (a->cache == NULL)
        a->good = try_anew();
    else
        a->good = pce_cache_get(&a->got, a->cache, &circuit, &err) == CUZK_OK;
    return NULL;
}

static void ask_at_once(asker_t askers[ASKERS], pce_cache_t *cache)
{
    pthread_t threads[ASKERS];

    for (int i = 0; i < ASKERS; i++) {
        askers[i] = (asker_t){.cache = cache};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    for (int i = 0; i < ASKERS; i++) (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < ASKERS; i++) assert_true(askers[i].good);
}

/* With a folder and without; a file not there, damaged, and good. */
static void threads_get_one_extraction(void **unused)
{
    const char *const folders[] = {NULL, world.folder, world.folder, world.folder};
    static const unsigned runs[] = {1, 1, 1, 0}, notices[] = {0, 0, 1, 0};
    asker_t askers[ASKERS];

    (void)unused;
    for (unsigned turn = 0; turn < 4; turn++) {
        pce_cache_t *cache = pce_cache_new(folders[turn], keep_notice, &world);

        if (turn == 2) write_bytes(world.path, world.digest, SHA256_BYTES);
        ask_at_once(askers, cache);
        assert_non_null(askers[0].got);
        for (int i = 0; i < ASKERS; i++) assert_ptr_equal(askers[i].got, askers[0].got);
        expect(runs[turn], notices[turn]);
        pce_cache_free(cache);
    }
    assert_int_equal(count_entries(), 1);
}

static void caches_share_a_folder(void **unused)
{
    asker_t askers[ASKERS];

    (void)unused;
    for (int turn = 0; turn < 10; turn++) {
        ask_at_once(askers, NULL);
        if (world.n_notices > 0) fail_msg("%s", world.notices[0]);
        world.runs = 0;
        ask_anew();
        expect(0, 0);
        assert_int_equal(empty_folder(), 1);
    }
}

static void processes_share_a_folder(void **unused)
{
    pid_t children[ASKERS];
    int status;

    (void)unused;
    for (int turn = 0; turn < 10; turn++) {
        for (int i = 0; i < ASKERS; i++) {
            children[i] = fork();
            assert_true(children[i] >= 0);
            if (children[i] != 0) continue;
            _exit(try_anew() && world.n_notices == 0 ? 0 : 1);
        }
        for (int i = 0; i < ASKERS; i++) {
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), 0);
        }
        ask_anew();
        expect(0, 0);
        assert_int_equal(empty_folder(), 1);
    }
}

#define IN_WORLD(test)  cmocka_unit_test_setup_teardown(test, make_world, remove_world)
#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, make_good, drop_good)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(files_are_made_once_and_then_read),
        IN_WORLD(names_tell_circuits_and_versions_apart),
        IN_WORLD(without_folder_or_digest_nothing_is_written),
        IN_WORLD(labels_are_refused_when_too_long),
        WITH_FILE(damaged_and_strange_files_are_replaced),
        WITH_FILE(every_section_is_looked_at),
        WITH_FILE(cut_and_grown_files_are_replaced),
        WITH_FILE(what_is_no_file_is_told),
        IN_WORLD(other_constraints_than_expected_are_our_fault),
        IN_WORLD(a_folder_that_goes_away_stops_nothing),
        IN_WORLD(a_failed_write_leaves_nothing),
        IN_WORLD(what_a_killed_process_leaves_is_not_read_and_goes),
        IN_WORLD(parts_of_others_stay),
        IN_WORLD(threads_get_one_extraction),
        IN_WORLD(caches_share_a_folder),
        IN_WORLD(processes_share_a_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
