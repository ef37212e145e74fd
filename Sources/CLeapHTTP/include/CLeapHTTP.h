// HTTP through the libcurl that FoundationNetworking brings with it.
//
// libcurl is looked up at run time, so that neither its headers nor a further package are needed to build.
#ifndef C_LEAP_HTTP_H
#define C_LEAP_HTTP_H

#include <stdbool.h>
#include <stddef.h>

/// A connection cache and one transfer at a time. All functions but `leap_curl_cancel` are called by one thread at a
/// time.
typedef struct leap_curl leap_curl;

/// Takes one header line or a piece of the body, valid during the call; returns false to end the transfer.
typedef bool (*leap_curl_sink)(void *context, const void *bytes, size_t count);

/// Whether libcurl can be used in this process.
bool leap_curl_is_available(void);

/// Makes a handle; NULL if libcurl is not available or memory is exhausted.
leap_curl *leap_curl_create(void);

void leap_curl_destroy(leap_curl *handle);

/// Why a transfer ended.
typedef enum {
    /// The body came to its end.
    LEAP_CURL_DONE = 0,
    /// A sink returned false.
    LEAP_CURL_REFUSED = 1,
    /// `leap_curl_cancel` was called.
    LEAP_CURL_CANCELLED = 2,
    /// The connection failed; see the message.
    LEAP_CURL_FAILED = 3,
} leap_curl_outcome;

/// Sends a GET, or a POST where there is content, and blocks until its end.
///
/// - method: another method in place of these; NULL for them.
/// - fields: `count` header lines without line ends, copied.
/// - content: `content_count` bytes to send with POST, valid until the end; NULL for a GET.
/// - ca_file, ca_folder: where certificates of authorities are, or NULL for the system's.
/// - address: asked before each connection, with the 4 or 16 bytes of the IP address; one that is refused is not
///   connected to. Connections are then made directly and for this transfer alone. NULL where any address will do.
/// - message: at least 256 bytes, set to a terminated text if the outcome is LEAP_CURL_FAILED.
leap_curl_outcome leap_curl_send(
    leap_curl *handle, const char *url, const char *method, const char *const *fields, size_t count, const void *content,
    size_t content_count, const char *ca_file, const char *ca_folder, leap_curl_sink header, leap_curl_sink body,
    leap_curl_sink address, void *context, char *message);

/// Ends the transfer that runs, or the next one if none does; from any thread.
void leap_curl_cancel(leap_curl *handle);

/// Forgets a cancellation; to be called between transfers.
void leap_curl_reset(leap_curl *handle);

#endif
