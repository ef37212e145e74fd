import LeapBase

/// The digest by which FLAC files tell whether their samples are those that were written (RFC 1321).
///
/// It protects from accidents only.
struct MD5 {
    private static let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 0x1p32) }

    private var state: (UInt32, UInt32, UInt32, UInt32) = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
    private var rest: [UInt8] = []
    private var byteCount: UInt64 = 0

    mutating func append(_ bytes: [UInt8]) {
        byteCount += UInt64(bytes.count)
        let all = rest + bytes
        var start = 0
        while start + 64 <= all.count {
            add(all[start..<start + 64])
            start += 64
        }
        rest = Array(all[start...])
    }

    private mutating func add(_ block: ArraySlice<UInt8>) {
        let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { at in
            UInt32(block[at]) | UInt32(block[at + 1]) << 8 | UInt32(block[at + 2]) << 16 | UInt32(block[at + 3]) << 24
        }
        var (a, b, c, d) = state
        for step in 0..<64 {
            let mixed: UInt32
            let word: Int
            switch step / 16 {
            case 0: (mixed, word) = (b & c | ~b & d, step)
            case 1: (mixed, word) = (d & b | ~d & c, (5 * step + 1) % 16)
            case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
            default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
            }
            let sum = a &+ mixed &+ Self.sines[step] &+ words[word]
            let shift = Self.shifts[step / 16 * 4 + step % 4]
            (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
    }

    /// The digest of all bytes so far.
    func digest() -> [UInt8] {
        var copy = self
        let padding = 1 + (119 - Int(byteCount % 64)) % 64
        var end: [UInt8] = [0x80] + [UInt8](repeating: 0, count: padding - 1)
        withUnsafeBytes(of: (byteCount << 3).littleEndian) { end.append(contentsOf: $0) }
        copy.append(end)
        return [copy.state.0, copy.state.1, copy.state.2, copy.state.3].flatMap { word in
            withUnsafeBytes(of: word.littleEndian) { Array($0) }
        }
    }
}

extension MD5 {
    /// Takes samples as FLAC counts them: of all channels by turns, in as many whole bytes as their bits need.
    mutating func append(channels: [[Int]], bitsPerSample: Int) {
        let width = (bitsPerSample + 7) / 8
        let count = channels.first?.count ?? 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * channels.count * width)
        for index in 0..<count {
            for channel in channels {
                let sample = channel[index]
                for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: sample >> (8 * byte))) }
            }
        }
        append(bytes)
    }
}
