import Foundation
import LeapBase
import LeapChat
import LeapEngine
import LeapJSON
import LeapTokenizer

/// A conversation in a file: a header, the history as JSON, tokens, and the state of the tokens that were computed.
///
/// Every section has its length and checksum in the header, and the header has one of its own, so nothing is read that
/// is not there, and no more memory is taken than the file has bytes. The state is in the form of the cache on disk.
package struct ConversationFile: Sendable {
    /// Counts changes of the format.
    static let version: UInt64 = 1
    /// `OLCV` in the lower half.
    private static let magic: UInt64 = 0x5643_4C4F
    private static let headerWords = 20
    static let headerByteCount = headerWords * MemoryLayout<UInt64>.stride
    /// Stands for a state without adapters.
    private static let noAdapters = StableHash(low: 0, high: 0)
    /// The maximum number of bytes of a history, pictures and sound included.
    static let maxHistoryBytes = 256 << 20
    /// The maximum number of tokens, of prompt or state.
    static let maxTokens = 1 << 24

    /// The tokens that a file holds besides the history.
    struct Tokens: Sendable {
        /// The tokens of the last prompt and its reply.
        var kept: [TokenID] = []
        /// The tokens whose state there is.
        var state: [TokenID] = []

        var byteCount: Int { (kept.count + state.count) * MemoryLayout<TokenID>.stride }
    }

    /// The hashes of everything that the state was computed with.
    struct Origin: Sendable {
        var model = StableHash()
        var state = StableHash()
        /// The key of its adapters; nil without adapters.
        var adapters: StableHash?
    }

    // MARK: Writing

    /// Writes a file as a whole: whoever opens the path sees the old file or the new one.
    ///
    /// - Parameter isDurable: whether the file outlives a power failure.
    /// - Throws: ``LeapSerializationException``
    static func write(
        _ history: [UInt8], kept: [TokenID], _ snapshot: SequenceSnapshot?, _ format: SequenceFormat?, to path: String,
        isDurable: Bool = true
    ) throws {
        guard history.count <= maxHistoryBytes else {
            throw LeapSerializationException(
                "the history has \(history.count) bytes and cannot be saved: the limit is \(maxHistoryBytes); remove images and audio"
            )
        }
        let tokens = Tokens(kept: format == nil ? [] : kept, state: format == nil ? [] : snapshot?.tokens ?? [])
        let tokenBytes = (tokens.kept + tokens.state).withUnsafeBytes { Array($0) }
        var words: [UInt64] = [magic | version << 32, UInt64(history.count), UInt64(tokens.kept.count)]
        words += [UInt64(tokens.state.count), UInt64(format?.byteCount(tokenCount: tokens.state.count) ?? 0)]
        for hash in [
            hash(of: history), hash(of: tokenBytes), format?.model ?? StableHash(), format?.identity ?? StableHash(),
            snapshot?.adapters ?? Self.noAdapters,
        ] {
            words += [hash.low, hash.high]
        }
        words += Array(repeating: 0, count: headerWords - 2 - words.count)
        let hash = Self.hash(of: words.withUnsafeBytes { Array($0) })
        words += [hash.low, hash.high]
        do {
            let file = try FilePublication(path: path, permissions: 0o600)
            for bytes in [words.withUnsafeBytes { Array($0) }, history, tokenBytes] {
                try bytes.withUnsafeBytes { try file.append($0) }
            }
            if let format, let snapshot { try format.write(snapshot, to: file) }
            try file.publish(durable: isDurable)
        } catch let error as FileSystemError {
            throw LeapSerializationException("the conversation cannot be saved to \(error)", cause: error)
        }
    }

    static func hash(of bytes: [UInt8]) -> StableHash {
        var hash = StableHash(seed: version)
        bytes.withUnsafeBytes { hash.combine($0) }
        return hash
    }

    // MARK: Reading

    private let file: OpenFile
    /// The history as JSON.
    let history: JSONValue
    let origin: Origin
    private let keptCount: Int
    private let stateCount: Int
    private let stateByteCount: Int
    private let tokenHash: StableHash
    private let tokenOffset: Int

    /// Returns whether a file begins as a saved conversation does.
    package static func isOne(_ path: String) -> Bool {
        guard let file = try? OpenFile(path, .readingWithoutWaiting) else { return false }
        return (try? read(8, from: file, at: 0))?.starts(with: [0x4F, 0x4C, 0x43, 0x56]) == true
    }

    /// Opens a file and reads its history.
    ///
    /// - Throws: ``LeapSerializationException`` that names the file and what is wrong with it.
    init(_ path: String) throws {
        func refused(_ what: String, _ cause: (any Error)? = nil) -> LeapSerializationException {
            LeapSerializationException("\(path) \(what)", cause: cause)
        }
        func damaged(_ what: String, _ cause: (any Error)? = nil) -> LeapSerializationException {
            refused("is damaged: \(what); it cannot be read, so restore an earlier copy", cause)
        }
        do {
            file = try OpenFile(path, .readingWithoutWaiting)
            let status = try file.status()
            guard status.isRegular else { throw refused("is not a file") }
            guard let header = try Self.read(Self.headerByteCount, from: file, at: 0) else {
                throw refused("is not a saved conversation: it is too short")
            }
            let words = header.withUnsafeBytes { raw in
                (0..<Self.headerWords).map {
                    UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
                }
            }
            guard words[0] & 0xFFFF_FFFF == Self.magic else { throw refused("is not a saved conversation") }
            guard words[0] >> 32 == Self.version else {
                throw refused(
                    "was saved in version \(words[0] >> 32) of the format; this version reads \(Self.version)")
            }
            guard Self.hash(of: Array(header.dropLast(16))) == StableHash(low: words[18], high: words[19]) else {
                throw damaged("the checksum of its header is wrong")
            }
            let limits = [Self.maxHistoryBytes, Self.maxTokens, Self.maxTokens, Int.max >> 1]
            guard zip(words[1...4], limits).allSatisfy({ $0 <= UInt64($1) }) else {
                throw damaged("a length in its header is out of range")
            }
            let counts = words[1...4].map { Int($0) }
            (keptCount, stateCount, stateByteCount) = (counts[1], counts[2], counts[3])
            tokenOffset = Self.headerByteCount + counts[0]
            tokenHash = StableHash(low: words[7], high: words[8])
            let adapters = StableHash(low: words[13], high: words[14])
            origin = Origin(
                model: StableHash(low: words[9], high: words[10]), state: StableHash(low: words[11], high: words[12]),
                adapters: adapters == Self.noAdapters ? nil : adapters)
            guard status.byteCount >= Int64(tokenOffset),
                let bytes = try Self.read(counts[0], from: file, at: Self.headerByteCount),
                Self.hash(of: bytes) == StableHash(low: words[5], high: words[6])
            else { throw damaged("the length or checksum of the history is wrong") }
            do {
                history = try JSONParser.parse(bytes)
            } catch {
                throw damaged("the history is not JSON: \(error)", error)
            }
        } catch let error as FileSystemError {
            throw LeapSerializationException("the conversation cannot be read: \(error)", cause: error)
        }
    }

    /// Bytes of a file; nil where it ends before.
    private static func read(_ count: Int, from file: OpenFile, at offset: Int) throws(FileSystemError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let result: Result<Int, FileSystemError> = bytes.withUnsafeMutableBytes { buffer in
            do throws(FileSystemError) { return .success(try file.read(into: buffer, at: Int64(offset))) } catch {
                return .failure(error)
            }
        }
        return try result.get() == count ? bytes : nil
    }

    /// True if the file holds a state.
    var hasState: Bool { stateCount > 0 }

    /// The number of tokens whose state there is.
    var stateTokenCount: Int { stateCount }

    /// The tokens; nil where they are damaged.
    func tokens() -> Tokens? {
        let count = keptCount + stateCount
        let byteCount = count * MemoryLayout<TokenID>.stride
        guard let status = try? file.status(), status.byteCount >= Int64(tokenOffset + byteCount),
            let bytes = try? Self.read(byteCount, from: file, at: tokenOffset), Self.hash(of: bytes) == tokenHash
        else { return nil }
        let all = bytes.withUnsafeBytes { raw in
            (0..<count).map { TokenID(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * $0, as: TokenID.self)) }
        }
        return Tokens(kept: Array(all.prefix(keptCount)), state: Array(all.dropFirst(keptCount)))
    }

    /// The state of tokens that ``tokens()`` gave.
    func state(of tokens: Tokens, _ format: SequenceFormat) throws(SequenceFormat.Failure) -> SequenceSnapshot {
        let offset = tokenOffset + tokens.byteCount
        guard stateByteCount == format.byteCount(tokenCount: tokens.state.count),
            let status = try? file.status(), status.byteCount == Int64(offset) + Int64(stateByteCount)
        else { throw .damaged }
        return try format.read(tokens.state, adapters: origin.adapters, from: file, at: offset)
    }
}
