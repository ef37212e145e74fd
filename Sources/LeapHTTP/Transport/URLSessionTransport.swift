import Foundation
import LeapBase

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// `URLSession` as a transport: one session per exchange under way, kept for the next ones so that connections are used
/// again.
///
/// A session of its own gives each of several parallel ranges its own thread. See ``DeliveryQueue`` for how memory
/// stays bounded.
package final class URLSessionTransport: Transport {
    private let template: @Sendable () -> URLSessionConfiguration
    private let network: NetworkRule
    private let idle = Locked<[Lane]>([])
    /// Sessions kept for later; more are closed when their exchange ends.
    private let keeps = 8

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - network: the networks that it may use.
    ///   - template: makes the configuration of each session; it is then changed to keep and follow nothing.
    package init(
        network: NetworkRule = .any, template: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }
    ) {
        self.network = network
        self.template = template
    }

    #if !canImport(Darwin)
        package var allowsWaiting: Bool { false }
    #endif

    deinit {
        let lanes = idle.withLock { $0 }
        if !lanes.isEmpty { SystemThread.run { for lane in lanes { lane.session.invalidateAndCancel() } } }
    }

    package func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
        #if canImport(ObjectiveC)
            // Followed by the system, a redirect would take the token along to another host.
            guard ExchangeDelegate.seesRedirects else {
                throw HTTPFailure(
                    .protocolViolation, "\(request.url.shown): not fetched, because this build cannot check redirects.",
                    url: request.url)
            }
        #endif
        let isFree = request.addresses == .any
        if !isFree { try await HostLookup.check(request.url, request.addresses) }
        // A connection of another request has an address that the rule was not asked about, and a proxy would choose
        // one.
        let lane = isFree ? idle.withLock { $0.popLast() } ?? makeLane() : makeLane(usesProxies: false)
        defer {
            let surplus = idle.withLock { lanes in
                guard isFree, lanes.count < keeps else { return true }
                lanes.append(lane)
                return false
            }
            if surplus { SystemThread.run { lane.session.finishTasksAndInvalidate() } }
        }
        var message = URLRequest(url: request.url)
        message.httpShouldHandleCookies = false
        // The watchdog above this layer is stricter; this one only keeps the system's own from firing first.
        message.timeoutInterval = 3600
        if let body = request.body {
            message.httpMethod = "POST"
            message.httpBody = Data(body)
        }
        if let method = request.method { message.httpMethod = method.rawValue }
        for field in request.fields { message.setValue(field.value, forHTTPHeaderField: field.name) }
        return try await lane.run(message, receiver, request.addresses)
    }

    private func makeLane(usesProxies: Bool = true) -> Lane {
        let configuration = template()
        configuration.restrict(to: network)
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.timeoutIntervalForRequest = 3600
        configuration.timeoutIntervalForResource = 7 * 24 * 3600
        if usesProxies { ProxySettings.apply(to: configuration) } else { configuration.connectionProxyDictionary = [:] }
        return Lane(configuration, network)
    }
}

/// A session that carries one exchange at a time.
private final class Lane: Sendable {
    let session: URLSession
    private let delegate: ExchangeDelegate

    init(_ configuration: URLSessionConfiguration, _ network: NetworkRule) {
        delegate = ExchangeDelegate(network)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: DeliveryQueue.make())
    }

    func run(
        _ request: URLRequest, _ receiver: HTTPReceiver, _ addresses: AddressRule
    ) async throws -> HTTPHead {
        let task = session.dataTask(with: request)
        let exchange = Exchange(task, receiver, addresses)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // Known to the delegate before it can be cancelled by its owner: an end that is not delivered would be
                // waited for for ever.
                delegate.add(exchange)
                if exchange.begin(continuation) {
                    task.resume()
                } else {
                    delegate.remove(exchange)
                }
            }
        } onCancel: {
            exchange.cancel()
        }
    }
}

/// Hands a session's events to the exchange they belong to.
///
/// The protocol's methods are optional, and one whose signature is a little different is never called. With the
/// Objective-C names spelt out this cannot happen on Apple's systems, and ``seesRedirects`` looks again at run time; on
/// Linux a test sees each of them called.
private final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[Int: Exchange]>([:])
    private let network: NetworkRule

    init(_ network: NetworkRule) { self.network = network }

    #if canImport(ObjectiveC)
        /// True if the system will ask this delegate about redirects.
        static let seesRedirects = ExchangeDelegate(.any).responds(
            to: NSSelectorFromString("URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:"))
    #endif

    func add(_ exchange: Exchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
    }

    func remove(_ exchange: Exchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = nil }
    }

    private func exchange(_ task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    #if canImport(ObjectiveC)
        @objc(URLSession:dataTask:didReceiveResponse:completionHandler:)
    #endif
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(dataTask)?.receive(response)
        completionHandler(.allow)
    }

    #if canImport(ObjectiveC)
        @objc(URLSession:dataTask:didReceiveData:)
    #endif
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data)
    }

    #if canImport(ObjectiveC)
        @objc(URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler:)
    #endif
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Redirects are followed one layer up, where credentials are looked after.
        exchange(task)?.receive(response)
        completionHandler(nil)
    }

    #if !canImport(Darwin)
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            // Without credentials of that kind FoundationNetworking would cancel the task from the thread that waits
            // for it, and the 401 would reach no caller. Apple's delivers it by itself.
            if let response = challenge.failureResponse {
                exchange(task)?.receive(response)
                exchange(task)?.end()
            } else {
                DispatchQueue.global().async { completionHandler(.performDefaultHandling, nil) }
            }
        }
    #endif

    #if canImport(Darwin)
        #if canImport(ObjectiveC)
            @objc(URLSession:taskIsWaitingForConnectivity:)
        #endif
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            exchange(task)?.wait(for: network.wait)
        }

        #if canImport(ObjectiveC)
            @objc(URLSession:task:didFinishCollectingMetrics:)
        #endif
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            // A name may have led elsewhere than when it was looked up; told before the end.
            let addresses = metrics.transactionMetrics.compactMap(\.remoteAddress)
            exchange(task)?.check(addresses)
        }
    #endif

    #if canImport(ObjectiveC)
        @objc(URLSession:task:didCompleteWithError:)
    #endif
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.finish(error)
    }
}
