# SPDX-License-Identifier: MIT
# What every target of the project shares: rooted includes, warnings, sanitizers, ccache.
find_program(MACAW_CCACHE ccache)
if(MACAW_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${MACAW_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MACAW_CCACHE}")
endif()
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
# Programs and test programs land in one folder, so that `./dev exec` finds them first on PATH.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

# macaw_target(<target> STANDARD 17|20): the house rules for one target.
function(macaw_target target)
  cmake_parse_arguments(arg "" "STANDARD" "" ${ARGN})
  target_compile_features(${target} PRIVATE cxx_std_${arg_STANDARD})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  if(MACAW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${MACAW_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${MACAW_SANITIZE})
  endif()
endfunction()
