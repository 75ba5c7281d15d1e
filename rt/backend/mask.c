/* Hides what a device can do, so that tests have devices that a machine lacks. */
#include "rt/backend/device.h"

#ifdef DAL_CHECKING
#include <stdlib.h>
#include <string.h>

#define SEPARATORS " ,"

/* Finds a member of struct dal_device_traits that can be masked: 0 means "no". */
static int *find_answer(struct dal_device_info *info, const char *name, size_t length)
{
    const struct {
        const char *name;
        int *answer;
    } answers[] = {
        {"unified", &info->traits.unified},
        {"fine_svm", &info->traits.fine_svm},
        {"rounds_division", &info->traits.rounds_division},
        {"foreign_events", &info->traits.foreign_events},
    };
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
        if (strlen(answers[i].name) == length && memcmp(answers[i].name, name, length) == 0)
            return answers[i].answer;
    return NULL;
}

int dal_device_mask_answers(struct dal_device_info *info)
{
    const char *at = getenv("DAL_TEST_MASK");
    while (at && *(at += strspn(at, SEPARATORS))) {
        size_t length = strcspn(at, SEPARATORS);
        int *answer = find_answer(info, at, length);
        if (!answer) {
            dal_log(DAL_LOG_ERROR, "DAL_TEST_MASK: a device has no answer '%.*s'", (int)length, at);
            return DAL_ERR_INVALID;
        }
        *answer = 0;
        at += length;
    }
    return DAL_OK;
}
#endif
