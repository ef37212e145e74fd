import CLeapKernels
import LeapHashing
import LeapTestSupport
import Testing

/// SHA-256 on every instruction set of this machine.
@Suite("SHA-256")
struct SHA256Tests {
    /// A message and its digest, from NIST's examples and the byte-oriented vectors of CAVS (SHA256ShortMsg,
    /// SHA256LongMsg).
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let message: [UInt8]
        let digest: String
        var testDescription: String { name }

        init(_ name: String, _ message: [UInt8], _ digest: String) {
            self.name = name
            self.message = message
            self.digest = digest
        }

        /// `count` times the same byte.
        init(_ count: Int, of byte: UInt8, _ digest: String) {
            self.init("\(count) bytes \(byte)", [UInt8](repeating: byte, count: count), digest)
        }

        /// A message in hexadecimal.
        init(hexadecimal text: String, _ digest: String) {
            let digits = text.compactMap { $0.hexDigitValue }
            let message = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
            self.init("\(message.count) bytes \(text.prefix(8))", message, digest)
        }
    }

    static let vectors: [Vector] = [
        Vector("nothing", [], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Vector("abc", Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Vector(
            "56 letters", Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
        Vector(hexadecimal: "bd", "68325720aabd7c82f30f554b313d0570c95accbb7dc4b5aae11204c08ffe732b"),
        Vector(hexadecimal: "d3", "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"),
        Vector(hexadecimal: "11af", "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"),
        Vector(hexadecimal: "b4190e", "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"),
        Vector(hexadecimal: "c98c8e55", "7abc22c0ae5af26ce93dbb94433a0e0b2e119d014f8e7f65bd56c61ccccd9504"),
        Vector(
            hexadecimal: """
                5a86b737eaea8ee976a0a24da63e7ed7eefad18a101c1211e2b3650c5187c2a8
                a650547208251f6d4237e661c7bf4c77f335390394c37fa1a9f9be836ac28509
                """,
            "42e61e174fbb3897d6dd6cef3dd2802fe67b331953b06114a65c772859dfc1aa"),
        Vector(
            hexadecimal: """
                451101250ec6f26652249d59dc974b7361d571a8101cdfd36aba3b5854d3ae086b5fdd4597721b66
                e3c0dc5d8c606d9657d0e323283a5217d1f53f2f284f57b85c8a61ac8924711f895c5ed90ef17745
                ed2d728abd22a5f7a13479a462d71b56c19a74a40b655c58edfe0a188ad2cf46cbf30524f65d423c
                837dd1ff2bf462ac4198007345bb44dbb7b1c861298cdf61982a833afc728fae1eda2f87aa2c9480
                858bec
                """,
            "3c593aa539fdcdae516cdf2f15000f6634185c88f505b39775fb9ab137a10aa2"),
        Vector(
            hexadecimal: """
                6b918fb1a5ad1f9c5e5dbdf10a93a9c8f6bca89f37e79c9fe12a57227941b173ac79d8d440cde8c6
                4c4ebc84a4c803d198a296f3de060900cc427f58ca6ec373084f95dd6c7c427ecfbf781f68be572a
                88dbcbb188581ab200bfb99a3a816407e7dd6dd21003554d4f7a99c93ebfce5c302ff0e11f26f83f
                e669acefb0c1bbb8b1e909bd14aa48ba3445c88b0e1190eef765ad898ab8ca2fe507015f1578f10d
                ce3c11a55fb9434ee6e9ad6cc0fdc4684447a9b3b156b908646360f24fec2d8fa69e2c93db78708f
                cd2eef743dcb9353819b8d667c48ed54cd436fb1476598c4a1d7028e6f2ff50751db36ab6bc32435
                152a00abd3d58d9a8770d9a3e52d5a3628ae3c9e0325
                """,
            "46500b6ae1ab40bde097ef168b0f3199049b55545a1588792d39d594f493dca7"),
        Vector(55, of: 0, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
        Vector(56, of: 0, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
        Vector(57, of: 0, "65a16cb7861335d5ace3c60718b5052e44660726da4cd13bb745381b235a1785"),
        Vector(64, of: 0, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
        Vector(1000, of: 0, "541b3e9daa09b20bf85fa273e5cbd3e80185aa4ec298e765db87742b70138a53"),
        Vector(1000, of: 0x41, "c2e686823489ced2017f6059b8b239318b6364f6dcd835d0a519105a1eadd6e4"),
        Vector(1005, of: 0x55, "f4d62ddec0f3dd90ea1380fa16a5ff8dc4c54b21740650f24afc4120903552b0"),
        Vector(1_000_000, of: 0, "d29751f2649b32ff572b5e0a9f541ea660a50f94ff0beedfb0b692b924cc8025"),
        Vector(1_000_000, of: 0x61, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    private func hexadecimal(_ digest: [UInt8]) -> String {
        digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    @Test("NIST's vectors give NIST's digests on every instruction set", arguments: vectors)
    func nistVectors(vector: Vector) {
        for name in instructionSets {
            let digest = withInstructionSet(name) { SHA256.hash(vector.message) }
            #expect(hexadecimal(digest) == vector.digest, "\(vector.name) on \(name)")
        }
    }

    @Test("The Monte Carlo test of CAVS, 100,000 digests of digests, ends as NIST's does")
    func monteCarlo() {
        let seed = Vector(hexadecimal: "6d1e72ad03ddeb5de891e572e2396f8da015d899ef0e79503152d6010a3fe691", "")
        var last = seed.message
        for _ in 0..<100 {
            var three = [last, last, last]
            for _ in 0..<1000 { three = [three[1], three[2], SHA256.hash(three[0] + three[1] + three[2])] }
            last = three[2]
        }
        #expect(hexadecimal(last) == "6a912ba4188391a78e6f13d88ed2d14e13afce9db6f7dcbf4a48c24f3db02778")
    }

    @Test("Every instruction set gives the scalar code's digests for every length to five blocks and any alignment")
    func lengths() {
        var generator = SeededGenerator(seed: 256)
        let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for count in 0...(5 * Int(LEAP_SHA256_BLOCK) + 1) {
            let message = bytes[(count % 17)..<(count % 17 + count)]
            let expected = withInstructionSet("scalar") { SHA256.hash(message) }
            for name in instructionSets.dropFirst() {
                #expect(withInstructionSet(name) { SHA256.hash(message) } == expected, "\(count) bytes on \(name)")
            }
        }
    }

    @Test("A message in pieces of any sizes has the digest of the whole, and a copy goes on by itself")
    func pieces() {
        var generator = SeededGenerator(seed: 180)
        let bytes = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let whole = SHA256.hash(bytes)
        for name in instructionSets {
            withInstructionSet(name) {
                for longest in [1, 2, 63, 64, 65, 130, 1000] {
                    var hasher = SHA256()
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let count = min(rest.count, Int.random(in: 0...longest, using: &generator))
                        hasher.update(rest.prefix(count))
                        rest = rest.dropFirst(count)
                    }
                    let copy = hasher
                    #expect(hasher.finalize() == whole, "pieces of up to \(longest) on \(name)")
                    hasher.update([0])
                    #expect(hasher.finalize() == SHA256.hash(bytes + [0]))
                    #expect(copy.finalize() == whole)
                }
            }
        }
    }

    @Test("Bytes without contiguous storage have the digest of the same array")
    func lazyBytes() {
        let bytes = (0..<100).lazy.map { UInt8($0) }
        #expect(SHA256.hash(bytes) == SHA256.hash(Array(bytes)))
    }

    @Test("The scalar set uses no SHA-256 instructions, and all others agree whether the processor has them")
    func acceleration() {
        #expect(withInstructionSet("scalar") { leap_sha256_is_accelerated() } == 0)
        let others = Set(
            instructionSets.dropFirst().map { name in withInstructionSet(name) { leap_sha256_is_accelerated() } })
        #expect(others.count <= 1)
    }
}
