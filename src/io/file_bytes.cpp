#include "io/file_bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace toccata::io {
namespace {

Error system_error(const std::string& path, const char* what) {
  return Error{path + ": " + what + ": " + std::strerror(errno)};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// link() fails when the name is taken, which rename() would silently replace.
bool move_into_place(const std::string& from, const std::string& to, bool force) {
  if (force) return ::rename(from.c_str(), to.c_str()) == 0;
  if (::link(from.c_str(), to.c_str()) == 0) return ::unlink(from.c_str()) == 0;
  if (errno == EEXIST) return false;
  // A file system without hard links: the check and the move are then two steps.
  if (::access(to.c_str(), F_OK) == 0) {
    errno = EEXIST;
    return false;
  }
  return ::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

Expected<FileBytes> FileBytes::map(const std::string& path) {
  // O_NONBLOCK: opening a pipe must not wait for its writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return system_error(path, "cannot open the file");
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return system_error(path, "cannot examine the file");
  if (S_ISDIR(status.st_mode)) return Error{path + ": expected a file, found a directory"};
  if (!S_ISREG(status.st_mode)) return Error{path + ": expected a regular file, found a pipe or a device"};
  if (status.st_size == 0) return Error{path + ": the file is empty"};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) return system_error(path, "cannot read the file");
  ::madvise(data, size, MADV_SEQUENTIAL);
  return FileBytes(static_cast<const char*>(data), size);
}

void FileBytes::fetch() const {
  ::madvise(const_cast<char*>(data_), size_, MADV_NORMAL);
#ifdef MADV_POPULATE_READ
  ::madvise(const_cast<char*>(data_), size_, MADV_POPULATE_READ);
#endif
}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

FileBytes::~FileBytes() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

Expected<std::size_t> write_file(const std::string& path, std::string_view content, bool force) {
  const Error exists{path + ": the file exists; it is replaced only with the option force"};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return Error{path + ": exists and is not a regular file"};
    if (!force) return exists;
  }
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.number() < 0) return system_error(path, "cannot create the file");
  if (!write_all(file.number(), content) || !file.close()) {
    const Error error = system_error(path, "cannot write the file");
    ::unlink(temporary.c_str());
    return error;
  }
  if (!move_into_place(temporary, path, force)) {
    const Error error = errno == EEXIST ? exists : system_error(path, "cannot write the file");
    ::unlink(temporary.c_str());
    return error;
  }
  return content.size();
}

}  // namespace toccata::io
