#pragma once
// A regular file mapped into memory for reading, and a file written whole or not at all.
#include <cstddef>
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"

namespace toccata::io {

class FileBytes {
 public:
  // Errors: missing, no permission, a directory, not a regular file (a pipe or a device), empty.
  static Expected<FileBytes> map(const std::string& path);

  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  std::string_view view() const { return {data_, size_}; }
  // Brings all of it into the page table at once, for who will look at all of it and then keep it: one call
  // instead of a fault for every few pages. Nothing happens where the system has no such call.
  void fetch() const;

 private:
  FileBytes(const char* data, std::size_t size) : data_(data), size_(size) {}

  const char* data_;
  std::size_t size_;
};

// Writes beside `path` under a temporary name, then moves it there. Without `force` an existing file is an
// error, and stays as it is.
Expected<std::size_t> write_file(const std::string& path, std::string_view content, bool force);

}  // namespace toccata::io
