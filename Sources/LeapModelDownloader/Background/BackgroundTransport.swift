import Foundation
import LeapBase
import LeapTransfers

#if LEAP_APPLE_STUBS || canImport(Darwin)
    package import LeapHTTP
#else
    import LeapHTTP
#endif
#if LEAP_APPLE_STUBS
    import BackgroundURLSession
#elseif canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if LEAP_APPLE_STUBS || canImport(Darwin)
    /// Long ranges through a background session, which goes on while the app is suspended or gone; everything short in
    /// the foreground.
    ///
    /// A background session hands over files, not bytes. Each range is one download task; the receiver gets the file's
    /// bytes when it is there. Tasks that an earlier process left behind are waited for, and their files used; see
    /// ``PartLedger``.
    package final class BackgroundTransport: Transport {
        private let foreground: URLSessionTransport
        private let ledger: PartLedger
        private let events = BackgroundEvents()
        private let session: URLSession
        /// Learns of the tasks that an earlier process left behind, before the first new one.
        private let adoption: Task<Void, Never>

        /// Sessions by identifier: the system allows one of each in a process, and it stays until the process ends.
        private static let sessions = Locked<[String: BackgroundTransport]>([:])

        /// The transport of a background configuration; nil for a configuration that is none.
        ///
        /// The networks are those of the first call for an identifier, like everything of its configuration.
        static func of(
            _ configuration: URLSessionConfiguration, _ network: NetworkRule = .any
        ) -> BackgroundTransport? {
            guard let identifier = configuration.identifier else { return nil }
            return sessions.withLock { sessions in
                if let transport = sessions[identifier] { return transport }
                let transport = BackgroundTransport(configuration, identifier, network)
                sessions[identifier] = transport
                return transport
            }
        }

        /// Not for apps, which share one for each identifier: ``of(_:_:)``.
        init(_ configuration: URLSessionConfiguration, _ identifier: String, _ network: NetworkRule = .any) {
            foreground = URLSessionTransport(network: network)
            let copy = (configuration.copy() as? URLSessionConfiguration) ?? configuration
            copy.restrict(to: network)
            copy.urlCache = nil
            copy.httpCookieStorage = nil
            copy.urlCredentialStorage = nil
            copy.sessionSendsLaunchEvents = true
            let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            let folder = (caches ?? FileManager.default.temporaryDirectory)
                .appendingPathComponent("open-leap/background/" + SafeFileName.mapped(identifier))
            let ledger = PartLedger(folder: folder)
            let session = URLSession(
                configuration: copy, delegate: Delegate(ledger, events), delegateQueue: nil)
            self.ledger = ledger
            self.session = session
            adoption = Task {
                for task in await session.allTasks {
                    if let key = PartKey(task.taskDescription), task.state == .running || task.state == .suspended {
                        ledger.begin(task.taskIdentifier, key)
                        // The process ended before it could start what it had made.
                        if task.state == .suspended { task.resume() }
                    } else {
                        task.cancel()
                    }
                }
            }
        }

        /// Takes the handler that the system gave the app for the events of this session.
        func handleEvents(_ completionHandler: @escaping () -> Void) {
            events.handle(completionHandler)
        }

        package func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
            func field(_ name: String) -> String? { request.fields.first { $0.name == name }?.value }
            // A background session follows redirects by itself, so nothing that carries a token goes through it.
            guard let range = Self.range(field("Range")), range.upperBound > 1, field("Authorization") == nil else {
                return try await foreground.send(request, to: receiver)
            }
            await adoption.value
            receiver.handedOver()
            let key = PartKey(url: request.url, validator: field("If-Range"), range: range)
            let part = try await self.part(key, request, receiver)
            defer { if !part.isKept { part.remove() } }
            do {
                let (head, taken) = try part.deliver(range, to: receiver)
                ledger.consumed(taken, of: part)
                return head
            } catch {
                // Not offered again: a file that cannot be read, or whose bytes are refused, would be so every time.
                ledger.consumed(part.key.range, of: part)
                throw error
            }
        }

        /// The bytes of `bytes=0-99`.
        private static func range(_ text: String?) -> Range<Int64>? {
            let ends = text?.split(separator: "=").last?.split(separator: "-") ?? []
            guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), first <= last else {
                return nil
            }
            return first..<(last + 1)
        }

        /// Returns the part that is there already, the one that is on its way, or the one that a new task brings.
        private func part(_ key: PartKey, _ request: HTTPRequest, _ receiver: HTTPReceiver) async throws -> ArrivedPart
        {
            if let part = ledger.arrived(key) { return part }
            if let task = ledger.running(key), let part = try await wait(for: task, receiver) { return part }
            var message = URLRequest(url: request.url)
            for field in request.fields { message.setValue(field.value, forHTTPHeaderField: field.name) }
            let task = session.downloadTask(with: message)
            task.taskDescription = key.description
            ledger.begin(task.taskIdentifier, key)
            guard let part = try await wait(for: task.taskIdentifier, starting: task, receiver) else {
                throw CancellationError()
            }
            return part
        }

        /// Waits for a task; nil if it ended before.
        private func wait(
            for task: Int, starting new: URLSessionTask? = nil, _ receiver: HTTPReceiver
        ) async throws -> ArrivedPart? {
            let waiting = Locked<(number: Int?, isCancelled: Bool)>((nil, false))
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation {
                    (continuation: CheckedContinuation<ArrivedPart?, any Error>) in
                    let number = ledger.wait(for: task, arriving: receiver.arriving) { outcome in
                        continuation.resume(with: outcome.map { $0 })
                    }
                    guard let number else { return continuation.resume(returning: nil) }
                    let isCancelled = waiting.withLock { waiting in
                        waiting.number = number
                        return waiting.isCancelled
                    }
                    if isCancelled { return stop(number, task) }
                    new?.resume()
                }
            } onCancel: {
                let number = waiting.withLock { waiting in
                    waiting.isCancelled = true
                    return waiting.number
                }
                if let number { stop(number, task) }
            }
        }

        /// Stops waiting, and ends the task if no other caller waits for it.
        private func stop(_ number: Int, _ task: Int) {
            guard ledger.cancel(number, task: task) else { return }
            let session = session
            Task { for other in await session.allTasks where other.taskIdentifier == task { other.cancel() } }
        }
    }

    extension ModelDownloader {
        /// Handles the background transfers for which the system woke the app.
        ///
        /// ```
        /// func application(
        ///     _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        ///     completionHandler: @escaping () -> Void
        /// ) {
        ///     downloader.handleBackgroundEvents(completionHandler: completionHandler)
        /// }
        /// ```
        ///
        /// - Parameter completionHandler: the system's completion handler; called once, on the main queue, when all
        ///   events are handled.
        public func handleBackgroundEvents(completionHandler: @escaping () -> Void) {
            if let background = store.fetcher.transport as? BackgroundTransport {
                background.handleEvents(completionHandler)
            } else {
                // Nothing is under way in the background.
                let events = BackgroundEvents()
                events.end()
                events.handle(completionHandler)
            }
        }
    }

    /// Hands a session's events to the ledger.
    ///
    /// The Objective-C names are spelt out: a method of another name would never be called.
    private final class Delegate: NSObject, URLSessionDownloadDelegate, Sendable {
        private let ledger: PartLedger
        private let events: BackgroundEvents

        init(_ ledger: PartLedger, _ events: BackgroundEvents) {
            self.ledger = ledger
            self.events = events
        }

        #if canImport(ObjectiveC)
            @objc(URLSession:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)
        #endif
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            ledger.progress(downloadTask.taskIdentifier, bytes: bytesWritten)
        }

        #if canImport(ObjectiveC)
            @objc(URLSession:downloadTask:didFinishDownloadingToURL:)
        #endif
        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            guard let key = PartKey(downloadTask.taskDescription),
                let response = downloadTask.response as? HTTPURLResponse
            else { return }
            var fields: [String: String] = [:]
            for case (let name as String, let value) in response.allHeaderFields { fields[name] = "\(value)" }
            ledger.finish(
                downloadTask.taskIdentifier, key, status: response.statusCode, fields: fields, file: location)
        }

        #if canImport(ObjectiveC)
            @objc(URLSession:task:didCompleteWithError:)
        #endif
        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let described = error.map { error -> any Error in
                if (error as? URLError)?.code == .cancelled { return CancellationError() }
                let url = task.originalRequest?.url
                return DownloadError(
                    .network,
                    "\(url?.shown ?? "?"): the connection failed (\(error.localizedDescription)).", url: url,
                    cause: error)
            }
            ledger.end(task.taskIdentifier, error: described)
        }

        #if canImport(ObjectiveC)
            @objc(URLSession:didBecomeInvalidWithError:)
        #endif
        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            ledger.endAll(
                DownloadError(
                    .network, "the background session ended (\(error?.localizedDescription ?? "it was invalidated")).",
                    cause: error))
        }

        #if canImport(ObjectiveC)
            @objc(URLSessionDidFinishEventsForBackgroundURLSession:)
        #endif
        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            events.end()
        }
    }
#endif

/// The part of background transfers that the rest of the module sees, on every system.
enum BackgroundSession {
    /// The transport of a background configuration; nil for any other configuration, and where there are none.
    static func transport(_ configuration: URLSessionConfiguration, _ network: NetworkRule) -> (any Transport)? {
        #if LEAP_APPLE_STUBS || canImport(Darwin)
            BackgroundTransport.of(configuration, network)
        #else
            nil
        #endif
    }
}
