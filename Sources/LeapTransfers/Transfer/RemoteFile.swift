package import Foundation
import LeapHTTP

/// A file to fetch, as a manifest or a listing names it.
package struct RemoteFile: Sendable, Hashable {
    /// The address that a fetch begins with: the one that stays valid, not the one it redirects to.
    package var origin: URL
    /// The file's name in the model's folder.
    package var name: String
    /// Bytes, if the source says.
    package var size: Int64?
    /// The SHA-256 in lower-case hexadecimal, if the source says.
    package var sha256: String?

    package init(origin: URL, name: String, size: Int64? = nil, sha256: String? = nil) {
        self.origin = origin
        self.name = name
        self.size = size
        self.sha256 = sha256
    }
}

/// The description of a file by its server.
struct RemoteDescription: Sendable {
    /// The address of the bytes for now; it may be signed and expire.
    var location: URL
    /// Bytes; nil if the server does not know.
    var size: Int64?
    /// True if parts of the file can be asked for.
    var acceptsRanges: Bool
    /// A strong entity tag or a date, for `If-Range`.
    var validator: String?
    /// The SHA-256 in lower-case hexadecimal, if any source gives it.
    var sha256: String?

    /// Returns whether a part fetched under `other` belongs to the same file.
    func isSameFile(as other: RemoteDescription) -> Bool {
        guard let expected = other.sha256 else { return size == other.size && validator == other.validator }
        // What is there is kept until the hash itself says otherwise; an answer without one does not.
        return sha256.map { $0 == expected } ?? (size == other.size)
    }

    /// The condition of a range request: the file's validator.
    ///
    /// Nothing if the hash is known: it decides at the end, and the nodes of one server need not agree on tags.
    var condition: String? { sha256 == nil ? validator : nil }

    /// True if parts of the file can be put together: something must say that they are of one file.
    var isResumable: Bool { acceptsRanges && size != nil && (validator != nil || sha256 != nil) }
}

extension Fetcher {
    /// Asks for one byte of the file, to learn where it is, how long it is and what identifies it.
    func describe(_ file: RemoteFile) async throws -> RemoteDescription {
        var failure = 0
        var oddities = 0
        while true {
            do {
                return try await describeOnce(file)
            } catch {
                failure += 1
                // One answer that makes no sense may be of one node, or of a gateway on the way; two are believed.
                if Self.isOdd(error), oddities == 0 {
                    oddities += 1
                    try await Task.sleep(nanoseconds: UInt64(configuration.retry.delay(failure: 1) * 1e9))
                    continue
                }
                try await pause(after: error, failure: failure, policy: configuration.retry.beginning)
            }
        }
    }

    /// Returns whether an answer contradicts the request rather than refusing it.
    private static func isOdd(_ error: any Error) -> Bool {
        switch error {
        case let status as StatusFailure: status.error.status == 416 || status.error.status == 204
        case let error as DownloadError: error.code == .protocolViolation || error.code == .sizeMismatch
        default: false
        }
    }

    private func describeOnce(_ file: RemoteFile) async throws -> RemoteDescription {
        let answer = try await get(
            file.origin, range: RangeRequest(range: 0..<1),
            head: { $0.head.status == 206 },
            body: { bytes in bytes.count <= 1 })
        let head = answer.head
        var description = RemoteDescription(
            location: answer.location, acceptsRanges: false, validator: Self.validator(head))
        switch head.status {
        case 206:
            guard let range = ContentRange(head["content-range"]), range.range == 0..<1 else {
                throw DownloadError(
                    .protocolViolation,
                    "\(file.origin.shown): asked for the first byte, the server answered with \(head["content-range"] ?? "no Content-Range").",
                    url: file.origin)
            }
            description.size = range.total
            description.acceptsRanges = range.total != nil
        case 416 where ContentRange(head["content-range"])?.total == 0:
            description.size = 0
        default:
            try StatusFailure.check(answer, asked: file.origin, hasToken: configuration.token != nil)
            description.size = try OutsideNumber.size("content-length", of: head, place: file.origin.shown)
        }
        if head["content-type"]?.lowercased().hasPrefix("text/html") == true {
            throw DownloadError(
                .protocolViolation,
                "\(file.origin.shown): the server sends a web page where a model should be: a page about the file (on Hugging Face use /resolve/, not /blob/), or one that wants you to log in to the network.",
                url: file.origin)
        }
        if let coding = head["content-encoding"]?.lowercased(), coding != "identity", !coding.isEmpty {
            // The bytes that arrive are then not the ranges that were asked for.
            description.acceptsRanges = false
            description.size = nil
        }
        try Self.agree(file.size, "its listing or manifest", description.size, "the server", file)
        try Self.agree(answer.linkedSize, "the repository", description.size, "the server that holds it", file)
        description.size = description.size ?? file.size ?? answer.linkedSize
        if configuration.validatesSHA256 {
            description.sha256 = file.sha256 ?? answer.linkedSHA256 ?? DigestFields.sha256(head["repr-digest"])
            if description.sha256 == nil { description.sha256 = await checksumBeside(file) }
        }
        return description
    }

    private static func agree(
        _ first: Int64?, _ firstSource: String, _ second: Int64?, _ secondSource: String, _ file: RemoteFile
    ) throws {
        guard let first, let second, first != second else { return }
        throw DownloadError(
            .sizeMismatch,
            "\(file.origin.shown): \(first) bytes according to \(firstSource), \(second) according to \(secondSource): the two are of different versions, try again later.",
            url: file.origin)
    }

    /// A strong entity tag, else a date; weak tags promise no equal bytes (RFC 9110, section 13.1.5).
    static func validator(_ head: HTTPHead) -> String? {
        if let tag = head["etag"], tag.hasPrefix("\""), tag.utf8.count < 512 { return tag }
        if head["etag"] == nil, let date = head["last-modified"], date.utf8.count < 64 { return date }
        return nil
    }

    /// The checksum in a file of the same name with `.sha256` after it, as mirrors keep it; nil if there is none.
    private func checksumBeside(_ file: RemoteFile) async -> String? {
        // Hugging Face gives checksums itself; there a further file would only be a request for nothing.
        guard !file.origin.isSameOrigin(as: configuration.endpoint),
            var parts = URLComponents(url: file.origin, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.percentEncodedPath += ".sha256"
        guard let url = parts.url, let (bytes, _) = try? await once.smallFile(url, limit: 4096, what: "the checksum")
        else { return nil }
        let word =
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        return Hexadecimal.isSHA256(word) ? word.lowercased() : nil
    }

    /// The same, without retries.
    private var once: Fetcher {
        var configuration = configuration
        configuration.retry.attempts = 1
        return Fetcher(transport: transport, configuration: configuration)
    }
}
