import LeapBase
import LeapTokenizer

/// One page of the cache in a file: header, all tokens of the text up to the page's end, the page, and for a page that is not
/// full the convolution inputs before its end.
///
/// Whatever does not fit (another model, other tokens, a damaged byte) makes reading fail, and the page is computed anew.
struct PrefixFile {
    /// `OLPC`, then the version of the format.
    private static let magic: UInt64 = 0x0001_4350_4C4F
    private static let headerWords = 8

    let layout: CacheLayout
    let fingerprint: StableHash

    private func inputByteCount(tokens: Int) -> Int {
        guard tokens % CacheLayout.pageLength != 0 else { return 0 }
        return layout.tailInputByteCount(positions: min(tokens, layout.convolutionReach))
    }

    private static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
        guard a.count == b.count, let left = a.baseAddress, let right = b.baseAddress else { return false }
        return memcmp(left, right, a.count) == 0
    }

    private func checksum(_ parts: [UnsafeRawBufferPointer]) -> StableHash {
        var hash = fingerprint
        for part in parts { hash.combine(part) }
        return hash
    }

    /// Writes a page; false if the disk does not take it.
    func write(tokens: ArraySlice<TokenID>, page: CachePage, inputs: TailInputs?, to path: String) -> Bool {
        tokens.withUnsafeBytes { tokenBytes in
            var parts = [tokenBytes, UnsafeRawBufferPointer(start: page.base, count: layout.pageByteCount)]
            if let inputs {
                parts.append(
                    UnsafeRawBufferPointer(start: inputs.values, count: inputByteCount(tokens: tokens.count)))
            }
            let sum = checksum(parts)
            let header: [UInt64] = [
                Self.magic, fingerprint.low, fingerprint.high, UInt64(tokens.count), UInt64(layout.pageByteCount),
                UInt64(parts.dropFirst(2).first?.count ?? 0), sum.low, sum.high,
            ]
            return header.withUnsafeBytes { header in
                (try? FileSystem.publish([header] + parts, at: path, permissions: 0o600, durable: false)) != nil
            }
        }
    }

    /// Reads the page that ends a prefix, or nil if the file is not that.
    ///
    /// - Throws: ``EngineError`` with code `outOfMemory`, which says nothing about the file.
    func read(
        _ path: String, tokens: ArraySlice<TokenID>
    ) throws(EngineError) -> (page: CachePage, inputs: TailInputs?)? {
        let tokenByteCount = tokens.count * MemoryLayout<TokenID>.stride
        let inputByteCount = inputByteCount(tokens: tokens.count)
        let headerByteCount = Self.headerWords * MemoryLayout<UInt64>.stride
        let byteCount = headerByteCount + tokenByteCount + layout.pageByteCount + inputByteCount
        let memory = try AlignedMemory(byteCount: byteCount, pool: layout.memory)
        let bytes = UnsafeMutableRawBufferPointer(start: memory.base, count: byteCount)
        guard FileSystem.fill(bytes, from: path) else { return nil }
        var offset = headerByteCount
        func next(_ count: Int) -> UnsafeRawBufferPointer {
            defer { offset += count }
            return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
        }
        var parts = [next(tokenByteCount), next(layout.pageByteCount)]
        if inputByteCount > 0 { parts.append(next(inputByteCount)) }
        let sum = checksum(parts)
        let expected: [UInt64] = [
            Self.magic, fingerprint.low, fingerprint.high, UInt64(tokens.count), UInt64(layout.pageByteCount),
            UInt64(inputByteCount), sum.low, sum.high,
        ]
        let header = UnsafeRawBufferPointer(rebasing: bytes[..<headerByteCount])
        guard expected.withUnsafeBytes({ Self.areEqual($0, header) }),
            tokens.withUnsafeBytes({ Self.areEqual($0, parts[0]) }),
            let source = parts[1].baseAddress
        else { return nil }
        let page = try CachePage(layout)
        memcpy(page.base, source, layout.pageByteCount)
        guard inputByteCount > 0 else { return (page, nil) }
        let inputs = try TailInputs(layout, positions: min(tokens.count, layout.convolutionReach))
        guard let values = parts[2].baseAddress else { return nil }
        memcpy(inputs.values, values, inputByteCount)
        return (page, inputs)
    }
}
