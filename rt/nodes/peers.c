#include "rt/nodes/peers.h"

#include "rt/base/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int dal__note_send(struct dal_note *note, struct dal_link *link, int rank, int tag, uint64_t number)
{
    *note = (struct dal_note){.sent = 1, .number = number};
    return link->transport->send(link, rank, tag, &note->number, sizeof(note->number),
                                 &note->transfer);
}

/* Digests the program: it is the same file on all nodes, and other sources give another file. The
 * digest is zero if it cannot be read. */
static void read_program(unsigned char digest[DAL_SHA256_BYTES])
{
    unsigned char block[65536];
    struct dal_sha256 sha;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    off_t at = 0;
    ssize_t bytes;
    if (file < 0)
        return;
    dal_sha256_begin(&sha);
    /* under valgrind all who open it share one position */
    for (; (bytes = pread(file, block, sizeof(block), at)) > 0; at += bytes)
        dal_sha256_add(&sha, block, (size_t)bytes);
    close(file);
    dal_sha256_end(&sha, digest);
}

/* Reads the program once, however many of its networks meet. */
static void digest_program(unsigned char digest[DAL_SHA256_BYTES])
{
    static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
    static unsigned char known[DAL_SHA256_BYTES];
    static int is_read;
    pthread_mutex_lock(&reading);
    if (!is_read)
        read_program(known);
    is_read = 1;
    pthread_mutex_unlock(&reading);
    memcpy(digest, known, sizeof(known));
}

/* Names one boot of a machine, and one numbering of its processes. */
static void name_machine(char *name, size_t bytes)
{
    char boot[48] = "", space[40] = "";
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (file >= 0 && read(file, boot, sizeof(boot) - 1) < 0)
        boot[0] = '\0';
    if (file >= 0)
        close(file);
    if (readlink("/proc/self/ns/pid", space, sizeof(space) - 1) < 0)
        space[0] = '\0';
    snprintf(name, bytes, "%s %s", boot, space);
}

void dal__hello_make(struct dal_hello *hello)
{
    memset(hello, 0, sizeof(*hello));
    digest_program(hello->build);
    name_machine(hello->machine, sizeof(hello->machine));
    hello->pid = getpid();
}

/* Returns whether a peer's process runs, even as another user. */
static int is_running(const struct dal_peer *peer)
{
    return kill((pid_t)peer->hello.pid, 0) == 0 || errno != ESRCH;
}

void dal__peer_meet(struct dal_peer *peer, const struct dal_hello *own)
{
    peer->watched =
        memcmp(peer->hello.machine, own->machine, sizeof(own->machine)) == 0 && is_running(peer);
}

int dal__peer_is_there(struct dal_peer *peer)
{
    if (peer->watched && !dal__peer_is_over(peer) && !is_running(peer))
        peer->gone = 1;
    return !peer->gone;
}
