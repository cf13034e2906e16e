# SPDX-License-Identifier: MIT
# macaw_test(<name> SOURCES ... LIBRARIES ... [QT]): one test program under ctest.
# With QT it is a QtTest program on the offscreen platform (the source ends with QTEST_MAIN or QTEST_GUILESS_MAIN);
# without, a doctest program (one source defines DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN).
function(macaw_test name)
  cmake_parse_arguments(arg "QT" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  macaw_target(${name} STANDARD 20)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  if(arg_QT)
    target_link_libraries(${name} PRIVATE Qt6::Test)
  else()
    set_target_properties(${name} PROPERTIES AUTOMOC OFF AUTORCC OFF)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;MACAW_SOURCE_DIR=${PROJECT_SOURCE_DIR};MACAW_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}"
    TIMEOUT 120)
endfunction()
