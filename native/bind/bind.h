// What the binding files share: their bind_* functions, and the ways in which arrays, lists and
// texts cross between the languages.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "text/words.h"

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_text(nb::module_& module);
void bind_corpus(nb::module_& module);
void bind_alignment(nb::module_& module);
void bind_grammar(nb::module_& module);
void bind_lm(nb::module_& module);
void bind_preorder(nb::module_& module);
void bind_btg(nb::module_& module);
void bind_rules(nb::module_& module);
void bind_hiero(nb::module_& module);
void bind_phrase_table(nb::module_& module);
void bind_translation_model(nb::module_& module);
void bind_search_options(nb::module_& module);
void bind_search_demands(nb::module_& module);
void bind_search_results(nb::module_& module);
void bind_search_graph(nb::module_& module);
void bind_search(nb::module_& module);
void bind_consensus(nb::module_& module);
void bind_evaluation(nb::module_& module);
void bind_tuning(nb::module_& module);
void bind_reestimate(nb::module_& module);
void bind_learning(nb::module_& module);
void bind_unknown(nb::module_& module);
void bind_context(nb::module_& module);
void bind_neural(nb::module_& module);

// Read-only, contiguous, one dimension: what native code takes from NumPy without a copy.
template <class T>
using ArrayIn = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
// What it gives to NumPy.
template <class T>
using ArrayOut = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <class T>
std::span<const T> as_span(const ArrayIn<T>& array) {
  return {array.data(), array.size()};
}

template <class T>
using MatrixOut = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

// Frees the vector when Python no longer needs it.
template <class T>
nb::capsule keeper_of(std::unique_ptr<std::vector<T>> values) {
  return {values.release(),
          [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); }};
}

// Hands a vector over to NumPy.
template <class T>
ArrayOut<T> to_numpy(std::vector<T>&& values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>& items = *owned;
  return ArrayOut<T>(items.data(), {items.size()}, keeper_of(std::move(owned)));
}

// The same as rows of so many columns.
template <class T>
MatrixOut<T> to_matrix(std::vector<T>&& values, std::size_t columns) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  std::vector<T>& items = *owned;
  return MatrixOut<T>(items.data(), {items.size() / columns, columns},
                      keeper_of(std::move(owned)));
}

// A view that NumPy may read for as long as `keeper` (a Python object) lives.
template <class T>
ArrayOut<const T> view_numpy(std::span<const T> values, nb::handle keeper) {
  return ArrayOut<const T>(values.data(), {values.size()}, keeper);
}

// How NumPy calls the type of a number.
template <class T>
constexpr const char* dtype_name() {
  static_assert(std::is_arithmetic_v<T>);
  if (std::is_floating_point_v<T>) return sizeof(T) == 4 ? "float32" : "float64";
  constexpr const char* kNames[2][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                        {"int8", "int16", "int32", "int64"}};
  return kNames[std::is_signed_v<T>][std::bit_width(sizeof(T)) - 1];
}

template <class T>
std::string array_signature(const char* name) {
  return std::string("def ") + name + "(self) -> numpy.typing.NDArray[numpy." + dtype_name<T>() +
         "]";
}

// A vector that a result holds, as an array that keeps the result alive; with so many `columns`,
// as rows.
template <class Class, class T>
void def_array(nb::class_<Class>& bound, const char* name, std::vector<T> Class::* member,
               const char* doc, std::size_t columns = 1) {
  bound.def_prop_ro(
      name,
      [member, columns](nb::handle self) {
        std::vector<T>& values = nb::cast<Class&>(self).*member;
        const std::size_t shape[] = {values.size() / columns, columns};
        return nb::ndarray<nb::numpy, T>(values.data(), columns == 1 ? 1 : 2, shape, self);
      },
      nb::sig(array_signature<T>(name).c_str()), doc);
}

// The same of rows.
template <class Class, class T, std::size_t N>
void def_rows(nb::class_<Class>& bound, const char* name,
              std::vector<std::array<T, N>> Class::* member, const char* doc) {
  bound.def_prop_ro(
      name,
      [member](nb::handle self) {
        std::vector<std::array<T, N>>& rows = nb::cast<Class&>(self).*member;
        return MatrixOut<T>(reinterpret_cast<T*>(rows.data()), {rows.size(), N}, self);
      },
      nb::sig(array_signature<T>(name).c_str()), doc);
}

// The UTF-8 of a Python string, without a copy; it lives as long as the string.
inline std::string_view utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

// The strings of a list stay alive while the list does, so native code reads them in place.
inline std::vector<std::string_view> views_of(const nb::list& texts) {
  std::vector<std::string_view> views;
  views.reserve(texts.size());
  for (const nb::handle text : texts) views.push_back(utf8_of(text));
  return views;
}

inline std::string_view view_of(const nb::bytes& bytes) {
  return {static_cast<const char*>(bytes.data()), bytes.size()};
}

inline nb::str to_str(std::string_view text) { return nb::str(text.data(), text.size()); }
