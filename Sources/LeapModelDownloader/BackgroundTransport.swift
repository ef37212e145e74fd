#if canImport(Darwin)
    import Foundation
    import LeapGGUF
    import LeapTransfers

    /// Long ranges through a background session, which goes on while the app is suspended; everything short in the foreground.
    ///
    /// A background session hands over files, not bytes. Each range is one download task; the receiver gets the file's bytes when it is
    /// there. After a relaunch the tasks of the old process are dropped, and the transfer goes on from its journal.
    package final class BackgroundTransport: Transport {
        private let foreground = URLSessionTransport()
        private let delegate = Delegate()
        private let session: URLSession
        /// Drops the tasks that an earlier process left behind, before the first new one.
        private let sweep: Task<Void, Never>

        init(_ configuration: URLSessionConfiguration) {
            let copy = (configuration.copy() as? URLSessionConfiguration) ?? configuration
            copy.urlCache = nil
            copy.httpCookieStorage = nil
            copy.urlCredentialStorage = nil
            #if os(iOS)
                copy.sessionSendsLaunchEvents = true
            #endif
            let session = URLSession(configuration: copy, delegate: delegate, delegateQueue: nil)
            self.session = session
            sweep = Task { for task in await session.allTasks { task.cancel() } }
        }

        deinit {
            session.finishTasksAndInvalidate()
        }

        func handleEvents(_ completionHandler: @escaping @Sendable () -> Void) {
            delegate.whenIdle(completionHandler)
        }

        package func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
            guard let range = request.fields.first(where: { $0.name == "Range" })?.value, range != "bytes=0-0" else {
                return try await foreground.send(request, to: receiver)
            }
            await sweep.value
            var message = URLRequest(url: request.url)
            for field in request.fields { message.setValue(field.value, forHTTPHeaderField: field.name) }
            let task = session.downloadTask(with: message)
            let file: URL
            let response: HTTPURLResponse
            (file, response) = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    delegate.add(task, continuation, receiver.arriving)
                    task.resume()
                }
            } onCancel: {
                task.cancel()
            }
            defer { try? FileManager.default.removeItem(at: file) }
            let head = HTTPHead(
                status: response.statusCode,
                fields: response.allHeaderFields.compactMap { pair in
                    (pair.key as? String).map { ($0, "\(pair.value)") }
                })
            guard try receiver.head(head) else { return head }
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            while let block = try handle.read(upToCount: 1 << 20), !block.isEmpty {
                guard try block.withUnsafeBytes({ try receiver.body($0) }) else { break }
            }
            return head
        }
    }

    private final class Delegate: NSObject, URLSessionDownloadDelegate, Sendable {
        typealias Continuation = CheckedContinuation<(URL, HTTPURLResponse), any Error>
        private struct State {
            var waiting: [Int: (continuation: Continuation, arriving: @Sendable (Int64) -> Void)] = [:]
            var files: [Int: Result<URL, any Error>] = [:]
            var whenIdle: (@Sendable () -> Void)?
        }
        private let state = Locked(State())

        func add(
            _ task: URLSessionTask, _ continuation: Continuation, _ arriving: @escaping @Sendable (Int64) -> Void
        ) {
            state.withLock { $0.waiting[task.taskIdentifier] = (continuation, arriving) }
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            // The file is handed over when it is whole; until then this tells that the server is alive.
            state.withLock { $0.waiting[downloadTask.taskIdentifier]?.arriving }?(bytesWritten)
        }

        func whenIdle(_ handler: @escaping @Sendable () -> Void) {
            state.withLock { $0.whenIdle = handler }
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            // The system removes its file when this returns.
            let kept = FileManager.default.temporaryDirectory.appendingPathComponent("leap-\(UUID().uuidString)")
            let result = Result { () throws -> URL in
                try FileManager.default.moveItem(at: location, to: kept)
                return kept
            }
            state.withLock { $0.files[downloadTask.taskIdentifier] = result }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let (continuation, file) = state.withLock { state in
                (
                    state.waiting.removeValue(forKey: task.taskIdentifier)?.continuation,
                    state.files.removeValue(forKey: task.taskIdentifier)
                )
            }
            let result = Result { () throws -> (URL, HTTPURLResponse) in
                if (error as? URLError)?.code == .cancelled { throw CancellationError() }
                guard let file, let response = task.response as? HTTPURLResponse, error == nil else {
                    let url = task.originalRequest?.url
                    throw DownloadError(
                        .network,
                        "\(url?.shown ?? "?"): the connection failed (\(error?.localizedDescription ?? "no answer")).",
                        url: url, cause: error)
                }
                return (try file.get(), response)
            }
            if let continuation {
                continuation.resume(with: result)
            } else if let file {
                try? FileManager.default.removeItem(at: file.get())
            }
        }

        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            let handler = state.withLock { state in
                defer { state.whenIdle = nil }
                return state.whenIdle
            }
            if let handler { DispatchQueue.main.async(execute: handler) }
        }
    }
#endif
