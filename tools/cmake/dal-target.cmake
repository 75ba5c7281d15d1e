# What dalConfig.cmake has found, installed or in a build folder, as a target.
foreach(thing IN ITEMS DAL_DALSYNTH DAL_INCLUDE_DIR DAL_LIBRARY)
  if(NOT ${thing})
    set(dal_FOUND FALSE)
    set(dal_NOT_FOUND_MESSAGE "${thing} is not found: it comes with dal")
    return()
  endif()
endforeach()
if(NOT TARGET dal::dal)
  add_library(dal::dal SHARED IMPORTED GLOBAL)
  set_target_properties(dal::dal PROPERTIES
    IMPORTED_LOCATION "${DAL_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${DAL_INCLUDE_DIR}")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/dal-network.cmake")
