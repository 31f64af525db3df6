/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ab_record.h"

static void sides_become_options(void **state)
{
    ab_config_t config;
    cuzk_error err;

    (void)state;
    assert_int_equal(ab_config_parse(&config, "--a",
                                     "lc-storage=inline2,threads=3,kernels=portable", AB_SYNTH,
                                     &err),
                     CUZK_OK);
    assert_int_equal(config.n_args, 2);
    assert_string_equal(config.args[0], "--lc-storage=inline2");
    assert_string_equal(config.args[1], "--threads=3");
    assert_string_equal(config.environment, "CUZK_KERNELS=portable");
    assert_int_equal(ab_config_parse(&config, "--a", "default", AB_PROVE, &err), CUZK_OK);
    assert_int_equal(config.n_args, 0);
    assert_null(config.environment);
}

static void a_program_is_a_path_to_the_end(void **state)
{
    ab_config_t config;
    cuzk_error err;

    (void)state;
    assert_int_equal(ab_config_parse(&config, "--a", "program=/a/b", AB_PROVE, &err), CUZK_OK);
    assert_string_equal(config.program, "/a/b");
    assert_int_equal(config.n_args, 0);
    assert_int_equal(
        ab_config_parse(&config, "--a", "threads=2,program=/a,b/threads=3,c", AB_KERNELS, &err),
        CUZK_OK);
    assert_string_equal(config.program, "/a,b/threads=3,c");
    assert_int_equal(config.n_args, 1);
    assert_string_equal(config.args[0], "--threads=2");
    assert_int_equal(ab_config_parse(&config, "--a", "kernels=portable", AB_KERNELS, &err),
                     CUZK_OK);
    assert_null(config.program);
}

