/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/doctor.h"
#include "cli/select.h"
#include "cuzk/setup.h"

typedef struct {
    const char *params;
    option_u32_t threads;
    bool json;
} doctor_options_t;

static const option_row_t rows[] = {
    PARAMS_ROW(doctor_options_t, params),
    {"--json", NULL, "one JSON object: whether all is well, and the findings",
     offsetof(doctor_options_t, json), 0, 0, OPTION_FLAG},
    THREADS_ROW(doctor_options_t, threads),
};

static int run(int argc, char **argv);

const options_command_t command_doctor = {
    .name = "doctor",
    .summary = "look at this machine: processor, memory, disk, parameters, a proof",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .notes =
        "Each line says ok, note (it works, but could be better) or bad, and what to do. Exit\n"
        "code 2 when something is bad. Looked at are: the kernels in use, CPUs, memory and the\n"
        "control group's limits, huge pages; the speed of the disk below the parameter folder (a\n"
        "file of 64 MiB, or one in $TMPDIR, that is gone afterwards); parameter files by length\n"
        "and key (all of their points: cuzk params check FILE); and test parameters are made in\n"
        "$TMPDIR (12 MB), a WindowPoSt is proved and verified with them, and they are removed.",
    .run = run,
};

/* *folder: as given, else the one that proofs use by default; release it with
 * cuzk_bytes_free(). */
static cuzk_status choose_folder(char **folder, const char *given, cuzk_error *err)
{
    const cuzk_status st = cuzk_params_path(given, "porep-2k", "vk", folder, err);

    if (st == CUZK_OK) *strrchr(*folder, '/') = '\0';
    return st;
}

static void look(doctor_t *doctor, const char *folder, uint32_t n_threads)
{
    doctor_machine(doctor);
    doctor_disk(doctor, folder);
    doctor_params(doctor, folder, n_threads);
    doctor_proof(doctor, n_threads);
}

static cuzk_status print_end(doctor_t *doctor, json_writer_t *w, cuzk_error *err)
{
    if (doctor->json == NULL) {
        (void)puts(doctor->n_bad == 0 ? "nothing is bad" : "something is bad");
        return CUZK_OK;
    }
    json_write_end(w);
    json_write_bool(w, "good", doctor->n_bad == 0);
    json_write_end(w);
    if (json_writer_failed(w)) return error_set(err, CUZK_ERR_MEMORY, "the findings: no memory");
    (void)puts(json_writer_text(w));
    return CUZK_OK;
}

static cuzk_status examine(doctor_t *doctor, const doctor_options_t *o, cuzk_error *err)
{
    char *folder;
    json_writer_t w;

    cuzk_status st = choose_folder(&folder, o->params, err);
    if (st != CUZK_OK) return st;
    json_writer_init(&w, JSON_ONE_LINE);
    json_write_object(&w, NULL);
    json_write_array(&w, "findings");
    doctor->json = o->json ? &w : NULL;
    look(doctor, folder, o->threads.value);
    st = print_end(doctor, &w, err);
    json_writer_clear(&w);
    cuzk_bytes_free(folder);
    return st;
}

static int run(int argc, char **argv)
{
    doctor_options_t o = {0};
    doctor_t doctor = {0};
    cuzk_error err;
    bool help;

    cuzk_status st = options_parse(&command_doctor, &o, NULL, &help, argc, argv, &err);
    if (help) {
        options_print_help("cuzk", &command_doctor);
        return 0;
    }
    if (st == CUZK_OK) st = examine(&doctor, &o, &err);
    const int code = finish("doctor", st, &err);
    return code == 0 && doctor.n_bad > 0 ? 2 : code;
}
