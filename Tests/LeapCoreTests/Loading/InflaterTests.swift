import Foundation
import LeapBase
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapCore

@Suite(.inTurns)
struct InflaterTests {
    /// 300 letters from a linear congruential generator, as the script that made the vectors had them.
    private static let letters: [UInt8] = {
        var x: UInt64 = 12345
        return (0..<300).map { _ in
            x = (x * 1_103_515_245 + 12345) & 0x7FFF_FFFF
            return 97 + UInt8(x >> 16 % 23)
        }
    }()

    /// Vectors of zlib, raw DEFLATE: stored, fixed and dynamic codes, and distances of 30,000.
    static let vectors: [(packed: String, plain: [UInt8])] = [
        ("AQUA+v9oZWxsbw==", Array("hello".utf8)),
        ("y0jNyclXyEAnuQA=", Array("hello hello hello hello\n".utf8)),
        (
            "Dc7BAkQRCEDRb0VC9Iqk359Z38W51KSE9Kyl5nZT/8gB7lpHsMB4G7IlhHZnfgfNW3GykrBUWsngc+I0YuHxtjmXgRLTKv2rpxs7KnIYN9d87q6w1A5t8LwtOe8/IQWpjsTGL0MLRK18+3/qi7G0U+lIM0N5Ys/Ib7GtFkdlsdw675XBUKboqJ1F14TvPprf2VpjJJ2b9dTmhMLf1wHXK7IDHHvyp7qe5mhCRQ6uoBHH8jd2w5cwlh7wnWCg6+DxAw==",
            letters
        ),
        (
            "7d27Fa02AATAWgEhQHwkEELHrt63AAcveOFMusFuB5uWPPW8jmWax+Ud1iu1EN7jeHKcwvbdYaxDDMu7j98Ta1umluo0xGlOx1DD1dI5bP2IT1vuc5y2mPte5/RL2/D2u8/x7PVcWhmf957DUeqT7tDGuw7tvH8VeYpp3oaznt8Ylh5jmc93/Y26+naUNU1rTPsYpi/Xr6b2TvUutT8lH2d+5/1983aGac9lm9czl2MP1/ul/XruMvdtKPt9lmdeWor5vK41xOOb8t1Di+vQvlKOr4x9yWnKTzx62vpTx2u7l/gNsR/lCe0ewhZb2c7tXwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAvyT5lv3jb9l/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADgf6QlTz2vY5nmcXmH9UothPc4nhynsH13GOsQw/Lu4/fE2pappToNcZrTMdRwtXQOWz/i05b7HKct5r7XOf3SNrz97nM8ez2XVsbnvedwlPqkO7TxrkM7719FnmKat+Gs5zeGpcdY5vNdf6Ouvh1lTdMa0z6G6cv1q6m9U71L7U/Jx5nfeX/fvJ1h2nPZ5vXM5djD9X5pv567zH0byn6f5ZmXlmI+r2sN8fimfPfQ4jq0r5TjK2NfcpryE4+etv7U8druJX5D7Ed5QruHsMVWtnP7Dw==",
            letters + [UInt8](repeating: 122, count: 30000) + letters + [UInt8](repeating: 121, count: 80000) + letters
        ),
    ]

    private func inflate(_ packed: [UInt8], limit: Int, piece: Int = 7) throws -> [UInt8] {
        var plain: [UInt8] = []
        var rest = packed[...]
        try Inflater.inflate(
            limit: limit,
            read: { _ in
                defer { rest = rest.dropFirst(piece) }
                return Array(rest.prefix(piece))
            },
            write: { plain += $0 })
        return plain
    }

    private func packed(_ index: Int) throws -> [UInt8] {
        [UInt8](try #require(Data(base64Encoded: Self.vectors[index].packed)))
    }

    @Test("Unpacks zlib's output, whatever size the pieces of input have", arguments: vectors.indices)
    func unpacking(index: Int) throws {
        let plain = Self.vectors[index].plain
        for piece in [1, 7, 100_000] {
            #expect(try inflate(try packed(index), limit: plain.count, piece: piece) == plain)
        }
    }

    @Test("Never writes more than is allowed")
    func limit() throws {
        let packed = try packed(3)
        #expect(throws: Inflater.Failure.tooMuchOutput) { try inflate(packed, limit: 100_000) }
    }

    @Test(
        "Input that is cut off or damaged is an error, never a trap, and never without end", arguments: vectors.indices)
    func damaged(index: Int) throws {
        let good = try packed(index)
        for count in stride(from: 0, to: good.count, by: TestLevel.isAll ? 1 : good.count / 50 + 1) {
            #expect(throws: Inflater.Failure.endOfInput) {
                try inflate(Array(good.prefix(count)), limit: 1 << 20, piece: 64)
            }
        }
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<TestLevel.rounds(60, all: 300) {
            var bytes = good
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try? inflate(bytes, limit: 1 << 18, piece: 64)
        }
    }

    @Test("The checksum is that of ISO 3309")
    func checksum() {
        var checksum = CRC32()
        checksum.add("123456789".utf8)
        #expect(checksum.value == 0xCBF4_3926)
    }
}
