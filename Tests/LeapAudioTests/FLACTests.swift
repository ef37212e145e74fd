import Foundation
import LeapTestSupport
import Testing

@testable import LeapAudio

struct FLACTests {
    private static func decode(_ bytes: [UInt8]) throws -> [[Int]] {
        var decoder = try FLACDecoder(bytes)
        var channels = [[Int]](repeating: [], count: decoder.info.channelCount)
        while let frame = try decoder.next() {
            for (index, samples) in frame.enumerated() { channels[index] += samples }
        }
        return channels
    }

    private static func error(_ bytes: [UInt8]) -> AudioFileError? {
        #expect(throws: AudioFileError.self) { try decode(bytes) }
    }

    @Test("Files of another program have the samples that they were made of", arguments: FixtureAudio.flac)
    func fixtures(sound: FixtureAudio) throws {
        let bytes = try FixtureAudio.bytes(sound.name + ".flac")
        let info = try FLACDecoder(bytes).info
        #expect(info.sampleRate == sound.sampleRate && info.channelCount == sound.channelCount)
        #expect(info.bitsPerSample == sound.bitsPerSample && info.sampleCount == sound.count)
        #expect(try Self.decode(bytes) == sound.channels)
    }

    /// Samples of a kind: silence, noise, a wave, steps by chance, lower bits that are zero, and the loudest ones by
    /// turns.
    private static func samples(_ kind: Int, _ count: Int, bits: Int, _ numbers: inout SeededGenerator) -> [Int] {
        let (low, high) = (-1 << (bits - 1), 1 << (bits - 1) - 1)
        var last = 0
        return (0..<count).map { index in
            switch kind {
            case 0: return high / 3
            case 1: return Int.random(in: low...high, using: &numbers)
            case 2: return Int(Double(high) * 0.9 * sin(Double(index) / 20))
            case 3:
                last = min(max(last + Int.random(in: -9...9, using: &numbers), low), high)
                return last
            case 4: return Int.random(in: low >> 3...high >> 3, using: &numbers) << 3
            default: return index % 2 == 0 ? low : high
            }
        }
    }

    @Test("Reads what it writes, of any samples", arguments: TestLevel.seeds(20, all: 60))
    func roundTrip(seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        let bits = [8, 12, 16, 20, 24][Int(seed % 5)]
        let count = [1, 2, 4, 5, 17, 100, 4095, 4096, 4097, 9000][Int(seed % 10)]
        let kinds = (0..<Int.random(in: 1...3, using: &numbers)).map { _ in Int.random(in: 0..<6, using: &numbers) }
        var channels = kinds.map { Self.samples($0, count, bits: bits, &numbers) }
        // Two channels that are nearly the same.
        if channels.count == 2, seed % 2 == 0 { channels[1] = channels[0].map { max($0 - 1, -1 << (bits - 1)) } }
        let rate = Int.random(in: 1...655_350, using: &numbers)
        let file = [UInt8](FLACEncoder.encode(channels, sampleRate: rate, bitsPerSample: bits))
        let info = try FLACDecoder(file).info
        #expect(info.sampleRate == rate && info.sampleCount == count && info.bitsPerSample == bits)
        #expect(info.digest.contains { $0 != 0 })
        #expect(try Self.decode(file) == channels)
        // No larger than the samples as they are, but for headers.
        let frames = (count + 4095) / 4096
        #expect(file.count <= 42 + frames * (20 + 2 * channels.count) + channels.count * (count * bits + 7) / 8)
    }

    @Test("A smooth sound takes far fewer bytes, and two channels that are the same hardly more than one")
    func small() {
        let wave = (0..<20_000).map { Int(20_000 * sin(Double($0) / 40)) }
        let one = FLACEncoder.encode([wave], sampleRate: 16_000).count
        #expect(one < 40_000 / 3)
        #expect(FLACEncoder.encode([wave, wave], sampleRate: 16_000).count < one + 200)
        #expect(FLACEncoder.encode([[Int](repeating: 5, count: 20_000)], sampleRate: 16_000).count < 150)
    }

    @Test("A sound that is still being made has the same frames behind a header without its length")
    func streamed() throws {
        let channels = FixtureAudio.flac[1].channels
        var encoder = FLACEncoder(sampleRate: 44_100, channelCount: 2)
        var bytes = encoder.header
        for start in stride(from: 0, to: 5000, by: 700) {
            bytes += encoder.append(channels.map { Array($0[start..<min(5000, start + 700)]) })
        }
        bytes += encoder.finish()
        let whole = [UInt8](FLACEncoder.encode(channels, sampleRate: 44_100))
        #expect(bytes.dropFirst(42) == whole.dropFirst(42))
        #expect(try FLACDecoder(bytes).info.sampleCount == 0)
        #expect(try Self.decode(bytes) == channels)
        #expect([UInt8](encoder.header) == Array(whole.prefix(42)))
    }

