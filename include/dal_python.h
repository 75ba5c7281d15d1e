/*
 * dal_python.h: a process written in Python. A unit that dalsynth makes for a source NAME.py
 * includes it, and no user does. In front of it stand
 *
 *     DAL_PYTHON_FILE, DAL_PYTHON_PORTS   the path of the source (an option), the number of ports
 *     dal_python_ports                    names, directions and types of NumPy, as Python has them
 *     dal_python_constants                names of constants with types of NumPy; and their number,
 *     DAL_PYTHON_CONSTANTS
 *     dal_python_text                     process.py of dalsynth, which calls the source
 *
 * The interpreter is started once in a program, unless the program has one. It stays: NumPy cannot
 * be started twice. A call holds the GIL as long as Python runs, and no lock of the runtime. Where
 * the runtime is called and may wait, the GIL is free. But for the start, all functions are of the
 * stable ABI, so that a library may be opened in an interpreter of another version.
 */
#ifndef DAL_DAL_PYTHON_H
#define DAL_DAL_PYTHON_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include <Python.h>

#include <dlfcn.h>
#include <stdlib.h>

/* NumPy sets these variables while it is imported, and takes them back. Another thread may read the
 * environment meanwhile, as a driver's compiler does, and find what has been freed. So they are
 * there before there are threads. */
__attribute__((constructor)) static void dal_python_settle(void)
{
    (void)setenv("OPENBLAS_MAIN_FREE", "1", 0);
    (void)setenv("GOTOBLAS_MAIN_FREE", "1", 0);
}

struct _local_states {
    PyObject *caller; /* a Caller of process.py; NULL: not begun, or failed */
};

/* Makes the symbols of the interpreter known to NumPy. A library that was opened by dlopen() keeps
 * them for itself. */
