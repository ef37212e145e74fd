#include "CLeapHTTP.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Numbers of libcurl's stable binary interface: an option is its number plus the base of its type.
enum {
    OPTION_LONG = 0,
    OPTION_OBJECT = 10000,
    OPTION_FUNCTION = 20000,
    OPTION_OFFSET = 30000,

    OPT_WRITEDATA = OPTION_OBJECT + 1,
    OPT_URL = OPTION_OBJECT + 2,
    OPT_PROXY = OPTION_OBJECT + 4,
    OPT_ERRORBUFFER = OPTION_OBJECT + 10,
    OPT_WRITEFUNCTION = OPTION_FUNCTION + 11,
    OPT_POSTFIELDS = OPTION_OBJECT + 15,
    OPT_HTTPHEADER = OPTION_OBJECT + 23,
    OPT_HEADERDATA = OPTION_OBJECT + 29,
    OPT_CUSTOMREQUEST = OPTION_OBJECT + 36,
    OPT_POST = OPTION_LONG + 47,
    OPT_CAINFO = OPTION_OBJECT + 65,
    OPT_FRESH_CONNECT = OPTION_LONG + 74,
    OPT_FORBID_REUSE = OPTION_LONG + 75,
    OPT_HEADERFUNCTION = OPTION_FUNCTION + 79,
    OPT_HTTP_VERSION = OPTION_LONG + 84,
    OPT_CAPATH = OPTION_OBJECT + 97,
    OPT_BUFFERSIZE = OPTION_LONG + 98,
    OPT_NOSIGNAL = OPTION_LONG + 99,
    OPT_POSTFIELDSIZE_LARGE = OPTION_OFFSET + 120,
    OPT_OPENSOCKETFUNCTION = OPTION_FUNCTION + 163,
    OPT_OPENSOCKETDATA = OPTION_OBJECT + 164,
    OPT_PROTOCOLS = OPTION_LONG + 181,
    OPT_TCP_KEEPALIVE = OPTION_LONG + 213,
    OPT_SUPPRESS_CONNECT_HEADERS = OPTION_LONG + 265,

    HTTP_VERSION_1_1 = 2,
    PROTOCOL_HTTP = 1,
    PROTOCOL_HTTPS = 2,
    GLOBAL_DEFAULT = 3,
    MESSAGE_DONE = 1,
    ERROR_BUFFER_SIZE = 256,
};

typedef void curl;
typedef void multi;
struct slist;

// Where a connection is about to be made, as the callback of OPT_OPENSOCKETFUNCTION gets it; `address` has `length`
// bytes.
struct target {
    int family;
    int kind;
    int protocol;
    unsigned int length;
    struct sockaddr address;
};

// The result of a transfer, as curl_multi_info_read gives it.
struct message {
    int kind;
    curl *easy;
    union {
        void *whatever;
        int result;
    } data;
};

static struct {
    int (*global_init)(long);
    curl *(*easy_init)(void);
    void (*easy_reset)(curl *);
    void (*easy_cleanup)(curl *);
    int (*easy_setopt)(curl *, int, ...);
    const char *(*easy_strerror)(int);
    struct slist *(*slist_append)(struct slist *, const char *);
    void (*slist_free_all)(struct slist *);
    multi *(*multi_init)(void);
    int (*multi_cleanup)(multi *);
    int (*multi_add_handle)(multi *, curl *);
    int (*multi_remove_handle)(multi *, curl *);
    int (*multi_perform)(multi *, int *);
    int (*multi_poll)(multi *, void *, unsigned, int, int *);
    int (*multi_wakeup)(multi *);
    struct message *(*multi_info_read)(multi *, int *);
    bool is_available;
} api;

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_GLOBAL);
    if (!library) return;
    bool complete = true;
#define LOOK_UP(name) complete = (*(void **)(&api.name) = dlsym(library, "curl_" #name)) != NULL && complete
    LOOK_UP(global_init);
    LOOK_UP(easy_init);
    LOOK_UP(easy_reset);
    LOOK_UP(easy_cleanup);
    LOOK_UP(easy_setopt);
    LOOK_UP(easy_strerror);
    LOOK_UP(slist_append);
    LOOK_UP(slist_free_all);
    LOOK_UP(multi_init);
    LOOK_UP(multi_cleanup);
    LOOK_UP(multi_add_handle);
    LOOK_UP(multi_remove_handle);
    LOOK_UP(multi_perform);
    LOOK_UP(multi_poll);
    LOOK_UP(multi_wakeup);
    LOOK_UP(multi_info_read);
