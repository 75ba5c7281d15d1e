#include "rt/nodes/commands.h"

#include "rt/nodes/step.h"

/* Waits until the last word of that kind was sent, and sends this one, unless the link fails. */
static void say_surely(struct dal_nodes *nodes, int rank, enum dal_say say, uint64_t number)
{
    struct dal_idleness idle = {0};
    while (!dal__note_is_free(&nodes->peers[rank].notes[say]) && nodes->status == DAL_OK)
        dal__nodes_idle(nodes, &idle, dal__nodes_step(nodes));
    if (nodes->status == DAL_OK && dal__say_to(nodes, rank, say, number) < 0)
        dal__nodes_note_error(nodes, dal__nodes_complain(nodes));
}

void dal_command_give(struct dal_nodes *nodes, uint64_t command)
{
    for (int i = 1; i < nodes->link->count; i++) {
        dal__peer_forget(&nodes->peers[i], DAL_SAY_ANSWER);
        say_surely(nodes, i, DAL_SAY_COMMAND, command);
    }
}

int dal_command_answered(const struct dal_nodes *nodes)
{
    return dal__all_have_said(nodes, DAL_SAY_ANSWER);
}

uint64_t dal_command_answer_of(const struct dal_nodes *nodes, int rank)
{
    return nodes->peers[rank].numbers[DAL_SAY_ANSWER];
}

int dal_command_notice_of(const struct dal_nodes *nodes, int rank, uint64_t *notice)
{
    *notice = nodes->peers[rank].numbers[DAL_SAY_NOTICE];
    return dal__peer_has_said(&nodes->peers[rank], DAL_SAY_NOTICE);
}

void dal_command_take_notice(struct dal_nodes *nodes, int rank)
{
    dal__peer_forget(&nodes->peers[rank], DAL_SAY_NOTICE);
    say_surely(nodes, rank, DAL_SAY_TAKEN, 0);
}

int dal_command_is_given(const struct dal_nodes *nodes)
{
    return dal__peer_has_said(&nodes->peers[0], DAL_SAY_COMMAND);
}

uint64_t dal_command_take(struct dal_nodes *nodes)
{
    dal__peer_forget(&nodes->peers[0], DAL_SAY_COMMAND);
    return nodes->peers[0].numbers[DAL_SAY_COMMAND];
}

void dal_command_answer(struct dal_nodes *nodes, uint64_t answer)
{
    say_surely(nodes, 0, DAL_SAY_ANSWER, answer);
}

int dal_command_may_notify(const struct dal_nodes *nodes)
{
    return !nodes->told.notice || dal__peer_has_said(&nodes->peers[0], DAL_SAY_TAKEN);
}

void dal_command_notify(struct dal_nodes *nodes, uint64_t notice)
{
    dal__peer_forget(&nodes->peers[0], DAL_SAY_TAKEN);
    nodes->told.notice = 1;
    say_surely(nodes, 0, DAL_SAY_NOTICE, notice);
}

void dal_command_interrupt(struct dal_nodes *nodes)
{
    say_surely(nodes, 0, DAL_SAY_STOP, 0);
}

int dal_command_interrupted(const struct dal_nodes *nodes)
{
    for (int i = 1; i < nodes->link->count; i++)
        if (dal__peer_has_said(&nodes->peers[i], DAL_SAY_STOP))
            return 1;
    return 0;
}

void dal_command_wait(struct dal_nodes *nodes, struct dal_wake *wake, uint32_t sequence)
{
    int64_t nap_ns = 0;
    if (dal__nodes_step(nodes))
        nodes->idle.steps = 0;
    else
        nap_ns = dal__idle_nap(&nodes->idle);
    if (nap_ns)
        dal_wake_wait(wake, sequence, nap_ns);
    else
        dal_wake_cancel(wake);
}
