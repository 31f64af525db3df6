// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "codec/json_shim.h"

#include <simdjson.h>

#include <cstring>
#include <string_view>

namespace ondemand = simdjson::ondemand;

struct json_value {
    ondemand::value at;
};

static const char *text_of(simdjson::error_code code)
{
    return code == simdjson::SUCCESS ? nullptr : simdjson::error_message(code);
}

const char *json_shim_document(const uint8_t *text, size_t length, json_shim_root_fn visit,
                               void *arg, bool *no_memory)
{
    ondemand::parser parser;
    ondemand::document document;
    json_value root;

    *no_memory = false;
    auto error = parser.iterate(text, length, length + JSON_PADDING).get(document);
    *no_memory = error == simdjson::MEMALLOC;
    if (error == simdjson::SUCCESS) error = document.get_value().get(root.at);
    if (error != simdjson::SUCCESS) return text_of(error);
    if (!visit(&root, arg)) return nullptr;
    if (document.current_location().error() == simdjson::OUT_OF_BOUNDS) return nullptr;
    return "there is more after the end of the document";
}

const char *json_shim_members(json_value_t *value, json_shim_member_fn visit, void *arg)
{
    ondemand::object object;

    auto error = value->at.get_object().get(object);
    if (error != simdjson::SUCCESS) return text_of(error);
    for (auto result : object) {
        ondemand::field field;
        std::string_view name;

        error = std::move(result).get(field);
        if (error == simdjson::SUCCESS) error = field.unescaped_key().get(name);
        if (error != simdjson::SUCCESS) return text_of(error);
        json_value member{field.value()};
        if (!visit(&member, name.data(), name.size(), arg)) return nullptr;
    }
    return nullptr;
}

const char *json_shim_items(json_value_t *value, json_shim_item_fn visit, void *arg)
{
    ondemand::array array;
    size_t index = 0;

    auto error = value->at.get_array().get(array);
    if (error != simdjson::SUCCESS) return text_of(error);
    for (auto result : array) {
        json_value item;

        error = std::move(result).get(item.at);
        if (error != simdjson::SUCCESS) return text_of(error);
        if (!visit(&item, index++, arg)) return nullptr;
    }
    return nullptr;
}

json_type json_shim_type(json_value_t *value)
{
    ondemand::json_type type;

    if (value->at.type().get(type) != simdjson::SUCCESS) return JSON_NOTHING;
    switch (type) {
    case ondemand::json_type::object:
        return JSON_OBJECT;
    case ondemand::json_type::array:
        return JSON_ARRAY;
    case ondemand::json_type::string:
        return JSON_STRING;
    case ondemand::json_type::number:
        return JSON_NUMBER;
    case ondemand::json_type::boolean:
        return JSON_BOOL;
    case ondemand::json_type::null:
        return JSON_NULL;
    }
    return JSON_NOTHING;
}

const char *json_shim_token(json_value_t *value, size_t *length)
{
    const std::string_view token = value->at.raw_json_token();

    *length = token.find_last_not_of(" \t\r\n") + 1;
    return token.data();
}

const char *json_shim_u64(json_value_t *value, uint64_t *number)
{
    return text_of(value->at.get_uint64().get(*number));
}

const char *json_shim_double(json_value_t *value, double *number)
{
    return text_of(value->at.get_double().get(*number));
}

const char *json_shim_string(json_value_t *value, const char **string, size_t *length)
{
    std::string_view view;
    size_t n;
    const char *token = json_shim_token(value, &n);

    // Without escapes the string is the text between the quotes, whose form the parser has
    // checked already: no copy of what may be most of the document.
    if (n >= 2 && token[n - 1] == '"' && std::memchr(token, '\\', n) == nullptr) {
        ondemand::raw_json_string raw;

        *string = token + 1;
        *length = n - 2;
        return text_of(value->at.get_raw_json_string().get(raw));
    }
    const auto error = value->at.get_string().get(view);
    if (error != simdjson::SUCCESS) return text_of(error);
    *string = view.data();
    *length = view.size();
    return nullptr;
}

const char *json_shim_bytes(json_value_t *value, uint8_t *bytes, size_t room, size_t *n)
{
    ondemand::array array;

    *n = 0;
    auto error = value->at.get_array().get(array);
    if (error != simdjson::SUCCESS) return text_of(error);
    for (auto item : array) {
        uint64_t number = 0;

        error = item.get_uint64().get(number);
        if (error != simdjson::SUCCESS || number > UINT8_MAX) return "not an integer 0 .. 255";
        if (*n < room) bytes[*n] = static_cast<uint8_t>(number);
        *n += 1;
    }
    return nullptr;
}
