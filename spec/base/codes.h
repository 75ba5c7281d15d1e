/*
 * The codes of all diagnostics, each with its meaning. A user may search for them, and a script may
 * compare them. So a code is never renamed and never gets another meaning; new ones go to the end.
 */
#pragma once

#define DAL_CODE_LIST(X)                                                                           \
    X("file", "a specification cannot be read")                                                    \
    X("xml-syntax", "the file is not well-formed XML")                                             \
    X("entity", "a document type or entity is declared, which is refused")                         \
    X("xml-root", "the root element is another one than this file must have")                      \
    X("xml-schema", "an element, attribute or value that the schema does not allow")               \
    X("missing-attribute", "an element lacks an attribute that it must have")                      \
    X("duplicate-name", "two things that must differ in name do not")                              \
    X("bad-name", "a name, with its indices, is too long or empty")                                \
    X("bad-number", "not an integer expression, or its value is out of range")                     \
    X("number-overflow", "an expression's value does not fit 64 bits")                             \
    X("division-by-zero", "an expression divides by zero")                                         \
    X("unknown-variable", "an expression or -D names a variable that is not there")                \
    X("iterator-range",                                                                            \
      "an iterator's range is negative or too large, or iterators nest too deep")                  \
    X("network-size", "more processes, channels or ports than the limits allow")                   \
    X("unknown-process", "no process has this name")                                               \
    X("unknown-port", "a process or channel has no port of this name")                             \
    X("port-direction", "an input port stands where an output port must, or the other way")        \
    X("bad-connection", "a connection must join a process and a channel")                          \
    X("port-connected-twice", "a port has two connections")                                        \
    X("port-unconnected", "a port has no connection")                                              \
    X("channel-ports", "a channel must have exactly one input port and one output port")           \
    X("rate-zero", "a token rate is less than one")                                                \
    X("token-size-zero", "a token size is less than one byte")                                     \
    X("size-zero", "a channel's size is less than one")                                            \
    X("size-too-large", "a rate, token size or channel size is above its limit")                   \
    X("initial-data", "the data of initial tokens cannot be read or has the wrong length")         \
    X("kpn-unsupported", "no longer in use: a dynamic rate")                                       \
    X("missing-process", "the network has no process")                                             \
    X("missing-source", "a process has no source")                                                 \
    X("missing-source-file", "a source's file is not there")                                       \
    X("bad-identifier", "a capability's identifier is not of the documented form")                 \
    X("unknown-capability", "a capability that is not known and therefore ignored")                \
    X("missing-processor", "the architecture has no processor")                                    \
    X("unknown-processor", "the architecture has no processor of this name")                       \
    X("unknown-source", "a process has no source of this id")                                      \
    X("unknown-channel", "no channel has this name")                                               \
    X("capability-mismatch", "a processor cannot run a source of this type")                       \
    X("one-device", "a source is bound to devices and cores at once")                              \
    X("duplicate-binding", "two bindings or overrides of equal rank name the same thing")          \
    X("unbound-process", "the mapping binds a process to no processor")                            \
    X("wrong-network", "the mapping is for a network of another name")                             \
    X("inconsistent-rates", "the rates round a cycle contradict each other")                       \
    X("repetition-overflow", "the repetition vector does not fit 64 bits")                         \
    X("capacity-too-small", "a channel's size is below what its rates need")                       \
    X("deadlock", "one iteration of the network cannot be executed to its end")                    \
    X("analysis-limit", "the deadlock analysis was given up because it took too long")             \
    X("kernel-signature", "a kernel's arguments do not fit the ports of its process")              \
    X("kernel-firings", "a kernel never asks which firing it is, and a launch has several")        \
    X("kernel-build", "an OpenCL source does not build")                                           \
    X("source-build", "a C source does not compile")                                               \
    X("no-fire", "a C source defines no fire function for its process")                            \
    X("output-directory", "the output directory cannot be written")                                \
    X("unsupported-kind", "a channel kind or feature that cannot be had here")                     \
    X("stateful", "shadow copies of a C process that keeps state between firings")                 \
    X("not-portable", "a portable source does what cannot be done both on a core and on a device") \
    X("bad-times", "a file of execution times is not of the documented form")                      \
    X("no-times", "processes without an execution time are taken to need one unit")                \
    X("sdf3", "an SDF3 application graph lacks something or has what cannot be imported")          \
    X("kpn-process", "a process with a dynamic rate asks for what only fixed rates have")          \
    X("fsm-size", "more applications, states or transitions than the limits allow")                \
    X("unknown-application", "a state machine has no application of this name")                    \
    X("unknown-state", "a state machine has no state of this name")                                \
    X("fsm-initial", "a state machine has no initial state, or two")                               \
    X("fsm-nothing-runs", "no application runs in a state that is not an end")                     \
    X("fsm-end", "a transition leads on from an end")                                              \
    X("fsm-event", "an event that cannot be sent, or not in this state")                           \
    X("fsm-ambiguous", "a state has two transitions for one event")                                \
    X("fsm-unreachable", "a state that no transitions lead to, or an application that never runs") \
    X("fsm-pause", "a state pauses an application that cannot have been started")                  \
    X("fallback", "a fallback of a process that runs on cores already")                            \
    X("fan-out", "channels of one output port differ in what must be the same for all of them")    \
    X("control-character", "a file, folder or option has a newline or another control character")  \
    X("bad-options", "cflags or libs in which a quote is not closed")                              \
    X("several-nodes", "a process uses more than one node, or none where the program has several") \
    X("no-effect", "something is given that means nothing where it stands")                        \
    X("no-rates", "no channel has a rate or a token size: each is taken to be 1")                  \
    X("unread-source", "what reads a source has ended, or takes too long")                         \
    X("flexible-state", "the state of a process ends in an array without a size")                  \
    X("idle-device", "shadow copies that are given leave more than half of a device idle")         \
    X("parameter-value",                                                                           \
      "a parameter's value is no number of its type, or of the type that a kernel takes")          \
    X("not-grouped", "a process is launched by itself though the mapping wants it in a group")     \
    X("bad-cost", "a measured cost says what its kind has not, or one thing is measured twice")    \
    X("foreign-costs", "what is said of costs was measured on another machine")                    \
    X("old-costs", "what is said of costs was measured long ago, or will be")                      \
    X("stale-times", "a time was measured of another source, other options or other ports")        \
    X("no-mapping", "no mapping fits what is asked for")                                           \
    X("no-sizes", "the analysis has no such capacities")                                           \
    X("bad-stats", "a file of statistics is not of the documented form")                           \
    X("foreign-stats", "statistics are of another network, another mapping or other channels")     \
    X("stale-stats", "statistics are of another source, other options or other ports")             \
    X("bad-period", "a process cannot be periodic in this way")                                    \
    X("period-mismatch", "periodic processes that depend on each other ask for different rates")   \
    X("latency-path", "a latency between processes that no channels lead between")                 \
    X("latency", "a latency that is promised cannot be kept, or nobody knows whether it can")      \
    X("open-variable", "a variable is left open, or has a value twice")                            \
    X("unknown-function", "an expression calls a function that is not built in")                   \
    X("source-file", "a file of a source is of no language that is known, or cannot be one")       \
    X("packages", "pkg-config is not there, or does not know a package")                           \
    X("no-cxx", "a source is C++, and there is no compiler for it")                                \
    X("token-type", "the type of a channel's tokens is not known, or has no header or no size")    \
    X("bad-sequence", "rates or times that follow each other are too many")                        \
    X("live-parameter", "a parameter is live of a process that runs on a device")                  \
    X("bad-firing", "a process cannot be fired phase by phase in this way")                        \
    X("threads", "a team of threads is smaller than what is asked for")                            \
    X("no-openmp", "a process asks for threads, and the compiler has no OpenMP")                   \
    X("openmp-order", "a reduction of floating point numbers that OpenMP does in no fixed order")  \
    X("bad-trace", "a trace is none that DAL_TRACE writes as JSON, or has too much in it")         \
    X("no-tool", "a program that builds what dalsynth makes is not there")                         \
    X("include-folder", "an include folder of a source is not there")                              \
    X("counted", "a counted channel has what only fixed rates have, or nobody checks its counts")  \
    X("device-memory", "a device is said to have memory that its kind has not")                    \
    X("cuda-source", "a source of a CUDA device uses what CUDA has not")                           \
    X("inplace", "tokens cannot be changed in place: on this channel, or as the mapping has it")   \
    X("unfit-option", "an option in cflags after which a source does not fit into its program")    \
    X("same-names", "libraries of two sources define the same name, and both sources get one")     \
    X("unmeasured", "a process has no measured time on a processor that it could run on")          \
    X("direct-policy", "a task queue cannot leave launches to the callbacks of a driver")          \
    X("cores-device", "the cores of a binding take part as the device that is made of them")       \
    X("not-stateless", "a process is said to be stateless, and its firings share what they write") \
    X("part", "a network within a network contains itself, or has no such variable or parameter")  \
    X("part-port", "channels that meet at a port of a network do not fit together")                \
    X("open-port", "a port of the network is open where nothing can be outside, or leads nowhere") \
    X("python-source", "a Python source that Python cannot read, or that defines no fire")         \
    X("python-process", "a process in Python asks for what only C or kernels can have")            \
    X("typed-variable", "a variable has a value that its type or its limits forbid")               \
    X("unknown-part", "no part of this name is installed, or a name of a part is none")            \
    X("constant", "a constant has no type, or its values are not those of the type")               \
    X("tap", "what --tap, --replay or --only names is not there, does not fit, or spans nodes")    \
    X("newest", "a channel cannot keep the newest token alone: as it is, or as the mapping has "   \
                "it")                                                                              \
    X("newest-pace", "a process waits for newest tokens, and a ring beside them fills meanwhile")
