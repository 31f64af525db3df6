/* SPDX-License-Identifier: Apache-2.0 OR MIT */

/* What only the whole of a configuration shows. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "daemon/config.h"
#include "rpc/address.h"

/* Without asking the resolver: names but localhost count as public, whatever they stand for. */
static bool is_local(const address_t *address)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;

    if (address->is_unix || strcmp(address->host, "localhost") == 0) return true;
    if (getaddrinfo(address->host, NULL, &hints, &found) != 0) return false;
    const bool is_loopback = address_is_loopback(found->ai_addr);
    freeaddrinfo(found);
    return is_loopback;
}

static cuzk_status check_tls(const config_t *config, cuzk_error *err)
{
    const bool has_certificate = config->daemon.tls_certificate[0] != '\0';
    const bool has_key = config->daemon.tls_key[0] != '\0';
    const bool has_ca = config->daemon.tls_client_ca[0] != '\0';
    const bool has_token = config->daemon.token_file[0] != '\0';
    address_t listen;

    if (address_parse(&listen, config->daemon.listen, err) != CUZK_OK)
        return error_within(err, "daemon.listen");
    if (has_certificate != has_key)
        return error_set(err, CUZK_ERR_ARG, "daemon.%s: missing: daemon.%s is there, and needs it",
                         has_key ? "tls_certificate" : "tls_key",
                         has_key ? "tls_key" : "tls_certificate");
    if (has_ca && !has_certificate)
        return error_set(err, CUZK_ERR_ARG,
                         "daemon.tls_certificate: missing: daemon.tls_client_ca needs it");
    if (is_local(&listen) || (has_certificate && (has_token || has_ca))) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG,
                     "daemon.listen: \"%s\" is open to other machines, and %s: set "
                     "daemon.tls_certificate and tls_key, and token_file or tls_client_ca, or "
                     "listen on 127.0.0.1 or a Unix socket",
                     config->daemon.listen,
                     has_certificate ? "anybody may use it" : "what it carries is not encrypted");
}

static cuzk_status check_status(const char *text, cuzk_error *err)
{
    address_t address;

    if (*text == '\0') return CUZK_OK;
    if (address_parse(&address, text, err) != CUZK_OK)
        return error_within(err, "daemon.status_listen");
    if (!address.is_unix && address.scheme == ADDRESS_PLAIN) return CUZK_OK;
    return error_set(err, CUZK_ERR_ARG, "daemon.status_listen: \"%s\" is not HOST:PORT", text);
}

static cuzk_status check_files(const config_t *config, cuzk_error *err)
{
    const struct {
        const char *key, *path;
    } files[] = {{"tls_certificate", config->daemon.tls_certificate},
                 {"tls_key", config->daemon.tls_key},
                 {"tls_client_ca", config->daemon.tls_client_ca},
                 {"token_file", config->daemon.token_file}};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        file_t file;

        if (*files[i].path == '\0') continue;
        if (file_open(&file, files[i].path, err) != CUZK_OK)
            return error_within(err, "daemon.%s", files[i].key);
        file_close(&file);
    }
    return CUZK_OK;
}

/* *what = what is wrong with a folder; false when nothing is. */
static bool is_bad_folder(const char **what, const char *path, int access_mode)
{
    struct stat info;

    *what = NULL;
    if (stat(path, &info) != 0)
        *what = strerror(errno);
    else if (!S_ISDIR(info.st_mode))
        *what = "is not a folder";
    else if (access(path, access_mode) != 0)
        *what = strerror(errno);
    return *what != NULL;
}

/* The folder is made when it is not there; the one it lies in is not. */
static cuzk_status check_store(const char *folder, cuzk_error *err)
{
    const char *slash = strrchr(folder, '/'), *what;
    char parent[CONFIG_TEXT_BYTES];
    struct stat info;

    (void)snprintf(parent, sizeof parent, "%s", slash == NULL ? "." : folder);
    if (slash != NULL) parent[slash == folder ? 1 : slash - folder] = '\0';
    const bool is_there = stat(folder, &info) == 0 || errno != ENOENT;
    if (!is_bad_folder(&what, is_there ? folder : parent, R_OK | W_OK | X_OK)) return CUZK_OK;
    return error_set(err, CUZK_ERR_MISSING,
                     "store.folder: \"%s\": %s%s%s: make it and give it to the user of the daemon, "
                     "or set store.enabled = false",
                     folder, is_there ? "" : parent, is_there ? "" : ": ", what);
}

static void check_params(const config_t *config, config_warn warn, void *arg)
{
    const char *path = config->srs.param_cache, *what;
    cuzk_error text;

    if (!is_bad_folder(&what, path, R_OK | X_OK)) return;
    (void)error_set(&text, CUZK_OK, "%s: \"%s\": %s: without parameters there are no proofs",
                    config->srs.source, path, what);
    if (warn != NULL) warn(arg, text.text);
}

cuzk_status config_check(const config_t *config, config_warn warn, void *arg, cuzk_error *err)
{
    cuzk_status st = check_tls(config, err);

    if (st == CUZK_OK) st = check_status(config->daemon.status_listen, err);
    if (st == CUZK_OK) st = check_files(config, err);
    if (st != CUZK_OK) return st;
    if (config->store.enabled && check_store(config->store.folder, err) != CUZK_OK)
        return err->status;
    check_params(config, warn, arg);
    return CUZK_OK;
}

cuzk_status config_budget(uint64_t *bytes, const config_t *config, uint64_t total_bytes,
                          cuzk_error *err)
{
    const uint64_t margin = config->memory.safety_margin;

    *bytes = config->memory.total_budget;
    if (*bytes != 0) return CUZK_OK;
    if (total_bytes == UINT64_MAX)
        return error_set(err, CUZK_ERR_ARG,
                         "memory.total_budget: \"auto\": the system does not say how much memory "
                         "there is: set a size");
    if (margin >= total_bytes)
        return error_set(err, CUZK_ERR_ARG,
                         "memory.safety_margin: %llu bytes leave nothing of the %llu bytes there "
                         "are: lower it, or set memory.total_budget",
                         (unsigned long long)margin, (unsigned long long)total_bytes);
    *bytes = total_bytes - margin;
    return CUZK_OK;
}
