# find_package(dal): dal_add_network() (dal-network.cmake), and the target dal::dal, which is libdal with its headers.
# The files of dal are found from where this one is installed, $libdir/cmake/dal.
get_filename_component(dal_libdir "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(dal_prefixes "${dal_libdir}/.." "${dal_libdir}/../..")
find_program(DAL_DALSYNTH dalsynth HINTS ${dal_prefixes} PATH_SUFFIXES bin)
find_program(DAL_DALINFO dalinfo HINTS ${dal_prefixes} PATH_SUFFIXES bin)
find_path(DAL_INCLUDE_DIR dal_run.h HINTS ${dal_prefixes} PATH_SUFFIXES include/dal)
find_library(DAL_LIBRARY dal HINTS "${dal_libdir}")
mark_as_advanced(DAL_DALSYNTH DAL_DALINFO DAL_INCLUDE_DIR DAL_LIBRARY)
include("${CMAKE_CURRENT_LIST_DIR}/dal-target.cmake")
