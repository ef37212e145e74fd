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

        init(_ configuration: URLSessionConfiguration) {
            let copy = (configuration.copy() as? URLSessionConfiguration) ?? configuration
            copy.urlCache = nil
            copy.httpCookieStorage = nil
            copy.urlCredentialStorage = nil
            #if os(iOS)
                copy.sessionSendsLaunchEvents = true
            #endif
            session = URLSession(configuration: copy, delegate: delegate, delegateQueue: nil)
            session.getAllTasks { [delegate] tasks in
                for task in tasks where !delegate.knows(task) { task.cancel() }
            }
        }

        func handleEvents(_ completionHandler: @escaping @Sendable () -> Void) {
            delegate.whenIdle(completionHandler)
        }

        package func send(_ request: HTTPRequest, to receiver: HTTPReceiver) async throws -> HTTPHead {
            guard let range = request.fields.first(where: { $0.name == "Range" })?.value, range != "bytes=0-0" else {
                return try await foreground.send(request, to: receiver)
            }
            var message = URLRequest(url: request.url)
            for field in request.fields { message.setValue(field.value, forHTTPHeaderField: field.name) }
            let task = session.downloadTask(with: message)
            let file: URL
            let response: HTTPURLResponse
            (file, response) = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    delegate.add(task, continuation)
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
            var waiting: [Int: Continuation] = [:]
            var files: [Int: Result<URL, any Error>] = [:]
            var whenIdle: (@Sendable () -> Void)?
        }
        private let state = Locked(State())

        func add(_ task: URLSessionTask, _ continuation: Continuation) {
            state.withLock { $0.waiting[task.taskIdentifier] = continuation }
        }

        func knows(_ task: URLSessionTask) -> Bool {
            state.withLock { $0.waiting[task.taskIdentifier] != nil }
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
                    state.waiting.removeValue(forKey: task.taskIdentifier),
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
