// Native exceptions become the classes of dragoman.errors.
#include "text/error.h"

#include "bind.h"

namespace {

void raise(const char* class_name, const char* message) {
  // Looked up at the time of the error: importing it at load would make a circle.
  try {
    const nb::object type = nb::module_::import_("dragoman.errors").attr(class_name);
    PyErr_SetString(type.ptr(), message);
  } catch (nb::python_error& failure) {
    failure.restore();
  }
}

}  // namespace

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& problem, void*) {
    try {
      std::rethrow_exception(problem);
    } catch (const dragoman::InputError& error) {
      raise("InputError", error.what());
    } catch (const dragoman::IoError& error) {
      raise("FileError", error.what());
    }
  });
}
