package import Foundation

/// One request, as a transport sends it: nothing is followed, nothing is added.
package struct HTTPRequest: Sendable {
    /// The address of the request.
    package var url: URL
    /// Header fields in order.
    package var fields: [(name: String, value: String)]
    /// The body that is sent with POST; nil for a GET.
    package var body: [UInt8]?
    /// A method other than GET and POST; nil for these.
    package var method: Method?
    /// The addresses that may be connected to.
    package var addresses = AddressRule.any

    /// The methods besides GET and POST.
    package enum Method: String, Sendable {
        case delete = "DELETE"
    }

    package init(
        url: URL, fields: [(name: String, value: String)] = [], body: [UInt8]? = nil, method: Method? = nil
    ) {
        self.url = url
        self.fields = fields
        self.body = body
        self.method = method
    }
}

/// Status and header fields of an answer.
package struct HTTPHead: Sendable {
    package var status: Int
    private var fields: [String: String] = [:]

    package init(status: Int, fields: [(String, String)]) {
        self.status = status
        for (name, value) in fields { self.fields[name.lowercased()] = value }
    }

    /// The value of a field, by its name in any case.
    package subscript(name: String) -> String? { fields[name.lowercased()] }
}

/// The closures that take an answer while it arrives.
///
/// Both closures are called in turn, never at once, on a thread of the transport, and the transport reads no further
/// while one of them runs: a slow disk slows the sender down instead of filling memory.
package struct HTTPReceiver: Sendable {
    /// Looks at the head; false ends the exchange without its body.
    package var head: @Sendable (HTTPHead) throws -> Bool
    /// Takes the next bytes of the body; false ends the exchange.
    package var body: @Sendable (UnsafeRawBufferPointer) throws -> Bool
    /// Told of bytes that arrived but are handed over later, by a transport that works so: the server is alive.
    package var arriving: @Sendable (Int64) -> Void = { _ in }
    /// Told of the reason for which nothing can arrive now, and nil once something can.
    package var waiting: @Sendable (TransferWait?) -> Void = { _ in }
    /// Told that the system carries the request from now on, and decides when bytes arrive.
    package var handedOver: @Sendable () -> Void = {}

    package init(
        head: @escaping @Sendable (HTTPHead) throws -> Bool,
        body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Bool
    ) {
        self.head = head
        self.body = body
    }
}

/// A transport that carries requests: `URLSession`, or a stand-in.
package protocol Transport: Sendable {
    /// Sends one request and hands its answer on as it arrives, redirects included: they are answers like any other.
    ///
    /// - Returns: the head, when the body ended or the receiver wanted no more.
    /// - Throws: what the receiver threw, `CancellationError` when the task was cancelled, else ``HTTPFailure``.
    func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead

    /// True if a receiver may keep the transport waiting until a task has done something.
    ///
    /// FoundationNetworking has one queue for all sessions, which tasks wait for when they begin or cancel requests:
    /// were that queue to wait for a task, both could wait for ever.
    var allowsWaiting: Bool { get }
}

extension Transport {
    /// Allowed, for transports with a thread for each exchange.
    package var allowsWaiting: Bool { true }
}
