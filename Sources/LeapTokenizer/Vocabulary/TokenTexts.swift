import LeapGGUF

/// The texts of a vocabulary, in one block of memory.
///
/// A copy, so that a tokenizer does not keep a model file mapped, and smaller than the array in the file.
final class TokenTexts: @unchecked Sendable {
    // Sendable: the memory is filled in `init` and never changes.

    /// The number of texts.
    let count: Int
    /// The length of the longest text in bytes.
    let maximumLength: Int
    /// All texts, one after the other.
    let bytes: UnsafePointer<UInt8>
    /// The offset in ``bytes`` at which each text starts, and the one at which the last one ends.
    let bounds: UnsafePointer<UInt32>

    /// Copies the strings of `strings`, whose bytes together are fewer than 2³².
    init(_ strings: GGUFStringArray) {
        count = strings.count
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: max(strings.totalByteCount, 1))
        let bounds = UnsafeMutablePointer<UInt32>.allocate(capacity: strings.count + 1)
        var longest = 0
        strings.withUnsafeContents { source, sourceBounds in
            var end = 0
            bounds[0] = 0
            for index in 0..<sourceBounds.count - 1 {
                let start = Int(sourceBounds[index]) + 8
                let length = Int(sourceBounds[index + 1]) - start
                (bytes + end).update(from: source + start, count: length)
                end += length
                bounds[index + 1] = UInt32(truncatingIfNeeded: end)
                longest = max(longest, length)
            }
        }
        maximumLength = longest
        self.bytes = UnsafePointer(bytes)
        self.bounds = UnsafePointer(bounds)
    }

    deinit {
        bytes.deallocate()
        bounds.deallocate()
    }

    /// The first token of each of some texts, found in one pass; a text that is empty or longer than 63 bytes never is.
    func tokens(of names: [String]) -> [String: TokenID] {
        let wanted = names.map { (name: $0, bytes: Array($0.utf8)) }
        var lengths: UInt64 = 0
        var starts = [Bool](repeating: false, count: 256)
        for case let (_, bytes) in wanted where bytes.count < 64 {
            guard let first = bytes.first else { continue }
            lengths |= 1 << UInt64(bytes.count)
            starts[Int(first)] = true
        }
        var found: [String: TokenID] = [:]
        for token in 0..<count {
            let text = self[token]
            // Hardly any text gets past this.
            guard text.count < 64, lengths >> UInt64(text.count) & 1 != 0, starts[Int(text[0])] else { continue }
            for (name, bytes) in wanted where found[name] == nil && text.elementsEqual(bytes) {
                found[name] = TokenID(token)
            }
        }
        return found
    }

    /// The bytes of the text of `token`, which must be in range; valid while this object lives.
    @inline(__always)
    subscript(token: Int) -> UnsafeBufferPointer<UInt8> {
        let start = Int(bounds[token])
        return UnsafeBufferPointer(start: bytes + start, count: Int(bounds[token + 1]) - start)
    }
}