static void check_refused(const char *text, ab_subject subject, const char *words)
{
    ab_config_t config;
    cuzk_error err;

    assert_int_equal(ab_config_parse(&config, "--b", text, subject, &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "--b"));
    if (strstr(err.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, words);
}

static void unknown_keys_and_values_are_refused_with_what_there_is(void **state)
{
    char longest[AB_CONFIG_BYTES + 1];

    (void)state;
    check_refused("storage=vec", AB_SYNTH, "lc-storage, presize, threads, kernels");
    check_refused("lc-storage=inline3", AB_SYNTH, "arena, vec, inline1, inline2, inline4");
    check_refused("lc-storage=vec", AB_KERNELS, "window, threads, kernels");
    check_refused("bg2=parallel", AB_SYNTH, "path, lc-storage");
    check_refused("threads=two", AB_SYNTH, "a number from 1 to 1024");
    check_refused("threads=", AB_SYNTH, "a number");
    check_refused("threads=10000000000", AB_SYNTH, "a number");
    check_refused("presize", AB_SYNTH, "no KEY=VALUE");
    check_refused("", AB_SYNTH, "default");
    check_refused(",", AB_SYNTH, "default");
    check_refused("threads=1,threads=2", AB_SYNTH, "given twice");
    check_refused("kernels=ifma,kernels=ifma", AB_SYNTH, "given twice");
    check_refused("program=", AB_SYNTH, "a path");
    check_refused("program", AB_SYNTH, "no KEY=VALUE");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    check_refused(longest, AB_SYNTH, "longer than");
}

static void commands_are_known_or_refused(void **state)
{
    ab_subject subject;
    cuzk_error err;

    (void)state;
    assert_int_equal(ab_subject_parse(&subject, "prove", &err), CUZK_OK);
    assert_int_equal(subject, AB_PROVE);
    assert_int_equal(ab_subject_parse(&subject, "ab", &err), CUZK_ERR_ARG);
    assert_non_null(strstr(err.text, "synth-only, kernels, prove"));
}

static cuzk_status read_text_of(ab_sample_t *sample, const char *text, bool is_other,
                                cuzk_error *err)
{
    const size_t length = strlen(text);
    uint8_t *copy = calloc(length + 64, 1);

    assert_non_null(copy);
    memcpy(copy, text, length);
    const cuzk_status st = ab_sample_read(sample, copy, length, is_other, err);
    free(copy);
    return st;
}

static cuzk_status read_text(ab_sample_t *sample, const char *text, cuzk_error *err)
{
    return read_text_of(sample, text, false, err);
}

static void the_last_line_is_read(void **state)
{
    ab_sample_t s;
    cuzk_error err;

    (void)state;
    assert_int_equal(
        read_text(&s,
                  "words "
                  "before\n{\"median_s\":0.5,\"cpu_s\":0.75,\"threads\":2,\"version\":\"v\","
                  "\"result\":\"ab\","
                  "\"extra\":[1],\"counters\":{\"values\":[{\"name\":\"cycles\",\"value\":12.5,"
                  "\"share\":1}],\"missing\":[{\"name\":\"branches\",\"why\":\"none\"}]},"
                  "\"allocations\":7,\"simulated\":{\"values\":[{"
                  "\"name\":\"D1-misses\","
                  "\"value\":3}]}}\n",
                  &err),
        CUZK_OK);
    assert_true(s.wall_s == 0.5 && s.cpu_s == 0.75 && s.threads == 2);
    assert_string_equal(s.result, "ab");
    assert_string_equal(s.version, "v");
    assert_int_equal(s.missing.n, 1);
    assert_string_equal(s.missing.names[0], "branches");
    assert_string_equal(s.missing.whys[0], "none");
    assert_true(ab_counters_value(&s.counters, "cycles") == 12.5);
    assert_true(ab_counters_value(&s.counters, "allocations") == 7);
    assert_true(isnan(ab_counters_value(&s.counters, "bytes-allocated")));
    assert_true(ab_counters_value(&s.simulated, "D1-misses") == 3);
    assert_true(isnan(ab_counters_value(&s.counters, "branches")));
}

static void another_builds_line_may_lack_what_the_verdict_does_not_need(void **state)
{
    static const char bare[] = "{\"median_s\":1,\"cpu_s\":2,\"commit\":\"c\",\"new\":{},"
                               "\"counters\":{\"values\":[]}}";
    ab_sample_t s;
    cuzk_error err;

    (void)state;
    assert_int_equal(read_text_of(&s, bare, true, &err), CUZK_OK);
    assert_true(s.wall_s == 1 && s.cpu_s == 2 && s.threads == 0);
    assert_string_equal(s.commit, "c");
    assert_true(s.version[0] == '\0' && s.result[0] == '\0');
    assert_int_equal(read_text(&s, bare, &err), CUZK_ERR_FORMAT);
    assert_int_equal(read_text_of(&s, "{\"cpu_s\":1}", true, &err), CUZK_ERR_FORMAT);
    assert_int_equal(read_text_of(&s, "{\"median_s\":1}", true, &err), CUZK_ERR_FORMAT);
}

static void versions_are_read(void **state)
{
    ab_program_t program;

    (void)state;
    assert_true(ab_program_read_version(
        &program, "cuzk-bench 0.1.0 (kernels: portable)\ncommit: 4f80b16aae09\ncompiler: x\n"));
    assert_string_equal(program.version, "0.1.0 (kernels: portable)");
    assert_string_equal(program.commit, "4f80b16aae09");
    assert_true(ab_program_read_version(&program, "cuzk-bench 9"));
    assert_string_equal(program.version, "9");
    assert_string_equal(program.commit, "");
    assert_false(ab_program_read_version(&program, ""));
    assert_false(ab_program_read_version(&program, "cuzk-bench \ncommit: x\n"));
    assert_false(ab_program_read_version(&program, "cuzk 0.1.0\ncommit: x\n"));
}

static void check_no_program(const char *path, cuzk_status status, const char *words)
{
    ab_program_t program;
    cuzk_error err;

    assert_int_equal(ab_program_open(&program, "--a", path, &err), status);
    assert_non_null(strstr(err.text, "--a: program: "));
    assert_non_null(strstr(err.text, path));
    if (strstr(err.text, words) == NULL) fail_msg("\"%s\" lacks \"%s\"", err.text, words);
}

static void programs_are_looked_at(void **state)
{
    ab_program_t program;
    cuzk_error err;

    (void)state;
    check_no_program("/no/such", CUZK_ERR_MISSING, "No such file");
    check_no_program("/", CUZK_ERR_ARG, "not a regular file");
    check_no_program("/dev/null", CUZK_ERR_ARG, "not a regular file");
    check_no_program(CUZK_SOURCE_DIR "/README.md", CUZK_ERR_ARG, "not executable");
    check_no_program("/bin/true", CUZK_ERR_ARG, "not a cuzk-bench");
    check_no_program("/bin/false", CUZK_ERR_ARG, "--version");
    assert_int_equal(ab_program_open(&program, "--a", NULL, &err), CUZK_OK);
    assert_false(program.is_other);
    assert_true(program.path[0] == '/' && program.version[0] != '\0' && program.commit[0] != '\0');
}

static void other_lines_are_refused(void **state)
{
    ab_sample_t s;
    cuzk_error err;

    (void)state;
    assert_int_not_equal(read_text(&s, "", &err), CUZK_OK);
    assert_int_not_equal(read_text(&s, "\n\n", &err), CUZK_OK);
    assert_int_not_equal(read_text(&s, "no json\n", &err), CUZK_OK);
    assert_int_not_equal(read_text(&s, "{\"median_s\":1,\"cpu_s\":1,\"threads\":1}", &err),
                         CUZK_OK);
    assert_int_not_equal(
        read_text(&s, "{\"median_s\":0,\"cpu_s\":1,\"threads\":1,\"version\":\"\",\"result\":\"\"}",
                  &err),
        CUZK_OK);
}

/* Three runs a side: B takes half of A's time, and its cycles go from 10 to 20. */
static void make_ab(ab_t *ab)
{
    cuzk_error err;

    *ab = (ab_t){.runs = 3, .warm_up = 1, .subject = AB_KERNELS, .a.letter = "A", .b.letter = "B"};
    assert_int_equal(child_add(&ab->command, "kernels", &err), CUZK_OK);
    assert_int_equal(ab_config_parse(&ab->a.config, "--a", "threads=1", AB_KERNELS, &err), CUZK_OK);
    assert_int_equal(ab_config_parse(&ab->b.config, "--b", "threads=2", AB_KERNELS, &err), CUZK_OK);
    ab->a.samples = calloc(3, sizeof *ab->a.samples);
    ab->b.samples = calloc(3, sizeof *ab->b.samples);
    assert_true(ab->a.samples != NULL && ab->b.samples != NULL);
    for (int i = 0; i < 3; i++) {
        ab->a.samples[i] = (ab_sample_t){
            .wall_s = 4 << i, .cpu_s = 1, .threads = 1, .version = "v", .result = "r"};
        ab->b.samples[i] = (ab_sample_t){.wall_s = 2 << i, .cpu_s = 1 + i / 4.0, .result = "r"};
        ab->a.samples[i].counters = (ab_counters_t){.rows = {{"cycles", 10}}, .n = 1};
        ab->b.samples[i].counters = (ab_counters_t){.rows = {{"cycles", 20}}, .n = 1};
        ab->a.samples[i].missing = (ab_missing_t){
            .names = {"x", "y", "z"}, .whys = {"no such event", "why", "no such event"}, .n = 3};
    }
}

static void records_tell_the_ratio_and_the_verdict(void **state)
{
    char *text = NULL;
    size_t length = 0;
    ab_record_t record;
    static ab_t ab;

    (void)state;
    make_ab(&ab);
    ab_record_init(&record, &ab, "cuzk-bench ab -- kernels", "cuzk-bench kernels", false);
    assert_true(record.wall.ratio == 0.5 && record.wall.high == 0.5);
    assert_int_equal(ab_record_verdict(&record), VERDICT_FASTER);
    FILE *memory = open_memstream(&text, &length);
    assert_non_null(memory);
    ab_record_markdown(memory, &record);
    assert_int_equal(fclose(memory), 0);
    assert_non_null(strstr(text, "B against A: **faster** (by wall time, 3 runs a side)"));
    assert_non_null(strstr(text, "| wall time, s | 8 | 4 | 0.5000 | 0.5000 to 0.5000 |"));
    assert_non_null(strstr(text, "| least CPU time, s | 1 | 1 | 1.0000 | |"));
    assert_non_null(strstr(text, "| cycles | 10 | 20 | 2.0000 |"));
    assert_non_null(strstr(text, "- A: v, threads: 1\n"));
    assert_non_null(strstr(text, "- not counted: x, z (no such event)\n- not counted: y (why)\n"));
    assert_non_null(strstr(text, "Repeat: `cuzk-bench ab -- kernels`"));
    free(text);

    ab_record_init(&record, &ab, "", "", true);
    assert_int_equal(ab_record_verdict(&record), VERDICT_NO_DIFFERENCE);
    json_writer_t w;
    ab_record_json(&w, JSON_ONE_LINE, &record);
    assert_non_null(strstr(json_writer_text(&w), "\"verdict\":\"no difference shown\""));
    assert_non_null(strstr(json_writer_text(&w), "\"wall_s_runs\":[4.0,8.0,16.0]"));
    json_writer_clear(&w);
    assert_true(isnan(ab_counter_median(&ab.a, 3, "branches")));
    ab_clear(&ab);
}

static void records_name_other_programs(void **state)
{
    char *text = NULL;
    size_t length = 0;
    ab_record_t record;
    static ab_t ab;
    json_writer_t w;

    (void)state;
    make_ab(&ab);
    ab.a.program = (ab_program_t){
        .path = "/old/cuzk-bench", .version = "0 (kernels: x)", .commit = "c0", .is_other = true};
    ab.b.program = (ab_program_t){.path = "/self", .version = "1", .commit = "c1"};
    for (int i = 0; i < 3; i++) ab.a.samples[i].version[0] = ab.a.samples[i].result[0] = '\0';
    ab_record_init(&record, &ab, "", "", false);
    FILE *memory = open_memstream(&text, &length);
    assert_non_null(memory);
    ab_record_markdown(memory, &record);
    assert_int_equal(fclose(memory), 0);
    assert_non_null(strstr(text, "- A: 0 (kernels: x), commit c0, program `/old/cuzk-bench`, thr"));
    assert_non_null(strstr(text, "- B: 1, commit c1\n"));
    assert_non_null(strstr(text, "**not compared:** one side tells no result, the other `r...`"));
    free(text);
    ab_record_json(&w, JSON_ONE_LINE, &record);
    assert_non_null(strstr(json_writer_text(&w), "\"program\":\"/old/cuzk-bench\",\"version\":"
                                                 "\"0 (kernels: x)\",\"commit\":\"c0\""));
    assert_non_null(strstr(json_writer_text(&w), "\"program\":\"cuzk-bench\",\"version\":\"1\""));
    assert_non_null(strstr(json_writer_text(&w), "\"result\":\"r\",\"results_compared\":false"));
    json_writer_clear(&w);
    ab_clear(&ab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_become_options),
        cmocka_unit_test(a_program_is_a_path_to_the_end),
        cmocka_unit_test(unknown_keys_and_values_are_refused_with_what_there_is),
        cmocka_unit_test(commands_are_known_or_refused),
        cmocka_unit_test(the_last_line_is_read),
        cmocka_unit_test(another_builds_line_may_lack_what_the_verdict_does_not_need),
        cmocka_unit_test(versions_are_read),
        cmocka_unit_test(programs_are_looked_at),
        cmocka_unit_test(other_lines_are_refused),
        cmocka_unit_test(records_tell_the_ratio_and_the_verdict),
        cmocka_unit_test(records_name_other_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
