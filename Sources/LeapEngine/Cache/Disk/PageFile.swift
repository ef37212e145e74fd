import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// One page of the cache in a file: header, tokens of the page, the page, and for a page that is not full the
/// convolution inputs before its end, or for one that sequences can go on from what recurrent layers keep of the whole
/// sequence.
///
/// Whatever does not fit (another model, other tokens, a damaged byte) makes reading fail, and the page is computed
/// anew.
struct PageFile {
    /// Counts changes of the format; part of the folder's name too, so that versions do not meet.
    static let version: UInt64 = 2
    /// `OLPC`, then the version.
    private static let magic: UInt64 = 0x4350_4C4F | version << 32
    /// The last words are zero, for what may come to tell contents apart.
    private static let headerWords = 16
    private static let headerByteCount = headerWords * MemoryLayout<UInt64>.stride

    /// The state that a file holds.
    struct Contents {
        let page: StatePage
        let inputs: StateTail?
    }

    /// The result of reading a file.
    enum Reading {
        case found(Contents)
        /// There is no such file.
        case missing
        /// There is one, and it is not what its name says.
        case damaged
        /// The system did not let it be read, or has no memory for it: this says nothing about the file.
        case unavailable(any Error)
    }

    let memory: any StateMemory
    let identity: StableHash

    /// Returns true if a page that is followed by no other has to hold more than its positions for a sequence to go on
    /// from its end.
    func needsTail(_ name: PageName) -> Bool { memory.isRecurrent || name.length < StatePage.length }

    private func inputByteCount(_ name: PageName, end: Int, hasTail: Bool) -> Int {
        guard hasTail, needsTail(name) else { return 0 }
        return memory.tailByteCount(positions: min(end, memory.reach))
    }

    /// The header of a page, whose contents are hashed together with it.
    private func header(_ name: PageName, inputByteCount: Int, _ parts: [UnsafeRawBufferPointer]) -> [UInt64] {
        var words: [UInt64] = [
            Self.magic, identity.low, identity.high, name.parent.low, name.parent.high, name.key.low, name.key.high,
            UInt64(name.length), UInt64(memory.pageByteCount), UInt64(inputByteCount),
        ]
        var hash = StableHash(seed: Self.version)
        for word in words { hash.combine(word) }
        for part in parts { hash.combine(part) }
        words += [hash.low, hash.high]
        return words + Array(repeating: 0, count: Self.headerWords - words.count)
    }

    /// The key of the empty prefix for what is computed with some adapters.
    func root(_ adapters: StableHash?) -> StableHash {
        guard let adapters else { return identity }
        var root = identity
        root.combine(adapters.low)
        root.combine(adapters.high)
        return root
    }

    /// Bytes of a page's file.
    ///
    /// - Parameters:
    ///   - end: the tokens of the sequence up to the page's end.
    ///   - hasTail: whether a sequence can go on from there.
    func byteCount(_ name: PageName, end: Int, hasTail: Bool) -> Int {
        Self.headerByteCount + name.length * MemoryLayout<TokenID>.stride + memory.pageByteCount
            + inputByteCount(name, end: end, hasTail: hasTail)
    }

    /// Returns true if a sequence can go on from the end of a page, by the size of its file; nil for a size that is not
    /// right.
    func hasTail(_ name: PageName, end: Int, byteCount: Int64) -> Bool? {
        if byteCount == Int64(self.byteCount(name, end: end, hasTail: true)) { return true }
        guard memory.isRecurrent, byteCount == Int64(self.byteCount(name, end: end, hasTail: false)) else { return nil }
        return false
    }

    // MARK: Writing

    /// Writes a page.
    ///
    /// - Parameter end: the tokens of the sequence up to the page's end.
    /// - Throws: `FileSystemError` if the disk does not take it; nothing is there then.
    func write(
        _ name: PageName, _ tokens: ArraySlice<TokenID>, end: Int, _ contents: Contents, to path: String
    ) throws {
        try withParts(name, tokens, end: end, contents) { parts in
            try FileSystem.publish(parts, at: path, permissions: 0o600, durable: false)
        }
    }

    /// Gives the bytes of a page's file in pieces.
    ///
    /// - Parameter end: the tokens of the sequence up to the page's end.
    func withParts<R>(
        _ name: PageName, _ tokens: ArraySlice<TokenID>, end: Int, _ contents: Contents,
        _ body: ([UnsafeRawBufferPointer]) throws -> R
    ) rethrows -> R {
        let inputByteCount = inputByteCount(name, end: end, hasTail: contents.inputs != nil)
        return try tokens.withUnsafeBytes { tokenBytes in
            try withContents(contents, inputByteCount) { stored in
                let parts = [tokenBytes] + stored
                return try header(name, inputByteCount: inputByteCount, parts).withUnsafeBytes { header in
                    try body([header] + parts)
                }
            }
        }
    }

