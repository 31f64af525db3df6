/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rpc/front.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "rpc/relay.h"

enum { TICK_MS = 100, EVENTS = 64, TLS_HANDSHAKE = 0x16 };

static const char PREFACE[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

typedef enum {
    LINK_OPENING, /* has to show how it begins */
    LINK_HANDED,  /* taken; fd is kept to see it end */
    LINK_RELAYED, /* fd and inner are ends of a relay */
    LINK_DEAD     /* freed after the events at hand */
} link_state;

typedef struct link {
    struct link *next;
    link_state state;
    int fd, inner;
    uint64_t deadline_ns;
    relay_t *relay;
} link_t;

struct front {
    front_options_t options;
    listener_t listener;
    int epoll, wake, spare; /* spare: given up to refuse when descriptors have run out */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_stopping, has_stopped, is_ending; /* lock */
    bool is_paused;                           /* accepting, until the next tick */
    atomic_uint n_links;
    link_t *links;
};

uint32_t front_descriptors(bool has_tls)
{
    return has_tls ? 3 : 2;
}

static bool watch(front_t *front, int op, int fd, uint32_t events, void *of)
{
    struct epoll_event event = {.events = events, .data.ptr = of};

    return epoll_ctl(front->epoll, op, fd, &event) == 0;
}

/* The descriptor may have a twin, which would keep it in the set. */
static void unwatch_and_close(front_t *front, int fd)
{
    if (fd < 0) return;
    (void)watch(front, EPOLL_CTL_DEL, fd, 0, NULL);
    (void)close(fd);
}

static void kill_link(front_t *front, link_t *link)
{
    if (link->state == LINK_DEAD) return;
    link->state = LINK_DEAD;
    unwatch_and_close(front, link->fd);
    unwatch_and_close(front, link->inner);
    relay_close(link->relay);
    (void)atomic_fetch_sub(&front->n_links, 1);
}

static void free_dead_links(front_t *front)
{
    link_t **at = &front->links;

    while (*at != NULL) {
        link_t *link = *at;

        if (link->state == LINK_DEAD) {
            *at = link->next;
            free(link);
        } else {
            at = &link->next;
        }
    }
}

/* ---- how a connection begins ------------------------------------------------------------------
 */

typedef enum { BEGINS_RIGHT, BEGINS_WRONG, BEGINS_LATER } beginning;

static beginning look(const front_t *front, int fd)
{
    const bool has_tls = front->options.inner_path != NULL;
    const size_t wanted = has_tls ? 1 : sizeof PREFACE - 1;
    char bytes[sizeof PREFACE - 1];
    const ssize_t n = recv(fd, bytes, wanted, MSG_PEEK);

    if (n < 0) return errno == EAGAIN || errno == EINTR ? BEGINS_LATER : BEGINS_WRONG;
    if (n == 0) return BEGINS_WRONG;
    if (has_tls) return bytes[0] == TLS_HANDSHAKE ? BEGINS_RIGHT : BEGINS_WRONG;
    if (memcmp(bytes, PREFACE, (size_t)n) != 0) return BEGINS_WRONG;
    return (size_t)n == wanted ? BEGINS_RIGHT : BEGINS_LATER;
}

static void hand_over(front_t *front, link_t *link)
{
    const int twin = fcntl(link->fd, F_DUPFD_CLOEXEC, 0);

    if (twin < 0 || !watch(front, EPOLL_CTL_MOD, link->fd, 0, link)) {
        if (twin >= 0) (void)close(twin);
        kill_link(front, link);
        return;
    }
    link->state = LINK_HANDED;
    front->options.take(front->options.arg, twin);
}

static void run_relay(front_t *front, link_t *link)
{
    switch (relay_run(link->relay)) {
    case RELAY_WAITS:
        break;
    case RELAY_MORE: /* to arm it anew tells of it again */
        (void)watch(front, EPOLL_CTL_MOD, link->fd, EPOLLIN | EPOLLOUT | EPOLLET, link);
        break;
    case RELAY_ENDED:
        kill_link(front, link);
        break;
    }
}

static void begin_relay(front_t *front, link_t *link)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    cuzk_error err;

    (void)strcpy(address.sun_path, front->options.inner_path);
    link->inner = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (link->inner < 0 ||
        connect(link->inner, (const struct sockaddr *)&address, sizeof address) != 0 ||
        relay_open(&link->relay, link->fd, link->inner, &err) != CUZK_OK ||
        !watch(front, EPOLL_CTL_ADD, link->inner, EPOLLIN | EPOLLOUT | EPOLLET, link) ||
        !watch(front, EPOLL_CTL_MOD, link->fd, EPOLLIN | EPOLLOUT | EPOLLET, link)) {
        kill_link(front, link);
        return;
    }
    link->state = LINK_RELAYED;
    run_relay(front, link);
}