static void dal_python_export(void)
{
    Dl_info info;
    if (dladdr((void *)Py_IsInitialized, &info) && info.dli_fname)
        (void)dlopen(info.dli_fname, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* Leaves signals, the locale and the arguments alone. Gives the GIL back. */
static void dal_python_start(void *why)
{
    PyPreConfig early;
    PyConfig config;
    PyStatus status;
    if (Py_IsInitialized())
        return;
    dal_python_export();
    PyPreConfig_InitPythonConfig(&early);
    early.configure_locale = early.coerce_c_locale = 0;
    status = Py_PreInitialize(&early);
    if (!PyStatus_Exception(status)) {
        PyConfig_InitPythonConfig(&config);
        config.install_signal_handlers = config.parse_argv = 0;
        status = Py_InitializeFromConfig(&config);
        PyConfig_Clear(&config);
    }
    if (PyStatus_Exception(status))
        *(const char **)why = status.err_msg ? status.err_msg : "it exits";
    else
        (void)PyEval_SaveThread();
}

/* Returns the text of an exception that process.py has not caught, and drops it. */
static PyObject *dal_python_caught(void)
{
    PyObject *type, *value, *trace, *text;
    PyErr_Fetch(&type, &value, &trace);
    text = PyObject_Str(value ? value : type);
    Py_DecRef(type);
    Py_DecRef(value);
    Py_DecRef(trace);
    return text;
}

/* Returns whether a call went wrong. Then it fails the process by a text: what the call returned,
 * or its exception. The GIL is free while the text is logged, since that may wait for Python. */
static int dal_python_failed(PyObject *result, DALProcess *p)
{
    PyObject *text = result ? result : dal_python_caught();
    const char *words = "out of memory";
    PyThreadState *thread;
    int failed = !text || PyUnicode_Check(text);
    if (failed && text && !(words = PyUnicode_AsUTF8AndSize(text, NULL)))
        words = "an error whose text is no text";
    if (failed) {
        thread = PyEval_SaveThread();
        DAL_fail(p, "%s", words);
        PyEval_RestoreThread(thread);
    }
    PyErr_Clear();
    if (!result)
        Py_DecRef(text);
    return failed;
}

/* Returns a parameter as the number that a process in C gets, or else as text. */
static PyObject *dal_python_value(int number, const char *name, DALProcess *p)
{
    unsigned long integer;
    double real;
    switch (dal_python_number(number, &integer, &real, p)) {
    case 'd':
        return PyLong_FromLong((long)integer);
    case 'u':
        return PyLong_FromUnsignedLong(integer);
    case 'g':
        return PyFloat_FromDouble(real);
    default:
        return PyUnicode_FromString(DAL_getParameter(name, p));
    }
}

/* Returns the parameters as a dictionary. */
static PyObject *dal_python_parameters(DALProcess *p)
{
    PyObject *all = PyDict_New();
    const char *name;
    for (int i = 0; all && (name = dal_python_parameter(i, p)); i++) {
        PyObject *value = dal_python_value(i, name, p);
        if (!value || PyDict_SetItemString(all, name, value) < 0)
            PyErr_Clear(); /* no UTF-8: Python does not get it */
        Py_DecRef(value);
    }
    return all;
}

/* Returns the indices of the process as a list. */
static PyObject *dal_python_index(DALProcess *p)
{
    PyObject *all = PyList_New(0);
    int index;
    for (int i = 0; all && (index = DAL_getIndex(i, p)) >= 0; i++) {
        PyObject *number = PyLong_FromLong(index);
        if (number)
            (void)PyList_Append(all, number);
        Py_DecRef(number);
    }
    return all;
}

/* Returns the memory of the constants, which is read. */
static PyObject *dal_python_memories(DALProcess *p)
{
    const struct dal_constant *constants = ((const struct dal_activation *)p->wptr)->constants;
    PyObject *all = PyTuple_New(DAL_PYTHON_CONSTANTS);
    for (int i = 0; all && i < DAL_PYTHON_CONSTANTS; i++) {
        PyObject *one = PyMemoryView_FromMemory((char *)constants[i].data,
                                                (Py_ssize_t)constants[i].bytes, PyBUF_READ);
        if (!one || PyTuple_SetItem(all, i, one) < 0) {
            Py_DecRef(all);
            return NULL;
        }
    }
    return all;
}

/* Returns a new Caller, or a text; NULL with an exception. */
static PyObject *dal_python_create(DALProcess *p)
{
    PyObject *code = Py_CompileString(dal_python_text, "<dal>", Py_file_input);
    PyObject *names = PyDict_New(), *done = NULL, *caller = NULL;
    if (code && names && PyDict_SetItemString(names, "__builtins__", PyEval_GetBuiltins()) == 0)
        done = PyEval_EvalCode(code, names, names);
    if (done)
        caller =
            PyObject_CallFunction(PyDict_GetItemString(names, "create"), "ssNNsN", DAL_PYTHON_FILE,
                                  dal_python_ports, dal_python_parameters(p), dal_python_index(p),
                                  dal_python_constants, dal_python_memories(p));
    Py_DecRef(done);
    Py_DecRef(names);
    Py_DecRef(code);
    return caller;
}

void dal_python_init(DALProcess *p)
{
    const char *why = NULL;
    PyGILState_STATE gil;
    PyObject *caller;
    dal_python_alone(dal_python_start, &why);
    if (why) {
        DAL_fail(p, "Python does not start: %s", why);
        return;
    }
    gil = PyGILState_Ensure();
    caller = dal_python_create(p);
    if (dal_python_failed(caller, p))
        Py_DecRef(caller);
    else
        p->local->caller = caller;
    PyGILState_Release(gil);
}

/* Returns the memory of a firing's windows. What is to be written is that of outputs. */
static PyObject *dal_python_windows(const struct dal_window *windows)
{
    PyObject *all = PyTuple_New(DAL_PYTHON_PORTS);
    for (int i = 0; all && i < DAL_PYTHON_PORTS; i++) {
        PyObject *one =
            PyMemoryView_FromMemory((char *)windows[i].firing, (Py_ssize_t)windows[i].bytes,
                                    windows[i].must ? PyBUF_WRITE : PyBUF_READ);
        if (!one || PyTuple_SetItem(all, i, one) < 0) {
            Py_DecRef(all);
            return NULL;
        }
    }
    return all;
}

/* Takes what a firing returned: a byte that says whether it is the last one, and one a port that
 * says whether it has been used. */
static int dal_python_take(PyObject *result, struct dal_window *windows)
{
    const char *bytes = PyBytes_AsString(result);
    for (int i = 0; bytes && i < DAL_PYTHON_PORTS; i++)
        if (windows[i].must && bytes[1 + i])
            windows[i].done = windows[i].bytes;
    return !bytes || bytes[0];
}

int dal_python_fire(DALProcess *p)
{
    const struct dal_activation *a = (const struct dal_activation *)p->wptr;
    PyGILState_STATE gil;
    PyObject *windows, *result = NULL;
    int status = 1;
    if (!p->local->caller) /* init has failed */
        return status;
    gil = PyGILState_Ensure();
    windows = dal_python_windows(a->windows);
    if (windows)
        result = PyObject_CallMethod(p->local->caller, "fire", "NNi", windows,
                                     dal_python_parameters(p), DAL_getPhase(p));
    if (!dal_python_failed(result, p))
        status = dal_python_take(result, a->windows);
    Py_DecRef(result);
    PyGILState_Release(gil);
    return status;
}

void dal_python_finish(DALProcess *p)
{
    PyGILState_STATE gil;
    PyObject *result;
    if (!p->local->caller)
        return;
    gil = PyGILState_Ensure();
    result = PyObject_CallMethod(p->local->caller, "finish", NULL);
    (void)dal_python_failed(result, p);
    Py_DecRef(result);
    Py_DecRef(p->local->caller);
    p->local->caller = NULL;
    PyGILState_Release(gil);
}

#endif
