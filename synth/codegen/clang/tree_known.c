/* Names of functions and attributes of which it is known what they keep. */
#include "synth/codegen/clang/tree_blocks.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* Functions of the library that keep nothing and do nothing outside. Those of <math.h> have their
 * variants for float and long double as well. All of them may have __builtin_ in front. An
 * assertion ends the program, whichever firing finds it broken. */
static const char math[] =
    " acos acosh asin asinh atan atan2 atanh cabs carg cbrt ccos ceil cexp cimag clog conj "
    "copysign "
    "cos cosh cpow creal csin csqrt erf erfc exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin "
    "fmod "
    "frexp hypot ilogb ldexp llrint llround log log10 log1p log2 logb lrint lround modf nan "
    "nearbyint "
    "nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sincos sinh sqrt tan "
    "tanh tgamma trunc ";
static const char known[] =
    " memchr memcmp memcpy memmove memset stpcpy strcat strchr strcmp strcpy strcspn strlen "
    "strncat "
    "strncmp strncpy strnlen strpbrk strrchr strspn strstr abs labs llabs div ldiv lldiv atof atoi "
    "atol atoll strtod strtof strtol strtoll strtoul strtoull isalnum isalpha isblank iscntrl "
    "isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper "
    "__assert_fail "
    "__isnan __isinf __finite __fpclassify __signbit alloca ffs ffsl ffsll isinf isnan htonl htons "
    "ntohl ntohs __tg_promote ";
/* Those that only the compiler has. A function of a header may have such a name. */
static const char builtins[] =
    " assume assume_aligned bswap16 bswap32 bswap64 clz clzl clzll constant_p ctz ctzl ctzll "
    "expect "
    "expect_with_probability fpclassify huge_val huge_valf huge_vall inf inff infl isfinite "
    "isgreater "
    "isgreaterequal isinf_sign isless islessequal islessgreater isnormal isunordered object_size "
    "dynamic_object_size parity parityl parityll popcount popcountl popcountll prefetch signbit "
    "signbitf signbitl unreachable add_overflow sub_overflow mul_overflow __memcpy_chk "
    "__memmove_chk "
    "__memset_chk __stpcpy_chk __strcat_chk __strcpy_chk __strncat_chk __strncpy_chk ";
/* Functions of dal.h of which the same is true: a window belongs to its firing. */
static const char ours[] =
    " DAL_read DAL_write DAL_read_begin DAL_read_end DAL_write_begin DAL_write_end DAL_count "
    "DAL_set_count DAL_rtest DAL_wtest DAL_getPhase DAL_getIndex DAL_getParameter "
    "DAL_getParameterInt DAL_getParameterDouble dal__constant createPort ";
/* Others that write to what they are given; and those that keep something by themselves. */
static const char filling[] = " asctime_r bcopy bzero ctime_r explicit_bzero fscanf fgets fread "
                              "gmtime_r localtime_r mbstowcs "
                              "mempcpy "
                              "memccpy qsort rand_r random_r read scanf snprintf sprintf sscanf "
                              "stpncpy strftime strsep strtok "
                              "strtok_r swab vsnprintf vsprintf wcstombs ";
static const char keeping[] = " asctime ctime drand48 gmtime lcong48 localtime "
                              "lrand48 mrand48 rand random seed48 setlocale srand srand48 srandom "
                              "strtok ";
/* Attributes that change nothing of what a function does. */
static const char attributes[] =
    " unused __unused__ maybe_unused fallthrough __fallthrough__ aligned __aligned__ packed "
    "__packed__ may_alias __may_alias__ ";

static int is_listed(const char *list, const char *name, size_t length)
{
    const char *at = list;
    while (length && (at = strstr(at + 1, name)))
        if (at[-1] == ' ' && at[length] == ' ')
            return 1;
    return 0;
}

CXCursor dal__body_of(const struct dal_ast *tree, CXCursor function)
{
    CXCursor body = clang_getCursorDefinition(function);
    enum dal_owner owner = dal__ast_owner(tree, body);
    int is_looked_into =
        owner == DAL_OWNER_SOURCE || (owner == DAL_OWNER_SYSTEM && !tree->reading->is_cxx);
    return is_looked_into ? body : clang_getNullCursor();
}

