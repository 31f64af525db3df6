// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "daemon/toml_shim.h"

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>
#include <vector>

namespace
{

struct member_t {
    const toml::key *key;
    const toml::node *value;
};

toml_place_t place_of(const toml::source_position &at)
{
    return {at.line, at.column};
}

toml_value_t value_of(const toml::node &node)
{
    toml_value_t value{};

    value.node = &node;
    value.place = place_of(node.source().begin);
    switch (node.type()) {
    case toml::node_type::string: {
        const std::string &string = node.as_string()->get();

        value.type = TOML_STRING;
        value.string = string.data();
        value.length = string.size();
        break;
    }
    case toml::node_type::integer:
        value.type = TOML_INTEGER;
        value.integer = node.as_integer()->get();
        break;
    case toml::node_type::floating_point:
        value.type = TOML_FLOAT;
        value.real = node.as_floating_point()->get();
        break;
    case toml::node_type::boolean:
        value.type = TOML_BOOLEAN;
        value.boolean = node.as_boolean()->get();
        break;
    case toml::node_type::array:
        value.type = TOML_ARRAY;
        break;
    case toml::node_type::table:
        value.type = TOML_TABLE;
        break;
    default:
        value.type = TOML_TIME;
        break;
    }
    return value;
}

bool stands_before(const member_t &a, const member_t &b)
{
    const auto &p = a.key->source().begin, &q = b.key->source().begin;

    return p.line != q.line ? p.line < q.line : p.column < q.column;
}

} // namespace

toml_outcome toml_shim_document(const char *text, size_t length, toml_root_fn visit, void *arg,
                                toml_fault_t *fault)
try {
    const toml::table root = toml::parse(std::string_view{text, length});
    const toml_value_t value = value_of(root);

    (void)visit(&value, arg);
    return TOML_GOOD;
} catch (const toml::parse_error &error) {
    const std::string_view words = error.description();

    fault->place = place_of(error.source().begin);
    (void)std::snprintf(fault->text, sizeof fault->text, "%.*s", static_cast<int>(words.size()),
                        words.data());
    return TOML_BAD;
} catch (const std::exception &) {
    return TOML_NO_MEMORY;
}

toml_outcome toml_shim_members(const toml_value_t *table, toml_member_fn visit, void *arg)
try {
    std::vector<member_t> members;

    for (const auto &[key, value] : *static_cast<const toml::node *>(table->node)->as_table())
        members.push_back({&key, &value});
    std::sort(members.begin(), members.end(), stands_before);
    for (const member_t &member : members) {
        const std::string_view name = member.key->str();
        const toml_value_t value = value_of(*member.value);

        if (!visit(&value, name.data(), name.size(), place_of(member.key->source().begin), arg))
            break;
    }
    return TOML_GOOD;
} catch (const std::exception &) {
    return TOML_NO_MEMORY;
}

void toml_shim_items(const toml_value_t *array, toml_item_fn visit, void *arg)
{
    size_t index = 0;

    for (const toml::node &node : *static_cast<const toml::node *>(array->node)->as_array()) {
        const toml_value_t value = value_of(node);

        if (!visit(&value, index++, arg)) return;
    }
}
