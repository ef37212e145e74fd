// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
// What the sources call of background sessions, which FoundationNetworking does not have. Everything else is its own.
@_exported import FoundationNetworking

extension URLSessionConfiguration {
    // Without effect: what is launched is up to a test.
    public var sessionSendsLaunchEvents: Bool {
        get { true }
        set {}
    }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?)
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

extension URLSessionDelegate {
    public func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {}
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

extension URLSessionTaskDelegate {
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL)
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64)
}

extension URLSessionDownloadDelegate {
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {}
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    public enum State: Int, Sendable {
        case running, suspended, canceling, completed
    }

    // Sendable: every access goes through the transfer's lock.
    let transfer: StubTransfer
    private weak var session: URLSession?

    init(_ transfer: StubTransfer, _ session: URLSession) {
        self.transfer = transfer
        self.session = session
    }

    public var taskIdentifier: Int { transfer.identifier }
    public var originalRequest: URLRequest? { transfer.request }
    public var response: URLResponse? { transfer.state.withLock { $0.response } }
    public var state: State { transfer.state.withLock { $0.state } }
    public var taskDescription: String? {
        get { transfer.state.withLock { $0.description } }
        set { transfer.state.withLock { $0.description = newValue } }
    }

    open func resume() {
        transfer.state.withLock { $0.state = .running }
        if let session { StubTransfers.shared.resumed(transfer, session) }
    }

    open func cancel() {
        if let session { StubTransfers.shared.fail(transfer, session.stubIdentifier, URLError(.cancelled)) }
    }
}

open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

open class URLSession: NSObject, @unchecked Sendable {
    // Sendable: what it has is set once.
    let stubIdentifier: String
    let queue = DispatchQueue(label: "stub.session")
    private let delegate: (any URLSessionDelegate)?

    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
    ) {
        stubIdentifier = configuration.identifier ?? UUID().uuidString
        self.delegate = delegate
        super.init()
        StubTransfers.shared.attach(self)
    }

    open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask {
        URLSessionDownloadTask(StubTransfers.shared.make(request, stubIdentifier), self)
    }

    public var allTasks: [URLSessionTask] {
        get async {
            StubTransfers.shared.unfinished(of: self).map { URLSessionDownloadTask($0, self) }
        }
    }

    open func invalidateAndCancel() {
        queue.async { self.delegate?.urlSession(self, didBecomeInvalidWithError: nil) }
    }

    /// Tells the delegate, in turn.
    func deliver(_ event: StubEvent) {
        queue.async { [self] in
            let downloads = delegate as? any URLSessionDownloadDelegate
            switch event {
            case .wrote(let transfer, let bytes):
                downloads?.urlSession(
                    self, downloadTask: URLSessionDownloadTask(transfer, self), didWriteData: bytes,
                    totalBytesWritten: bytes, totalBytesExpectedToWrite: -1)
            case .finished(let transfer, let file):
                downloads?.urlSession(
                    self, downloadTask: URLSessionDownloadTask(transfer, self), didFinishDownloadingTo: file)
                // The system removes a file that the delegate did not move.
                try? FileManager.default.removeItem(at: file)
                downloads?.urlSession(self, task: URLSessionDownloadTask(transfer, self), didCompleteWithError: nil)
            case .failed(let transfer, let error):
                downloads?.urlSession(self, task: URLSessionDownloadTask(transfer, self), didCompleteWithError: error)
            case .allDelivered:
                delegate?.urlSessionDidFinishEvents(forBackgroundURLSession: self)
            }
        }
    }
}