static int is_vector(CXType type)
{
    type = clang_getCanonicalType(type);
    return type.kind == CXType_Vector || type.kind == CXType_ExtVector;
}

static const char builtin[] = "__builtin_";

static int is_builtin(const char *name)
{
    return strncmp(name, builtin, strlen(builtin)) == 0;
}

char *dal__library_name(CXCursor function)
{
    const char *name = dal__ast_name(function);
    size_t length;
    name += is_builtin(name) ? strlen(builtin) : 0;
    length = strlen(name);
    return length > 6 && strncmp(name, "__", 2) == 0 && strcmp(name + length - 4, "_chk") == 0
               ? dal_format("%.*s", (int)length - 6, name + 2)
               : dal_strdup(name);
}

/* Instructions on vectors keep nothing; others may ask for the time, or for random numbers. */
static int has_vectors(CXCursor function)
{
    CXType type = clang_getCursorType(function);
    int found = is_vector(clang_getResultType(type));
    for (int i = 0; i < clang_getNumArgTypes(type); i++)
        found |= is_vector(clang_getArgType(type, (unsigned)i));
    return found;
}

/* A builtin function is declared where it is used first. */
int dal__is_known(const struct dal_ast *tree, CXCursor function)
{
    const char *name = dal__ast_name(function);
    int of_compiler = is_builtin(name), is;
    enum dal_owner owner = dal__ast_owner(tree, function);
    size_t length;
    char *plain;
    if ((owner == DAL_OWNER_SOURCE && !of_compiler) ||
        !clang_Cursor_isNull(dal__body_of(tree, function)))
        return 0;
    if (of_compiler && has_vectors(function))
        return 1;
    if (owner == DAL_OWNER_PROLOGUE && !of_compiler)
        return is_listed(ours, name, strlen(name));
    if (strncmp(name, "__ctype_", 8) == 0) /* of isalpha() and others */
        return 1;
    name += of_compiler ? strlen(builtin) : 0;
    length = strlen(name);
    if (is_listed(math, name, length) || is_listed(known, name, length) ||
        (of_compiler && is_listed(builtins, name, length)))
        return 1;
    if (!length || !strchr("fl", name[length - 1]))
        return 0;
    plain = dal_format("%.*s", (int)length - 1, name);
    is = plain && is_listed(math, plain, length - 1);
    dal_free(plain);
    return is;
}

static int is_of_library(const struct dal_ast *tree, CXCursor function)
{
    return dal__ast_owner(tree, function) == DAL_OWNER_SYSTEM &&
           !dal__ast_is_of_source(tree, dal__body_of(tree, function));
}

int dal__is_filled(const struct dal_ast *tree, CXCursor function, CXType argument, int number)
{
    const char *name = dal__ast_name(function);
    int fills = is_listed(filling, name, strlen(name)) && is_of_library(tree, function);
    if ((!fills && !dal__is_known(tree, function)) || argument.kind != CXType_Pointer ||
        dal__ast_is_const(clang_getPointeeType(argument)))
        return 0;
    if (number >= clang_getNumArgTypes(clang_getCursorType(function))) /* it has "..." */
        return strstr(name, "scanf") || (strstr(name, "_overflow") && number == 2);
    if (dal__ast_owner(tree, function) != DAL_OWNER_PROLOGUE || is_builtin(name))
        return 1;
    return strcmp(name, "createPort") == 0
               ? number == 0
               : number == 1 &&
                     (strcmp(name, "DAL_read") == 0 || strncmp(name, "DAL_getParameter", 16) == 0);
}

int dal__is_keeping(const struct dal_ast *tree, CXCursor function)
{
    const char *name = dal__ast_name(function);
    return is_listed(keeping, name, strlen(name)) && is_of_library(tree, function);
}

int dal__is_known_attribute(const char *word)
{
    return is_listed(attributes, word, strlen(word));
}