static void on_link(front_t *front, link_t *link, uint32_t events)
{
    switch (link->state) {
    case LINK_OPENING:
        switch (look(front, link->fd)) {
        case BEGINS_LATER:
            break;
        case BEGINS_WRONG:
            kill_link(front, link);
            break;
        case BEGINS_RIGHT:
            if (front->options.inner_path != NULL)
                begin_relay(front, link);
            else
                hand_over(front, link);
            break;
        }
        break;
    case LINK_HANDED:
        if ((events & (EPOLLHUP | EPOLLERR)) != 0) kill_link(front, link);
        break;
    case LINK_RELAYED:
        run_relay(front, link);
        break;
    case LINK_DEAD:
        break;
    }
}

/* ---- accepting --------------------------------------------------------------------------------
 */

static void add_link(front_t *front, int fd)
{
    link_t *link = atomic_load(&front->n_links) < front->options.max_connections
                       ? calloc(1, sizeof *link)
                       : NULL;
    const int on = 1;

    if (link == NULL) {
        (void)close(fd);
        return;
    }
    if (!front->listener.is_unix) (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    *link = (link_t){.next = front->links, .state = LINK_OPENING, .fd = fd, .inner = -1};
    link->deadline_ns = clock_monotonic_ns() + front->options.opening_ms * UINT64_C(1000000);
    front->links = link;
    (void)atomic_fetch_add(&front->n_links, 1);
    if (!watch(front, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLET, link)) kill_link(front, link);
}

static void open_spare(front_t *front)
{
    if (front->spare < 0) front->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void pause_accepting(front_t *front, bool is_paused)
{
    front->is_paused = is_paused;
    for (size_t i = 0; i < front->listener.n; i++)
        (void)watch(front, EPOLL_CTL_MOD, front->listener.fds[i], is_paused ? 0 : EPOLLIN,
                    &front->listener.fds[i]);
}

/* Descriptors have run out: the caller is refused, where it would else wait for nothing. */
static void refuse_one(front_t *front, int listening)
{
    if (front->spare >= 0) (void)close(front->spare);
    front->spare = -1;
    const int fd = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0) (void)close(fd);
    open_spare(front);
    if (front->spare < 0) pause_accepting(front, true);
}

static void on_listener(front_t *front, int listening)
{
    const int fd = accept4(listening, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd >= 0) {
        add_link(front, fd);
        return;
    }
    if (errno == EMFILE || errno == ENFILE)
        refuse_one(front, listening);
    else if (errno == ENOMEM || errno == ENOBUFS)
        pause_accepting(front, true);
}

/* ---- the thread -------------------------------------------------------------------------------
 */

/* Milliseconds until it has to look again; -1: not before something happens. */
static int look_at_clock(front_t *front)
{
    const uint64_t now = clock_monotonic_ns();
    bool has_opening = false;

    for (link_t *link = front->links; link != NULL; link = link->next) {
        if (link->state != LINK_OPENING) continue;
        if (now >= link->deadline_ns)
            kill_link(front, link);
        else
            has_opening = true;
    }
    free_dead_links(front);
    open_spare(front);
    if (front->is_paused) {
        pause_accepting(front, false);
        return TICK_MS;
    }
    return has_opening ? TICK_MS : -1;
}

static void stop_accepting(front_t *front)
{
    for (size_t i = 0; i < front->listener.n; i++)
        (void)watch(front, EPOLL_CTL_DEL, front->listener.fds[i], 0, NULL);
    listener_close(&front->listener);
    for (link_t *link = front->links; link != NULL; link = link->next)
        if (link->state == LINK_OPENING) kill_link(front, link);
}

/* Whether the thread goes on. */
static bool obey(front_t *front)
{
    uint64_t count;

    (void)!read(front->wake, &count, sizeof count);
    (void)pthread_mutex_lock(&front->lock);
    const bool is_ending = front->is_ending;
    if (front->is_stopping && !front->has_stopped) {
        stop_accepting(front);
        front->has_stopped = true;
        (void)pthread_cond_broadcast(&front->changed);
    }
    (void)pthread_mutex_unlock(&front->lock);
    return !is_ending;
}

static void *run(void *arg)
{
    front_t *front = arg;
    struct epoll_event events[EVENTS];
    bool goes_on = true;

    while (goes_on) {
        const int n = epoll_wait(front->epoll, events, EVENTS, look_at_clock(front));

        for (int i = 0; i < n; i++) {
            void *of = events[i].data.ptr;
            int *const listening = of;

            if (of == &front->wake)
                goes_on = obey(front);
            else if (listening >= front->listener.fds &&
                     listening < front->listener.fds + LISTENER_MAX_SOCKETS)
                on_listener(front, *listening);
            else
                on_link(front, of, events[i].events);
        }
    }
    return NULL;
}

static cuzk_status start(front_t *front, cuzk_error *err)
{
    front->epoll = epoll_create1(EPOLL_CLOEXEC);
    front->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (front->epoll < 0 || front->wake < 0)
        return error_set(err, CUZK_ERR_IO, "to accept connections: %s", strerror(errno));
    if (!watch(front, EPOLL_CTL_ADD, front->wake, EPOLLIN, &front->wake))
        return error_set(err, CUZK_ERR_IO, "to accept connections: %s", strerror(errno));
    for (size_t i = 0; i < front->listener.n; i++)
        if (!watch(front, EPOLL_CTL_ADD, front->listener.fds[i], EPOLLIN, &front->listener.fds[i]))
            return error_set(err, CUZK_ERR_IO, "to accept connections: %s", strerror(errno));
    open_spare(front);
    const int code = pthread_create(&front->thread, NULL, run, front);
    if (code != 0)
        return error_set(err, CUZK_ERR_IO, "a thread to accept connections: %s", strerror(code));
    return CUZK_OK;
}

static void release(front_t *front)
{
    for (link_t *link = front->links; link != NULL; link = link->next) kill_link(front, link);
    free_dead_links(front);
    listener_close(&front->listener);
    if (front->spare >= 0) (void)close(front->spare);
    if (front->wake >= 0) (void)close(front->wake);
    if (front->epoll >= 0) (void)close(front->epoll);
    (void)pthread_cond_destroy(&front->changed);
    (void)pthread_mutex_destroy(&front->lock);
    free(front);
}

cuzk_status front_open(front_t **front, const front_options_t *options, cuzk_error *err)
{
    front_t *f = mem_alloc(1, sizeof *f, "server", err);

    *front = NULL;
    if (f == NULL) {
        listener_close(options->listener);
        return err->status;
    }
    f->options = *options;
    f->listener = *options->listener;
    f->options.listener = NULL;
    *options->listener = (listener_t){.n = 0};
    f->epoll = f->wake = f->spare = -1;
    (void)pthread_mutex_init(&f->lock, NULL);
    (void)pthread_cond_init(&f->changed, NULL);
    if (start(f, err) != CUZK_OK) {
        release(f);
        return err->status;
    }
    *front = f;
    return CUZK_OK;
}

static void wake(front_t *front)
{
    const uint64_t one = 1;

    (void)!write(front->wake, &one, sizeof one);
}

void front_stop_accepting(front_t *front)
{
    (void)pthread_mutex_lock(&front->lock);
    front->is_stopping = true;
    wake(front);
    while (!front->has_stopped) (void)pthread_cond_wait(&front->changed, &front->lock);
    (void)pthread_mutex_unlock(&front->lock);
}

uint32_t front_connections(front_t *front)
{
    return atomic_load(&front->n_links);
}

void front_close(front_t *front)
{
    if (front == NULL) return;
    (void)pthread_mutex_lock(&front->lock);
    front->is_ending = true;
    (void)pthread_mutex_unlock(&front->lock);
    wake(front);
    (void)pthread_join(front->thread, NULL);
    release(front);
}
