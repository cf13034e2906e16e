# SPDX-License-Identifier: MIT
# cmake -DDIST=… -DOUT=… -DASSETS=… -P embed.cmake: copies each asset and writes its gzip (same bytes for same input:
# no time stamp, no name).
find_program(GZIP gzip REQUIRED)
foreach(asset IN LISTS ASSETS)
  get_filename_component(folder "${OUT}/${asset}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  file(COPY_FILE "${DIST}/${asset}" "${OUT}/${asset}")
  execute_process(COMMAND "${GZIP}" -9 -n -c "${OUT}/${asset}" OUTPUT_FILE "${OUT}/${asset}.gz" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# A file the list does not know would be missing from the page.
file(GLOB_RECURSE built RELATIVE "${DIST}" "${DIST}/*")
list(REMOVE_ITEM built ${ASSETS})
if(built)
  message(FATAL_ERROR "Not in the list of assets of web/CMakeLists.txt: ${built}")
endif()
