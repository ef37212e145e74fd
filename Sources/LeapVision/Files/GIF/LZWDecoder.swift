/// Unpacks the pixels of a GIF file (GIF89a specification, appendix F).
enum LZWDecoder {
    private static let maxCodes = 4096
    /// Bytes that a byte of codes can stand for at most: a code of 12 bits for a text that is as long as the table.
    private static let maxRatio = maxCodes * 8 / 12 + 1

    /// So many bytes; what follows them is of no interest.
    ///
    /// - Parameter codeSize: bits of a pixel, 2 to 8.
    static func decode(_ packed: [UInt8], codeSize: Int, count: Int) throws -> [UInt8] {
        guard count / maxRatio <= packed.count else {
            throw ImageFileError(
                .truncated, "the GIF file has \(packed.count) bytes of pixels, too few for \(count) pixels")
        }
        let (clear, end) = (1 << codeSize, 1 << codeSize + 1)
        // Each code's text is that of a code before it and a last byte.
        var prefix = [UInt16](repeating: 0, count: maxCodes)
        var last = (0..<maxCodes).map { UInt8(truncatingIfNeeded: $0) }
        var first = last
        var length = [UInt16](repeating: 1, count: maxCodes)
        var output = [UInt8](repeating: 0, count: count)
        var (next, width, previous) = (end + 1, codeSize + 1, -1)
        var (bits, available, position, written) = (0, 0, 0, 0)
        while written < count {
            while available < width {
                guard position < packed.count else {
                    throw ImageFileError(.truncated, "the GIF file ends before its last pixel")
                }
                bits |= Int(packed[position]) << available
                position += 1
                available += 8
            }
            let code = bits & (1 << width - 1)
            bits >>= width
            available -= width
            if code == clear {
                (next, width, previous) = (end + 1, codeSize + 1, -1)
                continue
            }
            guard code != end else { throw ImageFileError(.truncated, "the GIF file ends before its last pixel") }
            guard previous >= 0 ? code <= next && (code < next || next < maxCodes) : code < clear else {
                throw ImageFileError(
                    .damaged, "the GIF file's pixels cannot be decompressed: it uses a code before its definition")
            }
            if previous >= 0, next < maxCodes {
                prefix[next] = UInt16(previous)
                first[next] = first[previous]
                // A code that is used as it is made ends as it begins.
                last[next] = code == next ? first[previous] : first[code]
                length[next] = length[previous] + 1
                next += 1
                if next == 1 << width, width < 12 { width += 1 }
            }
            // Written from its end; of the last one only what has room.
            var (place, text) = (written + Int(length[code]) - 1, code)
            written += Int(length[code])
            while true {
                if place < count { output[place] = last[text] }
                guard text > end else { break }
                text = Int(prefix[text])
                place -= 1
            }
            previous = code
        }
        return output
    }
}
