/*
 * slow_link: two hosts and a slow link between them, on this machine.
 *
 *     slow_link LATENCY-US BYTES-PER-SECOND COMMAND...    runs the command on the host "near"
 *     slow_link --far HOST WORD...                        in it: runs a command of the shell on
 * "far"
 *
 * The second has the form of ssh, so mpirun starts its ranks with it (plm_rsh_agent). HOST is not
 * looked at.
 *
 * A host is a namespace of network and name, 10.77.0.1 and 10.77.0.2. Each has a tun device, and
 * this process carries packets from one to the other. A packet takes its bytes' time on the link
 * behind those before it, and then the latency. Packets wait in a queue of 1 MB at most; one that
 * finds no room is lost, as in a network.
 *
 * It needs no privileges but those in a user namespace of its own, and /dev/net/tun. Exit status 77
 * says that the system does not give them; else it is that of the command.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIPPED = 77, MTU = 9000, SLOTS = 1024, QUEUE_BYTES = 1 << 20 };

struct packet {
    int64_t due_ns;
    size_t bytes;
    unsigned char data[MTU + 64];
};

/* From one tun device to another. */
struct direction {
    int from, to;
    int64_t free_ns; /* when the link has sent what came so far */
    unsigned first, count;
    struct packet packets[SLOTS];
};

static struct direction directions[2];
static int64_t latency_ns;
static double bytes_per_ns;

