// Groups of options as classes of the module: an attribute for each member, whose default is that
// of the C++ struct, and a constructor that takes any of them by name.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bind.h"
#include "text/error.h"

// The values of an enumeration that counts from 0, by name.
class Choices {
 public:
  Choices(std::string what, std::vector<std::string> names)
      : what_(std::move(what)), names_(std::move(names)) {}

  template <class Enum>
  Enum value(const std::string& name) const {
    std::string known;
    for (std::size_t number = 0; number < names_.size(); ++number) {
      if (name == names_[number]) return static_cast<Enum>(number);
      known += (number == 0 ? "" : ", ") + names_[number];
    }
    throw dragoman::InputError("unknown " + what_ + " '" + name + "'; there are " + known);
  }
  template <class Enum>
  const std::string& name(Enum value) const {
    return names_[static_cast<std::size_t>(value)];
  }

 private:
  std::string what_;
  std::vector<std::string> names_;
};

// How Python writes the type of an option.
template <class Value>
struct PythonType {
  static std::string name() {
    if (std::is_same_v<Value, bool>) return "bool";
    if (std::is_integral_v<Value>) return "int";
    return std::is_floating_point_v<Value> ? "float" : "str";
  }
};
template <class Value>
struct PythonType<std::optional<Value>> {
  static std::string name() { return PythonType<Value>::name() + " | None"; }
};

template <class Group>
class OptionGroup {
 public:
  OptionGroup(nb::module_& module, const char* name, const char* doc)
      : class_(module, name, doc), name_(name) {}

  // In the following, `access` is a pointer to a member, or takes a group and returns a reference
  // into it.

  // A number, a truth value or a text, perhaps none.
  template <class Access>
  OptionGroup& value(const char* name, Access access, const char* doc) {
    using Value = std::decay_t<std::invoke_result_t<Access, Group&>>;
    return property<Value>(
        name, PythonType<Value>::name(),
        [access](const Group& self) { return std::invoke(access, const_cast<Group&>(self)); },
        [access](Group& self, Value value) { std::invoke(access, self) = std::move(value); }, doc);
  }

  // A number of which one value, `none`, stands for no limit.
  template <class Access, class Value>
  OptionGroup& limit(const char* name, Access access, Value none, const char* doc) {
    return property<std::optional<Value>>(
        name, PythonType<std::optional<Value>>::name(),
        [access, none](const Group& self) -> std::optional<Value> {
          const Value value = std::invoke(access, const_cast<Group&>(self));
          return value == none ? std::optional<Value>() : value;
        },
        [access, none](Group& self, std::optional<Value> value) {
          std::invoke(access, self) = value.value_or(none);
        },
        doc);
  }

  // One of several, by name.
  template <class Access>
  OptionGroup& choice(const char* name, Access access, const Choices& choices, const char* doc) {
    using Enum = std::decay_t<std::invoke_result_t<Access, Group&>>;
    return property<std::string>(
        name, "str",
        [access, choices](const Group& self) {
          return choices.name(std::invoke(access, const_cast<Group&>(self)));
        },
        [access, choices](Group& self, const std::string& value) {
          std::invoke(access, self) = choices.value<Enum>(value);
        },
        doc);
  }

  // Anything else: as Python sees it, with the name of its type.
  template <class Value, class Get, class Set>
  OptionGroup& property(const char* name, const std::string& type, Get get, Set set,
                        const char* doc) {
    class_.def_prop_rw(name, get, set, doc);
    signature_ += ", " + std::string(name) + ": " + type + " = ...";
    setters_.emplace_back(name, [set, type](Group& self, nb::handle value) {
      Value converted;
      if (!nb::try_cast<Value>(value, converted)) {
        throw nb::type_error(("must be " + type).c_str());
      }
      set(self, std::move(converted));
    });
    return *this;
  }

  // When all is told: the constructor.
  void finish() {
    const std::string signature = "def __init__(self, *" + signature_ + ") -> None";
    class_.def(
        "__init__",
        [name = name_, setters = std::move(setters_)](Group* self, const nb::kwargs& given) {
          Group made;
          for (const auto& [key, value] : given) {
            const std::string wanted(utf8_of(key));
            bool found = false;
            for (const auto& [known, set] : setters) {
              if (wanted != known) continue;
              try {
                set(made, value);
              } catch (const nb::builtin_exception& problem) {
                throw nb::type_error((name + ": " + wanted + " " + problem.what()).c_str());
              }
              found = true;
            }
            if (!found) throw nb::type_error((name + " has no option " + wanted).c_str());
          }
          new (self) Group(std::move(made));
        },
        nb::sig(signature.c_str()));
  }

 private:
  using Setter = std::function<void(Group&, nb::handle)>;

  nb::class_<Group> class_;
  std::string name_;
  std::string signature_;
  std::vector<std::pair<std::string, Setter>> setters_;
};
