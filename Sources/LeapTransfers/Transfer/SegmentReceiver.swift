import Foundation
import LeapGGUF
import LeapHTTP
import LeapHashing

/// Checks the answer to one range request and writes its body where it belongs.
final class SegmentReceiver: @unchecked Sendable {
    // Sendable although it has state: a transport calls in turn, and the transfer looks only once the exchange has
    // ended.
    private let file: RemoteFile
    private let description: RemoteDescription
    private let range: Range<Int64>
    private let partial: PartialState
    private var digest: (expected: String, hasher: SHA256)?
    private var filler: BlockFiller
    /// The offset of the next byte.
    var position: Int64 { filler.position }

    init(_ file: RemoteFile, _ description: RemoteDescription, _ range: Range<Int64>, _ partial: PartialState) {
        self.file = file
        self.description = description
        self.range = range
        self.partial = partial
        filler = BlockFiller(partial, at: range.lowerBound)
    }

    /// Returns whether the answer brings the bytes that were asked for; false for a status that is looked at later.
    func accept(_ answer: Fetcher.Answer) throws -> Bool {
        let head = answer.head
        guard head.status == 206 else {
            // A 200 to an If-Range is how a server says that the file is another one now; it may as well be one node of
            // many, or the login page of a network.
            if isWholeFile(head) {
                throw TransferInterruption.sendsAll
            }
            if head.status == 200 || head.status == 416 {
                throw TransferInterruption.doubtful(
                    odd("the server answered with status \(head.status) to a request for a part of the file"))
            }
            return false
        }
        guard let content = ContentRange(head["content-range"]), let sent = content.range,
            sent.lowerBound == range.lowerBound,
            sent.upperBound <= range.upperBound
        else {
            throw TransferInterruption.doubtful(
                odd(
                    "asked for bytes \(range.lowerBound)-\(range.upperBound - 1), the server answered with \(head["content-range"] ?? "no Content-Range")"
                ))
        }
        if let total = content.total, total != description.size {
            throw TransferInterruption.doubtful(odd("the server now says that the file has \(total) bytes"))
        }
        if let expected = description.condition, let found = Fetcher.validator(head), found != expected {
            throw TransferInterruption.doubtful(odd("the server now names another version of the file"))
        }
        if sent == range, let value = DigestFields.sha256(head["content-digest"]) { digest = (value, SHA256()) }
        return true
    }

    /// Returns whether the answer is all of the file as it was described, which is what servers send that give no
    /// parts.
    private func isWholeFile(_ head: HTTPHead) -> Bool {
        guard head.status == 200, ["", "identity"].contains(head["content-encoding"]?.lowercased() ?? ""),
            head["content-type"]?.lowercased().hasPrefix("text/html") != true
        else { return false }
        if let expected = description.condition, let found = Fetcher.validator(head), found != expected { return false }
        do {
            if let length = try OutsideNumber.size("content-length", of: head, place: file.origin.shown) {
                return length == description.size
            }
        } catch {
            return false
        }
        // Without a length the tag has to say that it is the same file.
        return description.validator != nil && Fetcher.validator(head) == description.validator
    }

    private func odd(_ what: String) -> DownloadError {
        DownloadError(.protocolViolation, "\(file.origin.shown): \(what); try again later.", url: file.origin)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let wanted = Int(clamping: min(Int64(clamping: bytes.count), range.upperBound - position))
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<wanted])
        try filler.append(part)
        digest?.hasher.update(part)
        // A server that sends more than it was asked for is not listened to any further.
        return wanted == bytes.count
    }

    /// Waits until everything that arrived is written; to be called when the exchange has ended, however it did.
    func finish() async throws {
        try filler.flush()
        try await partial.drain()
    }

    /// Checks the part against the hash that its answer came with, if it did and if the part is whole.
    func verify() throws {
        guard let digest, position == range.upperBound else { return }
        guard Hexadecimal.text(of: digest.hasher.finalize()) == digest.expected else {
            partial.discard(range)
            filler.retreat(to: range.lowerBound)
            throw TransferInterruption.damaged
        }
    }
}

/// The reason why a transfer cannot simply go on.
enum TransferInterruption: Error {
    /// The file on the server is another one than when the transfer began; seen more than once.
    case changed(RemoteDescription)
    /// The file is the same, but the server sends all of it where a part was asked for; seen more than once.
    case ignoresRanges
    /// An answer brings all of the file where a part was asked for: of one node of many, or of a server that gives the
    /// first part only.
    case sendsAll
    /// An answer does not fit what was known of the file: a stray one, or the first sign of a change.
    case doubtful(DownloadError)
    /// A part arrived damaged.
    case damaged
    /// The bytes that have arrived so far begin as no model does.
    case noModel(DownloadError)
}
