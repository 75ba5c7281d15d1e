# Programs to look at machines and networks; scripts that set up, show and check the whole.
bin_PROGRAMS += tools/dalinfo
tools_dalinfo_SOURCES = tools/info/dalinfo.c tools/info/dalinfo_architecture.c tools/info/dalinfo_architecture.h \
	tools/info/dalinfo_cores.c tools/info/dalinfo_devices.c \
	tools/info/dalinfo_measure.c tools/info/dalinfo_measure.h tools/info/dalinfo_nodes.c tools/info/dalinfo_nodes.h
tools_dalinfo_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_LIBRARY_FOLDER='"$(libdir)"'
tools_dalinfo_LDADD = rt/libdalrt.la $(OPENCL_LIBS) $(HWLOC_LIBS) -ldl

# The package of Python: pip, or the Debian package.
EXTRA_DIST += python/README.md python/pyproject.toml python/dal/__init__.py python/dal/_build.py python/dal/_errors.py python/dal/_library.py \
	python/dal/_network.py python/dal/_run.py python/dal/_types.py python/dal/py.typed

EXTRA_DIST += tools/check tools/demo tools/release tools/setup.sh

# For Visual Studio Code: npm installs what it uses, and makes the extension.
EXTRA_DIST += editors/vscode/.gitignore editors/vscode/README.md editors/vscode/extension.js editors/vscode/package.json

# dal new and dal add: a script beside the program, or with the schemas where it is installed.
dist_pkgdata_SCRIPTS = tools/completion/complete.sh tools/dal-new.sh
noinst_DATA = tools/dal-new
CLEANFILES += tools/dal-new
tools/dal-new: tools/dal-new.sh
	$(AM_V_GEN)$(MKDIR_P) tools && cp $(srcdir)/tools/dal-new.sh $@

# Completion: bash looks for a file by the name of the command.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = tools/completion/_dal
EXTRA_DIST += tools/completion/dal.bash
COMPLETED = dal dalsynth dalmap dalview dalinfo dalbench
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	for name in $(COMPLETED); do \
	  $(INSTALL_DATA) $(srcdir)/tools/completion/dal.bash '$(DESTDIR)$(bashcompletiondir)'/$$name || exit 1; \
	done
uninstall-local:
	cd '$(DESTDIR)$(bashcompletiondir)' && rm -f $(COMPLETED)

# For networks in projects that CMake builds.
cmakedir = $(libdir)/cmake/dal
dist_cmake_DATA = tools/cmake/dalConfig.cmake tools/cmake/dal-network.cmake tools/cmake/dal-target.cmake
nodist_cmake_DATA = dalConfigVersion.cmake

# Debian packages: dpkg-buildpackage -us -uc
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules debian/source/format debian/source/lintian-overrides \
	debian/dal.docs debian/dal.install debian/dal-examples.install debian/libdal0.install \
	debian/libdal-dev.install debian/libdal-live0.install debian/libdal-mpi0.install debian/python3-dal.install debian/tests/control debian/tests/embed debian/tests/hello debian/tests/jobs debian/tests/tune
