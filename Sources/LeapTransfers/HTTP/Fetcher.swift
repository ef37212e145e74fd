import Foundation
import LeapBase
package import LeapHTTP

/// One logical GET: redirects followed by hand, credentials for the endpoint's host only, a watchdog over every hop.
package struct Fetcher: Sendable {
    package let transport: any Transport
    var configuration: TransferConfiguration
    /// Told before every wait of a second or more, in words for the person who waits, and nil after it.
    var onWait: @Sendable (String?) -> Void = { _ in }
    /// Told of a reason, other than the server's, for which nothing arrives, and nil once something does.
    var onHold: @Sendable (TransferWait?) -> Void = { _ in }

    package init(transport: any Transport, configuration: TransferConfiguration) {
        self.transport = transport
        self.configuration = configuration
    }

    /// The answer at the end of the redirects, and what was learnt on the way.
    struct Answer: Sendable {
        var head: HTTPHead
        /// The address that the answer came from; not the one of the request if there were redirects.
        var location: URL
        /// `X-Linked-Etag` of the first answer that had it, if it is a SHA-256.
        var linkedSHA256: String?
        /// `X-Linked-Size` of the first answer that had it.
        var linkedSize: Int64?
    }

    /// The bytes to ask for.
    struct RangeRequest: Sendable {
        var range: Range<Int64>
        /// The validator of the file as it must still be (`If-Range`): a strong entity tag or a date.
        var validator: String?
    }

    /// Gets `url`.
    ///
    /// - Parameters:
    ///   - head: sees the head of the final answer; false ends the exchange without its body.
    ///   - body: takes the body; false ends the exchange.
    func get(
        _ url: URL, range: RangeRequest? = nil,
        head: @escaping @Sendable (Answer) throws -> Bool = { _ in true },
        body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Bool = { _ in true }
    ) async throws -> Answer {
        var location = try Self.checked(url)
        var visited: Set<String> = []
        let linked = Locked<(sha256: String?, size: Int64?)>((nil, nil))
        for _ in 0...configuration.redirectLimit {
            guard visited.insert(location.absoluteString).inserted else {
                throw DownloadError(
                    .tooManyRedirects, "\(url.shown): the server redirects in a loop, through \(location.shown).",
                    url: url)
            }
            let here = location
            let receiver = HTTPReceiver(
                head: { response in
                    let announced = try OutsideNumber.size("x-linked-size", of: response, place: here.shown)
                    linked.withLock { known in
                        known.sha256 = known.sha256 ?? DigestFields.linkedSHA256(response["x-linked-etag"])
                        known.size = known.size ?? announced
                    }
                    if Self.isRedirect(response) { return false }
                    let (sha256, size) = linked.withLock { $0 }
                    return try head(Answer(head: response, location: here, linkedSHA256: sha256, linkedSize: size))
                }, body: body)
            let response = try await exchange(request(for: here, origin: url, range: range), receiver)
            guard Self.isRedirect(response) else {
                let (sha256, size) = linked.withLock { $0 }
                return Answer(head: response, location: location, linkedSHA256: sha256, linkedSize: size)
            }
            location = try Self.target(of: response, from: location)
        }
        throw DownloadError(
            .tooManyRedirects,
            "\(url.shown): more than \(configuration.redirectLimit) redirects, the last to \(location.shown).",
            url: url)
    }

    private func exchange(_ request: HTTPRequest, _ plain: HTTPReceiver) async throws -> HTTPHead {
        var receiver = plain
        receiver.waiting = onHold
        let watchdog = Watchdog(
            responseTimeout: configuration.responseTimeout, stallTimeout: configuration.stallTimeout,
            minimumBytes: configuration.minimumBytes, totalTimeout: configuration.totalTimeout)
        do {
            return try await watchdog.watch(request.url, receiver) { try await transport.send(request, to: $0) }
        } catch let failure as HTTPFailure {
            throw DownloadError(failure)
        }
    }

    /// The whole of a small file.
    ///
    /// - Throws: ``DownloadError`` if it is longer than `limit` bytes, or the status is not a success.
    func smallFile(_ url: URL, limit: Int, what: String) async throws -> (bytes: [UInt8], answer: Answer) {
        var failure = 0
        while true {
            let collected = CollectedBody(maxBytes: limit)
            do {
                let answer = try await get(
                    url, head: { _ in true },
                    body: { bytes in
                        guard collected.keep(bytes) else {
                            throw DownloadError(
                                .protocolViolation, "\(url.shown): \(what) is longer than \(limit) bytes.", url: url)
                        }
                        return true
                    })
                try StatusFailure.check(answer, asked: url, hasToken: configuration.token != nil)
                return (collected.bytes, answer)
            } catch {
                failure += 1
                try await pause(after: error, failure: failure, policy: configuration.retry.beginning)
            }
        }
    }

    /// Waits before a retry, if the failure allows one.
    ///
    /// - Throws: the error for the user if it does not, or if there were too many.
    func pause(after error: any Error, failure: Int, policy: RetryPolicy) async throws {
        try Task.checkCancellation()
        let delay = try StatusFailure.delay(after: error, failure: failure, policy: policy)
        let says = delay >= 1
        if says { onWait("\(Self.reason(error)); waiting \(WaitText.of(delay)) before the next attempt") }
        defer { if says { onWait(nil) } }
        try await Task.sleep(nanoseconds: UInt64(OutsideNumber.seconds(delay) * 1e9))
    }

    /// Returns the reason for a wait, in a few words.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let failure as StatusFailure: "the server answered with status \(failure.error.status ?? 0)"
        case let error as DownloadError where error.code == .stalled: "the server fell silent"
        default: "the connection failed"
        }
    }

    // MARK: Requests

    private func request(for url: URL, origin: URL, range: RangeRequest?) throws -> HTTPRequest {
        var request = HTTPRequest(url: url)
        request.addresses = configuration.addresses
        request.fields.append(("User-Agent", configuration.userAgent))
        request.fields.append(("Accept", "*/*"))
        // Ranges and lengths are those of the file only if nothing on the way compresses it.
        request.fields.append(("Accept-Encoding", "identity"))
        if let range {
            request.fields.append(("Range", "bytes=\(range.range.lowerBound)-\(range.range.upperBound - 1)"))
            if let validator = range.validator { request.fields.append(("If-Range", validator)) }
        }
        if let token = configuration.token, url.isSameOrigin(as: configuration.endpoint) {
            // A field with a line break would be dropped in silence, and the server would ask for the token that was
            // given.
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw DownloadError(
                    .invalidToken,
                    "the token in HF_TOKEN or the configuration holds a line break, a blank or another character that a token cannot have; copy the token again, without surrounding characters."
                )
            }
            request.fields.append(("Authorization", "Bearer \(token)"))
        }
        return request
    }

    private static func isRedirect(_ head: HTTPHead) -> Bool {
        [301, 302, 303, 307, 308].contains(head.status)
    }

    private static func target(of head: HTTPHead, from url: URL) throws -> URL {
        guard let text = head["location"], let target = URL(string: text, relativeTo: url)?.absoluteURL else {
            throw DownloadError(
                .protocolViolation,
                "\(url.shown): the server redirects (status \(head.status)) without an address.", url: url)
        }
        let checked = try checked(target)
        if url.scheme?.lowercased() == "https", checked.scheme?.lowercased() == "http" {
            throw DownloadError(
                .invalidAddress,
                "\(url.shown): the server redirects from https to \(checked.shown), which is not followed.", url: url)
        }
        return checked
    }

    /// The address, if it is one that can be fetched.
    static func checked(_ url: URL) throws -> URL {
        guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            let advice =
                switch url.scheme?.lowercased() {
                case "file": "it is on this machine already; load it by its path"
                case nil: "an address begins with https:// or http://; check HF_ENDPOINT and the configuration"
                case let other?: "only http and https addresses can be fetched, not \(other)"
                }
            throw DownloadError(.invalidAddress, "\(url.shown): \(advice).", url: url)
        }
        guard let host = url.host, !host.isEmpty else {
            throw DownloadError(.invalidAddress, "\(url.shown): the address names no host.", url: url)
        }
        return url
    }
}

extension URL {
    /// Returns whether scheme, host and port are the same.
    func isSameOrigin(as other: URL) -> Bool {
        func port(_ url: URL) -> Int { url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80) }
        return scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && port(self) == port(other)
    }
}
