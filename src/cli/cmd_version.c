/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "base/cpu.h"
#include "cli/build.h"
#include "cli/commands.h"
#include "cli/select.h"

typedef struct {
    bool json;
} version_options_t;

static const option_row_t rows[] = {
    {"--json", NULL, "one JSON object: build, kernels, libraries",
     offsetof(version_options_t, json), 0, 0, OPTION_FLAG},
};

static int run(int argc, char **argv);

const options_command_t command_version = {
    .name = "version",
    .summary = "tell the version, how it was built and what it uses",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes = "Without --json it is the line that cuzk --version prints. Versions of libraries are\n"
             "those it was built with; the C library's is the one in use.",
    .run = run,
};

static void print_json(void)
{
    size_t n;
    const build_library_t *libraries = build_libraries(&n);
    json_writer_t w;

    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_string(&w, "version", cuzk_version());
    json_write_object(&w, "build");
    json_write_string(&w, "commit", build_commit());
    json_write_string(&w, "compiler", build_compiler());
    json_write_string(&w, "type", build_type());
    json_write_string(&w, "flags", build_flags());
    json_write_end(&w);
    json_write_object(&w, "kernels");
    json_write_string(&w, "used", cpu_level_name(cpu_level_used()));
    json_write_string(&w, "available", cpu_level_name(cpu_level_available()));
    json_write_end(&w);
    json_write_object(&w, "libraries");
    for (size_t i = 0; i < n; i++) json_write_string(&w, libraries[i].name, libraries[i].version);
    json_write_end(&w);
    json_write_end(&w);
    (void)puts(json_writer_text(&w));
    json_writer_clear(&w);
}

static int run(int argc, char **argv)
{
    version_options_t o = {0};
    cuzk_error err;
    bool help;

    const cuzk_status st = options_parse(&command_version, &o, NULL, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_version);
        return 0;
    }
    if (st == CUZK_OK && o.json)
        print_json();
    else if (st == CUZK_OK)
        (void)printf("cuzk %s (kernels: %s)\n", cuzk_version(), cpu_level_name(cpu_level_used()));
    return finish("version", st, &err);
}
