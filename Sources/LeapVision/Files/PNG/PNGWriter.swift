import LeapBase

/// Writes pictures as PNG files, without compression.
package enum PNGWriter {
    /// - Parameter pixel: red, green and blue at a place.
    package static func bytes(width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += pixel(x, y) }
        }
        var packed: [UInt8] = [0x78, 1]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let block = rows[start..<min(rows.count, start + 65_535)]
            let count = UInt16(block.count)
            packed.append(block.endIndex == rows.count ? 1 : 0)
            packed += [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
            packed += block
        }
        // Adler-32 (RFC 1950), which readers may check.
        var (low, high) = (1, 0)
        for byte in rows {
            low = (low + Int(byte)) % 65_521
            high = (high + low) % 65_521
        }
        packed += number(high << 16 | low)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", number(width) + number(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", packed)
            + chunk("IEND", [])
    }

    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }

    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        var checksum = CRC32()
        checksum.add(Array(name.utf8) + body)
        return number(body.count) + Array(name.utf8) + body + number(Int(checksum.value))
    }
}