    /// Gives the bytes of a page and of what comes behind it in a file.
    private func withContents<R>(
        _ contents: Contents, _ inputByteCount: Int, _ body: ([UnsafeRawBufferPointer]) throws -> R
    ) rethrows -> R {
        try memory.withBytes(of: contents.page) { page in
            let page = UnsafeRawBufferPointer(rebasing: page.prefix(memory.pageByteCount))
            guard let inputs = contents.inputs, inputByteCount > 0 else { return try body([page]) }
            return try memory.withBytes(of: inputs) { tail in
                try body([page, UnsafeRawBufferPointer(rebasing: tail.prefix(inputByteCount))])
            }
        }
    }

    // MARK: Reading

    /// Reads the page of a name.
    ///
    /// - Parameters:
    ///   - tokens: the page's tokens, which the file has to hold.
    ///   - end: the tokens of the sequence up to the page's end.
    func read(_ name: PageName, _ tokens: ArraySlice<TokenID>, end: Int, from path: String) -> Reading {
        let file: OpenFile
        do {
            // A pipe of that name must not be waited for.
            file = try OpenFile(path, .readingWithoutWaiting)
        } catch {
            return error.number == ENOENT || error.number == ENOTDIR ? .missing : .unavailable(error)
        }
        do {
            let status = try file.status()
            guard status.isRegular, let hasTail = hasTail(name, end: end, byteCount: status.byteCount) else {
                return .damaged
            }
            return read(name, tokens, end: end, hasTail: hasTail, from: file, at: 0)
        } catch {
            return .unavailable(error)
        }
    }

    /// Reads a page that begins at an offset of a file.
    func read(
        _ name: PageName, _ tokens: ArraySlice<TokenID>, end: Int, hasTail: Bool, from file: OpenFile, at offset: Int
    ) -> Reading {
        let inputByteCount = inputByteCount(name, end: end, hasTail: hasTail)
        let tokenByteCount = tokens.count * MemoryLayout<TokenID>.stride
        do {
            let page = try memory.makePage()
            let positions = min(end, memory.reach)
            let inputs = inputByteCount > 0 ? try memory.makeTail(positions: positions) : nil
            var prefix = [UInt64](repeating: 0, count: (Self.headerByteCount + tokenByteCount + 7) / 8)
            let isRead = try prefix.withUnsafeMutableBytes { prefix in
                let prefix = UnsafeMutableRawBufferPointer(rebasing: prefix[..<(Self.headerByteCount + tokenByteCount)])
                guard try Self.fill(prefix, file, at: offset),
                    try memory.withBytes(
                        of: page,
                        { page in
                            try Self.fill(
                                UnsafeMutableRawBufferPointer(rebasing: page.prefix(memory.pageByteCount)), file,
                                at: offset + prefix.count)
                        })
                else { return false }
                guard let inputs else { return true }
                return try memory.withBytes(of: inputs) { tail in
                    try Self.fill(
                        UnsafeMutableRawBufferPointer(rebasing: tail.prefix(inputByteCount)), file,
                        at: offset + prefix.count + memory.pageByteCount)
                }
            }
            // Shorter now than a moment ago: another process is at work on it, or the disk is going away.
            guard isRead else { return .unavailable(FileSystemError("reading", file.path, number: EIO)) }
            let contents = Contents(page: page, inputs: inputs)
            return matches(prefix, name, tokens, inputByteCount, contents) ? .found(contents) : .damaged
        } catch {
            return .unavailable(error)
        }
    }

    private static func fill(_ memory: UnsafeMutableRawBufferPointer, _ file: OpenFile, at offset: Int) throws -> Bool {
        try file.read(into: memory, at: Int64(offset)) == memory.count
    }

    /// Returns true if header and tokens are those of the page, and its checksum that of the contents.
    private func matches(
        _ prefix: [UInt64], _ name: PageName, _ tokens: ArraySlice<TokenID>, _ inputByteCount: Int, _ contents: Contents
    ) -> Bool {
        prefix.withUnsafeBytes { prefix in
            let tokenByteCount = tokens.count * MemoryLayout<TokenID>.stride
            let stored = UnsafeRawBufferPointer(
                rebasing: prefix[Self.headerByteCount..<Self.headerByteCount + tokenByteCount])
            guard tokens.withUnsafeBytes({ $0.elementsEqual(stored) }) else { return false }
            let expected = withContents(contents, inputByteCount) {
                header(name, inputByteCount: inputByteCount, [stored] + $0)
            }
            return expected.withUnsafeBytes { $0.elementsEqual(prefix[..<Self.headerByteCount]) }
        }
    }
}