#undef LOOK_UP
    api.is_available = complete && api.global_init(GLOBAL_DEFAULT) == 0;
}

bool leap_curl_is_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return api.is_available;
}

struct leap_curl {
    curl *easy;
    multi *multi;
    atomic_bool is_cancelled;
    leap_curl_sink header, body, address;
    void *context;
    bool is_refused;
};

leap_curl *leap_curl_create(void) {
    if (!leap_curl_is_available()) return NULL;
    leap_curl *handle = calloc(1, sizeof *handle);
    if (!handle) return NULL;
    atomic_init(&handle->is_cancelled, false);
    handle->easy = api.easy_init();
    handle->multi = api.multi_init();
    if (handle->easy && handle->multi) return handle;
    leap_curl_destroy(handle);
    return NULL;
}

void leap_curl_destroy(leap_curl *handle) {
    if (handle->easy) api.easy_cleanup(handle->easy);
    if (handle->multi) api.multi_cleanup(handle->multi);
    free(handle);
}

void leap_curl_cancel(leap_curl *handle) {
    atomic_store(&handle->is_cancelled, true);
    api.multi_wakeup(handle->multi);
}

void leap_curl_reset(leap_curl *handle) { atomic_store(&handle->is_cancelled, false); }

static size_t deliver(leap_curl *handle, leap_curl_sink sink, const char *bytes, size_t count) {
    if (atomic_load(&handle->is_cancelled)) return 0;
    if (sink(handle->context, bytes, count)) return count;
    handle->is_refused = true;
    return 0;
}

static size_t on_header(char *bytes, size_t size, size_t count, void *context) {
    leap_curl *handle = context;
    return deliver(handle, handle->header, bytes, size * count);
}

static size_t on_body(char *bytes, size_t size, size_t count, void *context) {
    leap_curl *handle = context;
    return deliver(handle, handle->body, bytes, size * count);
}

// Makes the socket of a connection, or none (-1) where its address is refused.
static int on_socket(void *context, int purpose, struct target *target) {
    (void)purpose;
    leap_curl *handle = context;
    bool is_allowed = false;
    if (target->family == AF_INET && target->length >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in internet;
        memcpy(&internet, &target->address, sizeof internet);
        is_allowed = handle->address(handle->context, &internet.sin_addr, 4);
    } else if (target->family == AF_INET6 && target->length >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 internet;
        memcpy(&internet, &target->address, sizeof internet);
        is_allowed = handle->address(handle->context, &internet.sin6_addr, 16);
    }
    if (!is_allowed) return -1;
    return socket(target->family, target->kind | SOCK_CLOEXEC, target->protocol);
}

