public import Foundation
import LeapBase
import LeapHTTP

/// An error in fetching a model, finding it on disk or removing it.
///
/// ``message`` is one line that names the address or file, what was found and what to do about it. Addresses in it
/// never carry a query string, because signed addresses keep their credentials there.
public struct DownloadError: Error, LocalizedError, CustomStringConvertible, Sendable {
    /// The kind of a failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's text.
        public let rawValue: String

        /// Makes a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The address cannot be used: no host, a scheme that is not http, https or file, or a downgrade to http.
        public static let invalidAddress = Code(rawValue: "invalidAddress")
        /// The server knows no such file (404, 410).
        public static let notFound = Code(rawValue: "notFound")
        /// The server wants credentials, or others (401, 403).
        public static let accessDenied = Code(rawValue: "accessDenied")
        /// The server answered with another status that is not a success.
        public static let unexpectedStatus = Code(rawValue: "unexpectedStatus")
        /// The connection failed and went on failing.
        public static let network = Code(rawValue: "network")
        /// The server sent too little for too long.
        public static let stalled = Code(rawValue: "stalled")
        /// Redirects went in a loop or on for too long.
        public static let tooManyRedirects = Code(rawValue: "tooManyRedirects")
        /// The server's answer contradicts itself or the request.
        public static let protocolViolation = Code(rawValue: "protocolViolation")
        /// The file is not as long as its source says.
        public static let sizeMismatch = Code(rawValue: "sizeMismatch")
        /// The file's SHA-256 is not what its source says.
        public static let checksumMismatch = Code(rawValue: "checksumMismatch")
        /// The file changed on the server while it was being fetched, again and again.
        public static let changedOnServer = Code(rawValue: "changedOnServer")
        /// The disk has too little room; see ``DownloadError/needed`` and ``DownloadError/available``.
        public static let insufficientSpace = Code(rawValue: "insufficientSpace")
        /// A file is not a manifest, or not one of a version that this package reads.
        public static let invalidManifest = Code(rawValue: "invalidManifest")
        /// A file name in a manifest or address would lead out of the model's folder.
        public static let unsafeFileName = Code(rawValue: "unsafeFileName")
        /// The file system refused.
        public static let fileSystem = Code(rawValue: "fileSystem")
        /// The text names no model.
        public static let invalidName = Code(rawValue: "invalidName")
        /// The repository has no file of that quantization.
        public static let noSuchQuantization = Code(rawValue: "noSuchQuantization")
        /// The fetched file is not a model: a web page, a Git LFS pointer, an empty or cut file.
        public static let notAModel = Code(rawValue: "notAModel")
        /// The token holds characters that cannot be sent.
        public static let invalidToken = Code(rawValue: "invalidToken")
        /// Another process fetches the model now.
        public static let inUse = Code(rawValue: "inUse")
        /// The model is not on this machine and nothing may be fetched.
        public static let notInstalled = Code(rawValue: "notInstalled")
    }

    /// The kind of failure.
    public let code: Code
    /// A description, in one line, of the problem and of what to do about it.
    public let message: String
    /// The address at fault, without its query.
    public let url: String?
    /// The file or folder at fault.
    public let path: String?
    /// The HTTP status, if an answer led to this.
    public let status: Int?
    /// Bytes needed, for ``Code/insufficientSpace``.
    public let needed: Int64?
    /// Bytes available, for ``Code/insufficientSpace``.
    public let available: Int64?
    /// The error underneath.
    public let cause: (any Error)?

    package init(
        _ code: Code, _ message: String, url: URL? = nil, path: String? = nil, status: Int? = nil,
        needed: Int64? = nil, available: Int64? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        // Names, header fields and paths in it come from outside: none of them may move a terminal's cursor.
        self.message = ShownText.of(message, limit: 2000)
        self.url = url?.shown
        self.path = path
        self.status = status
        self.needed = needed
        self.available = available
        self.cause = cause
    }

    /// The message.
    public var description: String { message }
    /// The message, for `localizedDescription`.
    public var errorDescription: String? { message }
}

extension DownloadError: CodedError {
    package var field: String? { path ?? url }
}

extension DownloadError {
    /// Makes the error of a failed call of the file system.
    init(_ error: FileSystemError) {
        let path = error.path
        if error.code == .noSpace {
            self.init(
                .insufficientSpace,
                "\(path): the disk is full (\(error.operation)); free some space and start again; the download continues where it stopped.",
                path: path)
        } else {
            self.init(.fileSystem, "\(path): \(error.operation) failed: \(error.reason).", path: path)
        }
    }

    /// Makes the error of an exchange that failed.
    init(_ failure: HTTPFailure) {
        let code: Code =
            switch failure.code {
            case .network: .network
            case .stalled: .stalled
            case .protocolViolation: .protocolViolation
            case .addressRefused: .invalidAddress
            }
        self.init(code, failure.message, url: failure.url, cause: failure.cause)
    }
}
