#include "spec/read/own.h"

#include "rt/base/alloc.h"
#include "spec/base/file.h"
#include "spec/read/xml.h"

char *dal_spec_own_mapping(struct dal_diags *diags, const char *network_file)
{
    struct dal__reader reader = {.diags = diags};
    struct dal_spec_place place;
    const char *mapping, *why;
    char *name = NULL, *path;
    xmlNode *root;
    root = dal__xml_open(&reader, network_file, "processnetwork", &place, &name);
    mapping = root ? dal__xml_get(root, "mapping") : NULL;
    path = mapping ? dal__beside(network_file, mapping) : NULL;
    if (path && (why = dal_file_fault(path))) {
        dal_error(diags, place, "file", "its mapping '%s': %s", path, why);
        dal_free(path);
        path = NULL;
    }
    dal__xml_close(root);
    dal_free(name);
    return path;
}
