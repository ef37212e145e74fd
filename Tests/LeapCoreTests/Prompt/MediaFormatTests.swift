import Foundation
import LeapBase
import LeapTestTraits
import LeapTokenizer
import LeapVision
import Testing

@testable import LeapChat
@testable import LeapCore

/// The description of how images and sound become tokens, as processes send it to each other.
@Suite(.inTurns)
struct MediaFormatTests {
    private static let encoder = StableHash(low: 7, high: 9).text

    private static let tilings: [(ImageTiling, wire: String)] = [
        (
            .native(.init()),
            #"{"native":{"_0":{"downsampling":2,"maxTiles":10,"maxTokens":256,"minTiles":2,"minTokens":64,"patchSize":16,"splitsLargeImages":true,"tileSize":512,"tolerance":2,"usesThumbnail":true}}}"#
        ),
        (
            .squares(.init(patchSize: 16, downsampling: 4, tileSize: 512, longestEdge: 2048)),
            #"{"squares":{"_0":{"downsampling":4,"longestEdge":2048,"patchSize":16,"splitsImages":true,"tileSize":512}}}"#
        ),
        (
            .whole(.init(patchSize: 16, downsampling: 2, minPixels: 65_536, maxPixels: 1_048_576)),
            #"{"whole":{"_0":{"downsampling":2,"maxPixels":1048576,"minPixels":65536,"patchSize":16}}}"#
        ),
        (
            .whole(
                .init(
                    patchSize: 16, downsampling: 2, minPixels: 65_536, maxPixels: 1_048_576,
                    video: .init(minPixels: 4096, maxPixels: 25_165_824, maxFrames: 384))),
            #"{"whole":{"_0":{"downsampling":2,"maxPixels":1048576,"minPixels":65536,"patchSize":16,"video":{"maxFrames":384,"maxPixels":25165824,"minPixels":4096}}}}"#
        ),
        (
            .filled(.init(patchSize: 16, downsampling: 3, tokens: 280)),
            #"{"filled":{"_0":{"downsampling":3,"patchSize":16,"tokens":280}}}"#
        ),
    ]

    private static func text(_ format: MediaFormat) throws -> String {
        let coder = JSONEncoder()
        coder.outputFormatting = [.sortedKeys]
        return String(decoding: try coder.encode(format), as: UTF8.self)
    }

    private static func format(_ rules: String) throws -> MediaFormat {
        try JSONDecoder().decode(MediaFormat.self, from: Data(#"{"encoder":"\#(encoder)","rules":\#(rules)}"#.utf8))
    }

    private static func tokenizer() async throws -> Tokenizer {
        try await AudioConversationTests.runner(projector: nil).promptSource().builder.tokenizer
    }

    @Test("Each kind of tiling is sent as the version of the wire has it, and arrives as it was")
    func kinds() async throws {
        let tokenizer = try await Self.tokenizer()
        let encoder = StableHash(low: 7, high: 9)
        for (tiling, wire) in Self.tilings {
            let reader = ImageReader(encoder: encoder, tokenizer: tokenizer, tiling: tiling)
            let sent = try Self.text(try #require(MediaFormat(reader)))
            #expect(sent == #"{"encoder":"\#(Self.encoder)","rules":\#(wire)}"#)
            let format = try JSONDecoder().decode(MediaFormat.self, from: Data(sent.utf8))
            let arrived = try #require(format.readers(tokenizer, contextSize: 64).first as? ImageReader)
            #expect(arrived.tiling == tiling && arrived.encoder == encoder)
        }
        for (form, wire) in [
            (SpectrumForm.normalised, #"{"sound":{}}"#), (.scaled(bands: 128), #"{"sound":{"bands":128}}"#),
            (.magnitudes(bands: 128), #"{"sound":{"magnitudes":128}}"#),
            (.samples(count: 640), #"{"sound":{"samples":640}}"#),
        ] {
            let sound = try #require(MediaFormat(AudioReader(encoder: encoder, form: form, contextSize: 64)))
            #expect(try Self.text(sound) == #"{"encoder":"\#(Self.encoder)","rules":\#(wire)}"#)
            let arrived = try #require(try Self.format(wire).readers(tokenizer, contextSize: 64).first as? AudioReader)
            #expect(arrived.form == form && arrived.encoder == encoder)
        }
    }

    @Test("Numbers that no size can be computed with are refused, of each kind, and so are kinds that are not known")
    func damaged() async throws {
        let tokenizer = try await Self.tokenizer()
        let changes = [
            ("\"patchSize\":16", "\"patchSize\":0"), ("\"downsampling\":", "\"downsampling\":70000"),
            ("\"patchSize\":16", "\"patchSize\":-16"),
        ]
        for (tiling, wire) in Self.tilings {
            #expect(tiling.isUsable)
            for (from, to) in changes {
                let format = try Self.format(wire.replacingOccurrences(of: from, with: to))
                #expect(format.readers(tokenizer, contextSize: 64).isEmpty, "\(to) in \(wire)")
            }
        }
        for bands in [0, -1, 100_000] {
            for name in ["bands", "magnitudes", "samples"] {
                let format = try Self.format(#"{"sound":{"\#(name)":\#(bands)}}"#)
                #expect(format.readers(tokenizer, contextSize: 64).isEmpty, "\(name) \(bands)")
            }
        }
        #expect(throws: DecodingError.self) { try Self.format(#"{"round":{"_0":{}}}"#) }
        #expect(throws: DecodingError.self) { try Self.format("{}") }
    }
}