static void require(int is_so, const char *what)
{
    if (is_so)
        return;
    printf("%s: %s\n", what, strerror(errno));
    exit(SKIPPED);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static void write_file(const char *file, const char *format, ...)
{
    char text[64];
    va_list arguments;
    int fd = open(file, O_WRONLY | O_CLOEXEC), length;
    va_start(arguments, format);
    length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    require(fd >= 0 && write(fd, text, (size_t)length) == length, file);
    close(fd);
}

static void enter_user_namespace(void)
{
    unsigned user = geteuid(), group = getegid();
    require(unshare(CLONE_NEWUSER) == 0, "no user namespace");
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", "0 %u 1", user);
    write_file("/proc/self/gid_map", "0 %u 1", group);
}

static void set_up(int socket, const char *device)
{
    struct ifreq request = {.ifr_flags = IFF_UP | IFF_RUNNING};
    strcpy(request.ifr_name, device);
    require(ioctl(socket, SIOCSIFFLAGS, &request) == 0, device);
}

static void set_address(int socket, const char *device, unsigned long what, const char *address)
{
    struct ifreq request = {0};
    struct sockaddr_in *to = (struct sockaddr_in *)&request.ifr_addr;
    strcpy(request.ifr_name, device);
    to->sin_family = AF_INET;
    inet_pton(AF_INET, address, &to->sin_addr);
    require(ioctl(socket, what, &request) == 0, address);
}

/* Of this process, with a tun device that is returned. */
static int make_host(const char *name, const char *address)
{
    struct ifreq request = {.ifr_name = "slow", .ifr_flags = IFF_TUN | IFF_NO_PI};
    int tun, control;
    require(unshare(CLONE_NEWNET | CLONE_NEWUTS) == 0, "no network namespace");
    require(sethostname(name, strlen(name)) == 0, "no host name");
    tun = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    require(tun >= 0 && ioctl(tun, TUNSETIFF, &request) == 0, "/dev/net/tun");
    control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    require(control >= 0, "no socket");
    set_up(control, "lo");
    set_address(control, "slow", SIOCSIFADDR, address);
    set_address(control, "slow", SIOCSIFNETMASK, "255.255.255.0");
    request.ifr_mtu = MTU;
    require(ioctl(control, SIOCSIFMTU, &request) == 0, "no large packets");
    set_up(control, "slow");
    close(control);
    return tun;
}

static int open_namespace(const char *process, const char *kind)
{
    char path[64];
    int fd;
    snprintf(path, sizeof(path), "/proc/%.20s/ns/%s", process, kind);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    require(fd >= 0, path);
    return fd;
}

static void enter_host(int network, int name)
{
    require(setns(network, CLONE_NEWNET) == 0 && setns(name, CLONE_NEWUTS) == 0, "setns");
}

static int execute(char **command)
{
    execvp(command[0], command);
    perror(command[0]);
    return 127;
}

/* ---- the link -------------------------------------------------------------------------------- */

/* Returns whether there was one. */
static int take_packet(struct direction *d)
{
    struct packet *packet = &d->packets[(d->first + d->count) % SLOTS], lost;
    int64_t now = now_ns(), begin = d->free_ns > now ? d->free_ns : now;
    int fits = d->count < SLOTS && (double)(begin - now) * bytes_per_ns < QUEUE_BYTES;
    ssize_t bytes;
    packet = fits ? packet : &lost;
    bytes = read(d->from, packet->data, sizeof(packet->data));
    if (bytes <= 0)
        return 0;
    if (!fits)
        return 1;
    d->free_ns = begin + (int64_t)((double)bytes / bytes_per_ns);
    packet->due_ns = d->free_ns + latency_ns;
    packet->bytes = (size_t)bytes;
    d->count++;
    return 1;
}

/* Delivers what is due. Returns when the next packet is. */
static int64_t give_packets(struct direction *d)
{
    while (d->count > 0) {
        struct packet *packet = &d->packets[d->first];
        if (packet->due_ns > now_ns())
            return packet->due_ns;
        if (write(d->to, packet->data, packet->bytes) < 0 && errno == EAGAIN)
            return now_ns() + 10000;
        d->first = (d->first + 1) % SLOTS;
        d->count--;
    }
    return INT64_MAX;
}

static void carry_packets(pid_t child, int *status)
{
    struct pollfd polls[2] = {{.fd = directions[0].from, .events = POLLIN},
                              {.fd = directions[1].from, .events = POLLIN}};
    while (waitpid(child, status, WNOHANG) == 0) {
        int64_t wait = now_ns() + 50000000;
        struct timespec time;
        for (int i = 0; i < 2; i++) {
            int64_t due;
            while (take_packet(&directions[i]))
                continue;
            due = give_packets(&directions[i]);
            wait = due < wait ? due : wait;
        }
        wait = wait > now_ns() ? wait - now_ns() : 0;
        time = (struct timespec){.tv_nsec = wait};
        ppoll(polls, 2, &time, NULL);
    }
}

static int run_slowly(char **command)
{
    int near = make_host("near", "10.77.0.1"), far, network, name, status = 0;
    char pid[16];
    pid_t child;
    network = open_namespace("self", "net");
    name = open_namespace("self", "uts");
    far = make_host("far", "10.77.0.2");
    directions[0].from = directions[1].to = near;
    directions[0].to = directions[1].from = far;
    snprintf(pid, sizeof(pid), "%d", getpid());
    setenv("DAL_FAR", pid, 1);
    child = fork();
    require(child >= 0, "fork");
    if (child == 0) {
        enter_host(network, name);
        prctl(PR_SET_PDEATHSIG, SIGTERM, 0ul, 0ul, 0ul);
        return execute(command);
    }
    prctl(PR_SET_TIMERSLACK, 1000ul, 0ul, 0ul, 0ul);
    carry_packets(child, &status);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The process that carries the packets is on that host. */
static int run_far(char **words)
{
    const char *process = getenv("DAL_FAR");
    char line[16384] = "", *command[] = {"sh", "-c", line, NULL};
    size_t used = 0;
    if (!process) {
        fprintf(stderr, "slow_link: there is no other host\n");
        return 2;
    }
    for (; *words && used < sizeof(line); words++)
        used += (size_t)snprintf(line + used, sizeof(line) - used, "%s ", *words);
    if (used >= sizeof(line)) {
        fprintf(stderr, "slow_link: the command is too long\n");
        return 2;
    }
    enter_host(open_namespace(process, "net"), open_namespace(process, "uts"));
    return execute(command);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "--far") == 0)
        return run_far(argv + 3);
    if (argc < 4) {
        fprintf(stderr, "slow_link LATENCY-US BYTES-PER-SECOND COMMAND...\n");
        return 2;
    }
    latency_ns = 1000 * strtoll(argv[1], NULL, 10);
    bytes_per_ns = 1e-9 * strtod(argv[2], NULL);
    enter_user_namespace();
    return run_slowly(argv + 3);
}
