import LeapBase

/// Damages a file in the ways that files are damaged by chance and by intent.
package enum Mutation {
    package static func apply(to file: [UInt8], _ numbers: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = file
        func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &numbers) }
        for _ in 0...pick(4) where !bytes.isEmpty {
            let place = pick(bytes.count)
            switch pick(7) {
            case 0: bytes[place] ^= 1 << (pick(8))
            case 1: bytes[place] = UInt8(pick(256))
            case 2: bytes[place] = pick(2) == 0 ? 0xFF : 0
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + pick(8)))
            case 4:
                bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 1 + pick(64))], at: place)
            case 5: bytes.removeLast(min(bytes.count, pick(32)))
            default:
                // A marker, as only segments and restarts have.
                bytes[place] = 0xFF
                if place + 1 < bytes.count { bytes[place + 1] = UInt8(0xC0 + pick(0x40)) }
            }
        }
        if pick(2) == 0 { repairChecksums(&bytes) }
        return bytes
    }

    /// Makes the checksums of a PNG file's chunks right again, so that what they guard is reached.
    private static func repairChecksums(_ bytes: inout [UInt8]) {
        guard bytes.starts(with: [0x89, 0x50]) else { return }
        var place = 8
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - place - 12 else { return }
            var checksum = CRC32()
            checksum.add(bytes[place + 4..<place + 8 + length])
            for index in 0..<4 {
                bytes[place + 8 + length + index] = UInt8(truncatingIfNeeded: checksum.value >> (24 - 8 * index))
            }
            place += 12 + length
        }
    }
}
