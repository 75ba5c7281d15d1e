#include "spec/read/own.h"

#include "rt/base/alloc.h"
#include "spec/base/file.h"
#include "spec/read/xml.h"

char *dal_spec_own_mapping(const char *network_file)
{
    struct dal_diags unsaid;
    struct dal__reader reader = {.diags = &unsaid};
    struct dal_spec_place place;
    const char *mapping;
    char *name = NULL, *path;
    xmlNode *root;
    dal_diags_init(&unsaid);
    root = dal__xml_open(&reader, network_file, "processnetwork", &place, &name);
    mapping = root ? dal__xml_get(root, "mapping") : NULL;
    path = mapping ? dal__beside(network_file, mapping) : NULL;
    dal__xml_close(root);
    dal_free(name);
    dal_diags_finish(&unsaid);
    return path;
}