    @Test("Checksums are those of their documents")
    func checksums() {
        let digits = Array("123456789".utf8)[...]
        #expect(FLACChecksums.crc8(digits) == 0xF4)
        #expect(FLACChecksums.crc16(digits) == 0xFEE8)
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ] {
            var sum = MD5()
            for byte in text.utf8 { sum.append([byte]) }
            #expect(sum.digest().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
        }
    }

    // MARK: Damage

    private static func firstFrame(of file: [UInt8]) throws -> Int {
        try #require((42..<file.count - 1).first { file[$0] == 0xFF && file[$0 + 1] & 0xFE == 0xF8 })
    }

    @Test("What is wrong is said")
    func errors() throws {
        let file = try FixtureAudio.bytes("mono-16.flac")
        func changed(_ place: Int, _ value: UInt8) -> [UInt8] {
            var copy = file
            copy[place] = value
            return copy
        }
        let frames = try Self.firstFrame(of: file)
        for (bytes, words, code) in [
            ([], "not a FLAC file", .unknownFormat), (Array(file.prefix(20)), "cut off in its header", .truncated),
            (Array(file.dropLast(3)), "is cut off", .truncated), (changed(4, 1), "kind 1 where 0", .damaged),
            (changed(7, 33), "STREAMINFO has 33 bytes", .damaged), (changed(9, 3), "blocks have 4099", .damaged),
            (changed(30, file[30] ^ 1), "MD5", .damaged),
            (changed(frames + 3, file[frames + 3] | 1), "reserved bit", .damaged),
            (changed(file.count - 1, file[file.count - 1] ^ 1), "CRC-16", .damaged),
            (changed(frames + 5, file[frames + 5] ^ 1), "CRC-8", .damaged),
            (changed(frames, 0xFE), "begin with", .damaged), (changed(25, 0), "more samples than", .damaged),
            (changed(24, 0x10), "it declares 4280 samples, but has 3000", .truncated),
        ] as [([UInt8], String, AudioFileError.Code)] {
            let error = Self.error(bytes)
            #expect(error?.code == code && error?.message.contains(words) == true, "\(words): \(error as Any)")
        }
    }

    /// A file of one frame of 16 samples with 8 bits.
    private static func file(_ subframe: (inout FLACBitWriter) -> Void) -> [UInt8] {
        let info = FLACStreamInfo(blockSize: 16, sampleRate: 8000, channelCount: 1, bitsPerSample: 8)
        var bits = FLACBitWriter()
        for (value, count) in [(0xFFF8, 16), (6, 4), (0, 4), (0, 4), (0, 4), (0, 8), (15, 8)] as [(UInt64, Int)] {
            bits.put(value, count)
        }
        bits.put(UInt64(FLACChecksums.crc8(bits.bytes[...])), 8)
        subframe(&bits)
        bits.alignToByte()
        bits.put(UInt64(FLACChecksums.crc16(bits.bytes[...])), 16)
        return Array("fLaC".utf8) + [0x80, 0, 0, 34] + info.bytes(frameSizes: nil) + bits.bytes
    }

    @Test("Numbers without a code, codes of five bits, and predictors with weights are read")
    func rareCodes() throws {
        let escaped = Self.file { bits in
            // Order 0, two parts: one without a code, of 6 bits, and one of no bits at all.
            bits.put(8 << 1, 8)
            bits.put(0, 2)
            bits.put(1, 4)
            bits.put(15, 4)
            bits.put(6, 5)
            for value in -4..<4 { bits.put(signed: value * 7, 6) }
            bits.put(15, 4)
            bits.put(0, 5)
        }
        #expect(try Self.decode(escaped) == [(-4..<4).map { $0 * 7 } + [Int](repeating: 0, count: 8)])
        let weighted = Self.file { bits in
            // Two weights of 4 bits: twice the sample before and minus one of the one before that, halved sums of 4 and
            // -2.
            bits.put(UInt64(32 + 1) << 1, 8)
            bits.put(signed: 10, 8)
            bits.put(signed: 12, 8)
            bits.put(3, 4)
            bits.put(signed: 1, 5)
            bits.put(signed: 4, 4)
            bits.put(signed: -2, 4)
            bits.put(1, 2)
            bits.put(0, 4)
            bits.put(3, 5)
            for _ in 0..<14 { bits.put(0b1001, 4) }
        }
        // What is left is -1 each time.
        var expected = [10, 12]
        for index in 2..<16 { expected.append((4 * expected[index - 1] - 2 * expected[index - 2]) >> 1 - 1) }
        #expect(try Self.decode(weighted) == [expected])
    }

    @Test("What the format keeps for later, and samples that do not fit, are refused")
    func reserved() {
        for (write, words) in [
            ({ $0.put(1, 1) }, "reserved bit"), ({ $0.put(2 << 1, 8) }, "kind 2"),
            (
                {
                    $0.put(1, 8)
                    $0.put(1, 8)
                }, "no bits"
            ),
            (
                {
                    $0.put(8 << 1, 8)
                    $0.put(2, 2)
                }, "code 2"
            ),
            (
                {
                    $0.put(8 << 1, 8)
                    $0.put(5, 6)
                }, "32 parts"
            ),
            (
                {
                    $0.put(32 << 1, 8)
                    $0.put(0, 8)
                    $0.put(15, 4)
                }, "precision 16"
            ),
            (
                {
                    $0.put(32 << 1, 8)
                    $0.put(0, 8)
                    $0.put(0, 4)
                    $0.put(signed: -1, 5)
                }, "shift of -1"
            ),
            ({ $0.put(63 << 1, 8) }, "needs 32"),
            (
                {
                    $0.put(8 << 1, 8)
                    $0.put(0, 6)
                    $0.put(14, 4)
                    for _ in 0..<16 {
                        $0.put(unary: 3)
                        $0.put(0, 14)
                    }
                }, "does not fit into 8 bits"
            ),
            (
                {
                    $0.put(8 << 1, 8)
                    $0.put(1, 2)
                    $0.put(0, 4)
                    $0.put(30, 5)
                    $0.put(unary: 200)
                }, "larger than any sample"
            ),
        ] as [((inout FLACBitWriter) -> Void, String)] {
            let error = Self.error(Self.file { write(&$0) })
            #expect(error?.message.contains(words) == true, "\(words): \(error as Any)")
            #expect(error?.message.hasPrefix("frame 0 of the FLAC file ") == true)
        }
    }

    @Test("Any bit that is flipped is found out, and any cut")
    func flips() throws {
        let file = try FixtureAudio.bytes("short-8.flac")
        let frames = try Self.firstFrame(of: file)
        for place in stride(from: frames * 8, to: file.count * 8, by: 13) {
            var damaged = file
            damaged[place / 8] ^= 1 << (place % 8)
            #expect(throws: AudioFileError.self, "bit \(place)") { try Self.decode(damaged) }
        }
        for length in stride(from: 0, to: file.count, by: 7) {
            #expect(throws: AudioFileError.self, "\(length) bytes") { try Self.decode(Array(file.prefix(length))) }
        }
    }

    // MARK: Another program

    private static let program = ["/usr/bin/flac", "/usr/local/bin/flac", "/opt/homebrew/bin/flac"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(program))
        process.arguments = ["--silent", "--force", "--lax"] + arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test(
        "The program flac reads what is written here, and what it writes is read here",
        .enabled(if: program != nil, "skipped: there is no program flac (package flac)"),
        arguments: [8, 16, 24], [1, 2])
    func otherProgram(bits: Int, channelCount: Int) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-flac-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, raw) = (folder.appending(path: "a.flac"), folder.appending(path: "a.raw"))
        let sound = FixtureAudio(
            name: "", sampleRate: 32_000, channelCount: channelCount, bitsPerSample: bits, count: 9500)
        let channels = sound.channels
        let bytes = (0..<sound.count).flatMap { index in
            channels.flatMap { channel in
                (0..<bits / 8).map { UInt8(truncatingIfNeeded: channel[index] >> (8 * $0)) }
            }
        }
        let form = ["--endian=little", "--sign=signed"]
        try FLACEncoder.encode(channels, sampleRate: 32_000, bitsPerSample: bits).write(to: file)
        #expect(try Self.run(["--test", "--warnings-as-errors", file.path]) == 0)
        #expect(try Self.run(["--decode", "--force-raw-format"] + form + ["-o", raw.path, file.path]) == 0)
        #expect([UInt8](try Data(contentsOf: raw)) == bytes)
        let input = ["--force-raw-format", "--channels=\(channelCount)", "--bps=\(bits)", "--sample-rate=32000"] + form
        for options in [["-0"], ["-5"], ["-8"], ["-8", "-b", "32"], ["-2", "-b", "577"]] {
            #expect(try Self.run(input + options + ["-o", file.path, raw.path]) == 0)
            #expect(try Self.decode([UInt8](Data(contentsOf: file))) == channels, "\(options)")
        }
    }
}
