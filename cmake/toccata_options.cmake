# Flags every target of this project is built with.
#
# -ffp-contract=off: the error bounds are derived for one rounding an operation; a contracted a*b+c in an
# AVX2 or AVX-512 target would also make answers depend on the instruction set.
add_library(toccata_flags INTERFACE)
target_compile_options(toccata_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
                       -Wconversion -Wno-sign-conversion)
if(TOCCATA_WARNINGS_AS_ERRORS)
  target_compile_options(toccata_flags INTERFACE -Werror)
endif()
if(TOCCATA_SANITIZE)
  target_compile_options(toccata_flags INTERFACE -fsanitize=${TOCCATA_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(toccata_flags INTERFACE -fsanitize=${TOCCATA_SANITIZE})
endif()
