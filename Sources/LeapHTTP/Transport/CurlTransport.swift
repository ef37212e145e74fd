#if os(Linux)
    import CLeapHTTP
    import Foundation
    import LeapBase

    /// libcurl as a transport, one handle and one thread for each exchange under way.
    ///
    /// FoundationNetworking drives the same library, but listens for a socket to become writable as long as an exchange
    /// lasts: while a server is silent it turns in a loop and takes most of a processor. It also keeps libcurl's other
    /// settings to itself. Here the thread sleeps until bytes arrive, and reads nothing further while the receiver is
    /// busy.
    package final class CurlTransport: Transport {
        private let idle = Locked<[Handle]>([])
        /// Handles kept for later with their connections; more are closed when their exchange ends.
        private let keeps = 8
        private let authorities: (file: String?, folder: String?)

        /// - Returns: nil where the process has no libcurl.
        package init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
            guard leap_curl_is_available() else { return nil }
            func path(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
            authorities = (path("SSL_CERT_FILE"), path("SSL_CERT_DIR"))
        }

        package func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
            guard let handle = idle.withLock({ $0.popLast() }) ?? Handle() else {
                throw HTTPFailure(
                    .network, "\(request.url.shown): out of memory for a connection.", url: request.url)
            }
            defer {
                idle.withLock { handles in
                    if handles.count < keeps { handles.append(handle) }
                }
            }
            let exchange = CurlExchange(request, receiver)
            handle.prepare()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let thread = Thread { [authorities] in
                        continuation.resume(with: Result { try exchange.run(handle, authorities) })
                    }
                    thread.name = "open-leap.http"
                    thread.stackSize = 512 << 10
                    thread.start()
                }
            } onCancel: {
                handle.cancel()
            }
        }
    }

    /// A handle of libcurl's, with the connections that it keeps.
    private final class Handle: @unchecked Sendable {
        // Sendable although it is a pointer: one exchange at a time uses it, and `cancel` may be called by anybody.
        fileprivate let pointer: OpaquePointer

        init?() {
            guard let pointer = leap_curl_create() else { return nil }
            self.pointer = pointer
        }

        deinit { leap_curl_destroy(pointer) }

        func prepare() { leap_curl_reset(pointer) }
        func cancel() { leap_curl_cancel(pointer) }
    }

    /// One exchange, on its thread.
    private final class CurlExchange: @unchecked Sendable {
        // Sendable although it has state: it is made by one thread and then used by another.
        private let request: HTTPRequest
        private let receiver: HTTPReceiver
        private var status = 0
        private var fields: [(String, String)] = []
        private var head: HTTPHead?
        private var failure: (any Error)?
        /// The last address that the request may not go to.
        private var refused: NetworkAddress?

        init(_ request: HTTPRequest, _ receiver: HTTPReceiver) {
            self.request = request
            self.receiver = receiver
        }

        func run(_ handle: Handle, _ authorities: (file: String?, folder: String?)) throws -> HTTPHead {
            // libcurl would wait for the server's consent before it sends a body.
            let extra = request.body == nil ? [] : ["Expect:"]
            var lines = (request.fields.map { "\($0.name): \($0.value)" } + extra).map { strdup($0) }
            defer { for line in lines { free(line) } }
            var message = [CChar](repeating: 0, count: 256)
            let outcome = lines.withUnsafeMutableBufferPointer { lines in
                let fields = UnsafeRawBufferPointer(lines).bindMemory(to: UnsafePointer<CChar>?.self)
                // Of an empty body only the address counts: that there is one.
                return (request.body ?? []).withUnsafeBytes { content in
                    leap_curl_send(
                        handle.pointer, request.url.absoluteString, request.method?.rawValue, fields.baseAddress,
                        fields.count,
                        request.body == nil ? nil : content.baseAddress ?? UnsafeRawPointer(handle.pointer),
                        content.count, authorities.file, authorities.folder,
                        { CurlExchange.from($0).takeHeader($1, $2) },
                        { CurlExchange.from($0).takeBody($1, $2) },
                        request.addresses == .any ? nil : { CurlExchange.from($0).allowsAddress($1, $2) },
                        Unmanaged.passUnretained(self).toOpaque(), &message)
                }
            }
            if let failure { throw failure }
            switch outcome {
            case LEAP_CURL_CANCELLED: throw CancellationError()
            case LEAP_CURL_FAILED where refused != nil: throw request.addresses.refusal(of: refused, for: request.url)
            case LEAP_CURL_FAILED:
                let reason = String(
                    decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                throw HTTPFailure(
                    .network, "\(request.url.shown): the connection failed (\(reason)).", url: request.url)
            default:
                if let head { return head }
                throw HTTPFailure(.network, "\(request.url.shown): the server sent no answer.", url: request.url)
            }
        }

        private static func from(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
            // The pointer is that of `run`, which outlives the call.
            Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
        }

        private func takeHeader(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
            // What follows the body are trailers.
            guard head == nil else { return true }
            var line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)[...]
            while line.last?.isNewline == true { line.removeLast() }
            if line.lowercased().hasPrefix("http/") {
                // A new answer: the one before it was a 100.
                status =
                    line.split(separator: " ", maxSplits: 2).dropFirst().first
                    .flatMap { OutsideNumber.count($0, in: 0...999) } ?? 0
                fields = []
                return true
            }
            guard line.isEmpty else {
                guard let colon = line.firstIndex(of: ":") else { return true }
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                fields.append((String(line[..<colon]), value))
                return true
            }
            guard status >= 200 else { return true }
            let head = HTTPHead(status: status, fields: fields)
            self.head = head
            return attempt { try receiver.head(head) }
        }

        private func takeBody(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
            attempt { try receiver.body(UnsafeRawBufferPointer(start: bytes, count: count)) }
        }

        /// A name may lead to several addresses; libcurl goes on with the next one where one is refused.
        private func allowsAddress(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
            let address = NetworkAddress(UnsafeRawBufferPointer(start: bytes, count: count))
            guard let address, request.addresses.allows(address) else {
                refused = address ?? refused
                return false
            }
            return true
        }

        private func attempt(_ body: () throws -> Bool) -> Bool {
            do {
                return try body()
            } catch {
                failure = error
                return false
            }
        }
    }
#endif
