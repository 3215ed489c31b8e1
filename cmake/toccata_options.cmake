# Flags every target of this project is built with.
#
# -ffp-contract=off: the error bounds are derived for one rounding an operation; a contracted a*b+c in an
# AVX2 or AVX-512 target would also make answers depend on the instruction set.
add_library(toccata_flags INTERFACE)
target_compile_options(toccata_flags INTERFACE -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow
                       -Wconversion -Wno-sign-conversion)
# g++ 12's straight-line vectoriser drops the rounding of (double)(float)x in neighbouring struct members
# (tests/base/test_float_rounding.cpp): what was rounded outward to float would silently not be.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(toccata_flags INTERFACE -fno-tree-slp-vectorize)
endif()
if(TOCCATA_WARNINGS_AS_ERRORS)
  target_compile_options(toccata_flags INTERFACE -Werror)
endif()
if(TOCCATA_SANITIZE)
  # The library alone is instrumented, unless programs are asked for, too: tests are then compiled as ever, to the same
  # objects. Asserts are on in what is instrumented, and g++'s warnings about such code are no errors.
  set(toccata_sanitized $<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>>)
  if(TOCCATA_SANITIZE_PROGRAMS)
    set(toccata_sanitized 1)
  endif()
  set(toccata_watched -fsanitize=${TOCCATA_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND toccata_watched -O1 -g1 -UNDEBUG -Wno-error)
  endif()
  # Instrumented SIMD kernels take minutes each to compile: one instruction set is enough to find faults, and
  # the thousands of temporaries that are inlined into them need no watch over their scopes.
  if(TOCCATA_SANITIZE MATCHES "address")
    list(APPEND toccata_watched -fno-sanitize-address-use-after-scope)
  endif()
  if(TOCCATA_SANITIZE MATCHES "undefined")
    list(APPEND toccata_watched -fno-sanitize=alignment,null)
  endif()
  target_compile_options(toccata_flags INTERFACE "$<${toccata_sanitized}:${toccata_watched}>")
  target_compile_definitions(toccata_flags INTERFACE $<${toccata_sanitized}:HWY_COMPILE_ONLY_STATIC>)
  target_link_options(toccata_flags INTERFACE -fsanitize=${TOCCATA_SANITIZE})
endif()

# SSE4, AVX2, AVX-512, or plain code for every x86-64, are chosen at run time; the targets between them would only lengthen the build.
# "machine" leaves out AVX-512 where the machine that compiles cannot run it: what is built there still runs
# everywhere, on AVX2 at best. "quick" leaves out SSE4 and AVX-512: half the time for the kernels, for work on the
# library itself; "widest" leaves out SSE4 and AVX2 instead, for work on what AVX-512 gains.
set(TOCCATA_SIMD "all" CACHE STRING "Instruction sets to compile: all, machine, quick or widest")
set(toccata_disabled_targets "(HWY_SSSE3|HWY_AVX3_DL)")
if(TOCCATA_SIMD STREQUAL "quick")
  set(toccata_disabled_targets "(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL)")
elseif(TOCCATA_SIMD STREQUAL "widest")
  set(toccata_disabled_targets "(HWY_SSSE3|HWY_SSE4|HWY_AVX2|HWY_AVX3_DL)")
elseif(TOCCATA_SIMD STREQUAL "machine" AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo toccata_machine REGEX "^flags" LIMIT_COUNT 1)
  if(NOT toccata_machine MATCHES "avx512bw")
    set(toccata_disabled_targets "(HWY_SSSE3|HWY_AVX3|HWY_AVX3_DL)")
  endif()
elseif(NOT TOCCATA_SIMD MATCHES "^(all|machine)$")
  message(FATAL_ERROR "TOCCATA_SIMD is '${TOCCATA_SIMD}': it is all, machine, quick or widest")
endif()
target_compile_definitions(toccata_flags INTERFACE "HWY_DISABLED_TARGETS=${toccata_disabled_targets}")
