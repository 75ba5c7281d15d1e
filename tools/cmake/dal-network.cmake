# dal_add_network(TARGET NETWORK net.xml [ARCHITECTURE arch.xml] [MAPPING map.xml] [LIBRARY] [DEFINES n=3 ...]
#                 [OPTIONS option ...])
#
# A library of a network with ports: dalsynth makes it when the project is built, and again when one of the files
# changes that it is made of. TARGET is linked with like any other library. It brings TARGET.h, the functions of
# which begin with TARGET_; LIBRARY says no more than that. A mapping alone is to the machine that builds, as dalinfo
# describes it; an architecture alone wants --times=FILE in OPTIONS, and dalsynth searches a mapping. OPTIONS are further
# ones of dalsynth. CFLAGS of the environment are those of the build.
cmake_policy(VERSION 3.20)

function(dal_add_network target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LIBRARY" "NETWORK;ARCHITECTURE;MAPPING" "DEFINES;OPTIONS")
  if(NOT arg_NETWORK OR arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "dal_add_network(TARGET NETWORK net.xml [ARCHITECTURE arch.xml] [MAPPING map.xml] [LIBRARY] "
      "[DEFINES n=3 ...] [OPTIONS option ...]): ${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(arg_ARCHITECTURE AND NOT arg_MAPPING AND NOT "${arg_OPTIONS}" MATCHES "(^|;)--times(=|;)")
    file(READ "${arg_NETWORK}" network_text)
    if(NOT network_text MATCHES "<processnetwork[^>]*[ \t\r\n]mapping *=")
      message(FATAL_ERROR "dal_add_network(${target}): ARCHITECTURE wants a MAPPING, or OPTIONS --times=FILE")
    endif()
  endif()
  list(TRANSFORM arg_DEFINES PREPEND "-D")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.network")
  if(arg_MAPPING AND NOT arg_ARCHITECTURE)
    if(NOT DAL_DALINFO)
      message(FATAL_ERROR "dal_add_network(${target}): MAPPING wants an ARCHITECTURE, or dalinfo in DAL_DALINFO")
    endif()
    set(arg_ARCHITECTURE "${folder}.machine.xml")
    add_custom_command(
      OUTPUT "${arg_ARCHITECTURE}"
      COMMAND "${DAL_DALINFO}" --architecture -o "${arg_ARCHITECTURE}"
      DEPENDS "${DAL_DALINFO}"
      COMMENT "This machine, for network ${target}"
      VERBATIM)
  endif()
  set(files "")
  foreach(file IN ITEMS ${arg_NETWORK} ${arg_ARCHITECTURE} ${arg_MAPPING})
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND files "${file}")
  endforeach()
  set(command "${DAL_DALSYNTH}")
  if(CMAKE_C_COMPILER)
    list(PREPEND command "CC=${CMAKE_C_COMPILER}")
  endif()
  if(CMAKE_CXX_COMPILER)
    list(PREPEND command "CXX=${CMAKE_CXX_COMPILER}")
  endif()
  set(library "${folder}/lib${target}.so")
  add_custom_command(
    OUTPUT "${library}" "${folder}/lib${target}.a" "${folder}/${target}.h" "${folder}/${target}"
    COMMAND "${CMAKE_COMMAND}" -E env ${command} "--library=${target}" "--depends=${folder}.d" -o "${folder}"
      ${arg_DEFINES} ${arg_OPTIONS} ${files}
    DEPENDS ${files} "${DAL_DALSYNTH}" "${DAL_LIBRARY}"
    DEPFILE "${folder}.d"
    COMMENT "Network ${target}"
    VERBATIM)
  add_custom_target(${target}.network DEPENDS "${library}")
  file(MAKE_DIRECTORY "${folder}") # CMake wants folders of headers to be there; dalsynth fills it
  add_library(${target} SHARED IMPORTED GLOBAL)
  add_dependencies(${target} ${target}.network)
  set_target_properties(${target} PROPERTIES
    IMPORTED_LOCATION "${library}"
    INTERFACE_INCLUDE_DIRECTORIES "${folder}"
    INTERFACE_LINK_LIBRARIES dal::dal)
endfunction()
