#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

/// \defgroup json JSON writing
/// The few lines that write the programs' one-line JSON reports. Reading is Python's work.
/// @{

namespace coalesce {

/// `text` as a JSON string, quotes included.
inline std::string json_quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      quoted += code;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

/// A JSON object, members in the order they are added.
class json_object {
 public:
  json_object& add(std::string_view key, std::string_view value) {
    return raw(key, json_quote(value));
  }
  json_object& add(std::string_view key, const char* value) { return raw(key, json_quote(value)); }
  json_object& add(std::string_view key, std::same_as<bool> auto value) {
    return raw(key, value ? "true" : "false");
  }
  json_object& add(std::string_view key, std::integral auto value)
    requires(!std::same_as<decltype(value), bool>)
  {
    return raw(key, std::to_string(value));
  }
  /// NaN and infinity have no form in JSON: they become null.
  json_object& add(std::string_view key, std::floating_point auto value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(value));
    return raw(key, std::isfinite(value) ? digits : "null");
  }
  json_object& add(std::string_view key, const json_object& value) {
    return raw(key, value.text());
  }

  std::string text() const { return '{' + members_ + '}'; }

 private:
  json_object& raw(std::string_view key, std::string_view value) {
    if (!members_.empty()) members_ += ", ";
    members_ += json_quote(key) + ": " + std::string(value);
    return *this;
  }
  std::string members_;
};

/// A JSON array of objects.
class json_array {
 public:
  void add(const json_object& item) {
    if (!items_.empty()) items_ += ", ";
    items_ += item.text();
  }
  std::string text() const { return '[' + items_ + ']'; }

 private:
  std::string items_;
};

}  // namespace coalesce

/// @}
