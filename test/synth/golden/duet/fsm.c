/* State machine duet: which applications run when. Made by dalsynth from duet.xml and rack.xml. */
#include <net.h>

extern const struct dal_net dal_net_left;
extern const struct dal_net dal_net_right;

enum {
    APPLICATION_left,
    APPLICATION_right,
    APPLICATIONS,
};

static const struct dal_application_desc applications[] = {
    [APPLICATION_left] =
        {
            .name = "left",
            .net = &dal_net_left,
            .origin = {.file = "duet.xml", .line = 4},
        },
    [APPLICATION_right] =
        {
            .name = "right",
            .net = &dal_net_right,
            .origin = {.file = "duet.xml", .line = 5},
        },
};

enum {
    STATE_left_alone__0,
    STATE_left_alone,
    STATE_right,
    STATE_off,
    STATES,
};

enum {
    EVENT_swap,
    EVENT_left_finished,
    EVENT_right_finished,
    EVENTS,
};

static const struct dal_event_desc events[] = {
    [EVENT_swap] =
        {
            .name = "swap",
            .application = -1,
        },
    [EVENT_left_finished] =
        {
            .name = "left.finished",
            .application = APPLICATION_left,
        },
    [EVENT_right_finished] =
        {
            .name = "right.finished",
            .application = APPLICATION_right,
        },
};

static const enum dal_application_status wants_left_alone__0[] = {
    [APPLICATION_left] = DAL_APPLICATION_RUNNING,
    [APPLICATION_right] = DAL_APPLICATION_STOPPED,
};

static const enum dal_application_status wants_left_alone[] = {
    [APPLICATION_left] = DAL_APPLICATION_PAUSED,
    [APPLICATION_right] = DAL_APPLICATION_RUNNING,
};

static const enum dal_application_status wants_right[] = {
    [APPLICATION_left] = DAL_APPLICATION_STOPPED,
    [APPLICATION_right] = DAL_APPLICATION_RUNNING,
};

static const enum dal_application_status wants_off[] = {
    [APPLICATION_left] = DAL_APPLICATION_STOPPED,
    [APPLICATION_right] = DAL_APPLICATION_STOPPED,
};

static const struct dal_state_desc states[] = {
    [STATE_left_alone__0] =
        {
            .name = "left-alone",
            .wants = wants_left_alone__0,
            .origin = {.file = "duet.xml", .line = 7},
        },
    [STATE_left_alone] =
        {
            .name = "left.alone",
            .wants = wants_left_alone,
            .origin = {.file = "duet.xml", .line = 10},
        },
    [STATE_right] =
        {
            .name = "right",
            .wants = wants_right,
            .origin = {.file = "duet.xml", .line = 14},
        },
    [STATE_off] =
        {
            .name = "off",
            .wants = wants_off,
            .end = 1,
            .origin = {.file = "duet.xml", .line = 17},
        },
};

static const struct dal_transition_desc transitions[] = {
    [0] =
        {
            .from = STATE_left_alone__0,
            /* pauses left, starts right */
            .to = STATE_left_alone,
            .event = EVENT_swap,
            .origin = {.file = "duet.xml", .line = 19},
        },
    [1] =
        {
            .from = STATE_left_alone__0,
            /* starts right */
            .to = STATE_right,
            .event = EVENT_left_finished,
            .origin = {.file = "duet.xml", .line = 20},
        },
    [2] =
        {
            .from = STATE_left_alone,
            /* resumes left */
            .to = STATE_left_alone__0,
            .event = EVENT_right_finished,
            .origin = {.file = "duet.xml", .line = 21},
        },
    [3] =
        {
            .from = STATE_right,
            .to = STATE_off,
            .event = EVENT_right_finished,
            .origin = {.file = "duet.xml", .line = 22},
        },
    [4] =
        {
            .from = STATE_right,
            .to = STATE_right,
            .event = EVENT_swap,
            .origin = {.file = "duet.xml", .line = 23},
        },
};

/* What `--version` says and `dalsynth --verify` compares. */
static const struct dal_made_desc made[] = {
    {
        .what = "state machine",
        .file = "duet.xml",
        .digest = "5aaf54ec5b9c043d711e0bc6729b5dea",
    },
    {
        .what = "architecture",
        .file = "rack.xml",
        .digest = "7688d476275e0dd646d48bc467ce3aaf",
    },
    {
        .what = "network of left",
        .file = "chain.xml",
        .digest = "f23825974f774a2b9c87edbc73698bfe",
    },
    {
        .what = "mapping of left",
        .file = "spread.xml",
        .digest = "dd67db2c10a96a79ad0fae394b4e9d82",
    },
    {
        .what = "variables of left",
        .file = "",
        .digest = "dd7c1ff7a6aa6b23849cf8b18b4009f7",
    },
    {
        .what = "sources of left",
        .file = "",
        .digest = "e4b893363653669b49bc6d5f728b36f4",
    },
    {
        .what = "network of right",
        .file = "chain.xml",
        .digest = "f23825974f774a2b9c87edbc73698bfe",
    },
    {
        .what = "mapping of right",
        .file = "solo.xml",
        .digest = "30f3a711f717a7cd896436f78aa14b8f",
    },
    {
        .what = "variables of right",
        .file = "",
        .digest = "dd7c1ff7a6aa6b23849cf8b18b4009f7",
    },
    {
        .what = "sources of right",
        .file = "",
        .digest = "e4b893363653669b49bc6d5f728b36f4",
    },
};

static const struct dal_fsm fsm = {
    .version = DAL_NET_VERSION,
    .name = "duet",
    .applications = applications,
    .application_count = APPLICATIONS,
    .events = events,
    .event_count = EVENTS,
    .states = states,
    .state_count = STATES,
    .transitions = transitions,
    .transition_count = 5,
    .initial = STATE_left_alone__0,
    .made = made,
    .made_count = sizeof(made) / sizeof(made[0]),
};

int main(int argc, char **argv)
{
    return dal_main_fsm(&fsm, argc, argv);
}