leap_curl_outcome leap_curl_send(
    leap_curl *handle, const char *url, const char *method, const char *const *fields, size_t count, const void *content,
    size_t content_count, const char *ca_file, const char *ca_folder, leap_curl_sink header, leap_curl_sink body,
    leap_curl_sink address, void *context, char *message
) {
    char buffer[ERROR_BUFFER_SIZE] = "";
    struct slist *list = NULL;
    for (size_t i = 0; i < count; i++) {
        struct slist *longer = api.slist_append(list, fields[i]);
        if (!longer) {
            api.slist_free_all(list);
            snprintf(message, ERROR_BUFFER_SIZE, "out of memory");
            return LEAP_CURL_FAILED;
        }
        list = longer;
    }
    handle->header = header;
    handle->body = body;
    handle->address = address;
    handle->context = context;
    handle->is_refused = false;

    curl *easy = handle->easy;
    api.easy_reset(easy);
    api.easy_setopt(easy, OPT_URL, url);
    api.easy_setopt(easy, OPT_HTTPHEADER, list);
    api.easy_setopt(easy, OPT_ERRORBUFFER, buffer);
    api.easy_setopt(easy, OPT_HEADERFUNCTION, on_header);
    api.easy_setopt(easy, OPT_HEADERDATA, handle);
    api.easy_setopt(easy, OPT_WRITEFUNCTION, on_body);
    api.easy_setopt(easy, OPT_WRITEDATA, handle);
    api.easy_setopt(easy, OPT_NOSIGNAL, 1L);
    api.easy_setopt(easy, OPT_PROTOCOLS, (long)(PROTOCOL_HTTP | PROTOCOL_HTTPS));
    // One connection per transfer is what parallel ranges want.
    api.easy_setopt(easy, OPT_HTTP_VERSION, (long)HTTP_VERSION_1_1);
    api.easy_setopt(easy, OPT_BUFFERSIZE, 128L << 10);
    api.easy_setopt(easy, OPT_TCP_KEEPALIVE, 1L);
    // What a proxy says to CONNECT is no answer of the server.
    api.easy_setopt(easy, OPT_SUPPRESS_CONNECT_HEADERS, 1L);
    if (address) {
        api.easy_setopt(easy, OPT_OPENSOCKETFUNCTION, on_socket);
        api.easy_setopt(easy, OPT_OPENSOCKETDATA, handle);
        // A proxy would choose the address, and a connection of another transfer has one that was not asked about.
        api.easy_setopt(easy, OPT_PROXY, "");
        api.easy_setopt(easy, OPT_FRESH_CONNECT, 1L);
        api.easy_setopt(easy, OPT_FORBID_REUSE, 1L);
    }
    if (content) {
        api.easy_setopt(easy, OPT_POST, 1L);
        api.easy_setopt(easy, OPT_POSTFIELDSIZE_LARGE, (int64_t)content_count);
        api.easy_setopt(easy, OPT_POSTFIELDS, content);
    }
    if (method) api.easy_setopt(easy, OPT_CUSTOMREQUEST, method);
    if (ca_file) api.easy_setopt(easy, OPT_CAINFO, ca_file);
    if (ca_folder) api.easy_setopt(easy, OPT_CAPATH, ca_folder);

    int failure = 0, result = 0;
    int running = 1;
    api.multi_add_handle(handle->multi, easy);
    while (!atomic_load(&handle->is_cancelled)) {
        failure = api.multi_perform(handle->multi, &running);
        if (failure != 0 || running == 0) break;
        // Until the socket can be read, a timer of libcurl's own ends, or the transfer is cancelled; no busy waiting.
        failure = api.multi_poll(handle->multi, NULL, 0, 60000, NULL);
        if (failure != 0) break;
    }
    int left = 0;
    for (struct message *m; (m = api.multi_info_read(handle->multi, &left));) {
        if (m->kind == MESSAGE_DONE) result = m->data.result;
    }
    // Ends a transfer that still runs, together with its connection.
    api.multi_remove_handle(handle->multi, easy);
    api.easy_reset(easy);
    api.slist_free_all(list);

    if (handle->is_refused) return LEAP_CURL_REFUSED;
    if (atomic_load(&handle->is_cancelled)) return LEAP_CURL_CANCELLED;
    if (failure == 0 && result == 0) return LEAP_CURL_DONE;
    const char *text = buffer[0] ? buffer : failure ? "libcurl failed" : api.easy_strerror(result);
    snprintf(message, ERROR_BUFFER_SIZE, "%s", text);
    return LEAP_CURL_FAILED;
}

#else

bool leap_curl_is_available(void) { return false; }
leap_curl *leap_curl_create(void) { return NULL; }
void leap_curl_destroy(leap_curl *handle) { (void)handle; }
void leap_curl_cancel(leap_curl *handle) { (void)handle; }
void leap_curl_reset(leap_curl *handle) { (void)handle; }
leap_curl_outcome leap_curl_send(
    leap_curl *handle, const char *url, const char *method, const char *const *fields, size_t count, const void *content,
    size_t content_count, const char *ca_file, const char *ca_folder, leap_curl_sink header, leap_curl_sink body,
    leap_curl_sink address, void *context, char *message
) {
    (void)handle, (void)url, (void)method, (void)fields, (void)count, (void)content, (void)content_count;
    (void)ca_file, (void)ca_folder;
    (void)header, (void)body, (void)address, (void)context, (void)message;
    return LEAP_CURL_FAILED;
}

#endif
