import Foundation
import LeapBase
import LeapTestSupport
import LeapVision
import Testing

struct ImageFileTests {
    @Test("Pixels are those of libjpeg-turbo, libpng and Pillow, upright, bit for bit")
    func pixelsAreThoseOfOtherPrograms() throws {
        let references = try Fixture.references()
        #expect(references.count == Fixture.names.count && references.count > 200)
        for name in Fixture.names {
            let image = try RGBImage(file: Fixture.bytes(name))
            let reference = try #require(references[name])
            #expect(image.width == reference.width && image.height == reference.height, "\(name)")
            #expect(Fixture.checksum(image.bytes) == reference.checksum, "\(name)")
        }
    }

    @Test("A file that is cut anywhere is refused or, with all of its pixels there, read as before")
    func cutFiles() throws {
        for name in [
            "17x9-420.jpg", "17x9-420-progressive.jpg", "17x9-RGBA.png", "interlaced-3-2.png", "17x9-cmyk.jpg",
            "17x9-clear.gif", "17x9-8.gif", "17x9-RGB.bmp", "runs8.bmp", "exif6.png",
        ] {
            let bytes = try Fixture.bytes(name)
            let whole = try RGBImage(file: bytes)
            var refused = 0
            let lengths = Array(stride(from: 0, to: bytes.count, by: TestLevel.isAll ? 1 : 5))
            for length in lengths {
                if let image = try? RGBImage(file: Array(bytes.prefix(length))) {
                    #expect(image == whole, "\(name) cut at \(length)")
                } else {
                    refused += 1
                }
            }
            #expect(refused > lengths.count / 2, "\(name)")
        }
    }

    @Test(
        "What is no picture that is read is named for what it is",
        arguments: [
            ("II*\0abcdefgh", "TIFF"), ("\0\0\0\u{18}ftypheic", "HEIF"), ("\0\0\0\u{18}ftypmif1\0\0\0\0heic", "HEIF"),
            ("\0\0\0\u{1C}ftypavif\0\0\0\0avifmif1", "AVIF"), ("\0\0\0\u{1C}ftypmif1\0\0\0\0mif1avif", "AVIF"),
            ("\0\0\0\u{20}ftypisom\0\0\u{2}\0isomiso2avc1mp41", "MP4"), ("\0\0\0\u{20}ftypmp42\0\0\0\0", "MP4"),
            ("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", "QuickTime"), ("RIFF\0\0\0\0AVI LIST", "AVI"),
            ("%PDF-1.7\n%", "PDF"), ("PK\u{3}\u{4}\u{14}\0", "ZIP"), ("8BPS\0\u{1}", "PSD"),
            ("<svg xmlns=\"http://www.w3.org/2000/svg\">", "SVG"), ("\n<?xml version=\"1.0\"?><svg>", "SVG"),
            ("<!DOCTYPE html><html>", "HTML"), ("RIFF\0\0\0\0WAVEfmt ", "WAV"),
        ])
    func otherFormats(start: String, name: String) {
        let error = #expect(throws: ImageFileError.self) { try RGBImage(file: Array(start.utf8)) }
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        #if !canImport(ImageIO)
            #expect(error?.code == .unsupported)
        #endif
    }

    @Test("GIF and BMP files that break their formats' rules are refused")
    func damagedHeaders() throws {
        for (name, place, value, code) in [
            ("17x9-RGB.bmp", 14, 13, .damaged), ("17x9-RGB.bmp", 30, 4, .unsupported),
            ("17x9-RGB.bmp", 28, 7, .unsupported),
            // 16 million columns, and pixels that begin late.
            ("17x9-RGB.bmp", 20, 255, .tooLarge), ("17x9-RGB.bmp", 10, 255, .truncated),
            ("runs8.bmp", 20, 12, .truncated), ("17x9-8.gif", 6, 255, nil), ("17x9-8.gif", 7, 255, nil),
        ] as [(String, Int, UInt8, ImageFileError.Code?)] {
            var file = try Fixture.bytes(name)
            file[place] = value
            guard let code else {
                // The picture is wider than its image.
                #expect(try RGBImage(file: file).width > 200)
                continue
            }
            let error = #expect(throws: ImageFileError.self) { try RGBImage(file: file) }
            #expect(error?.code == code, "\(name) \(place)")
        }
        for start in ["GIF89a", "BM123456789012345"] {
            let error = #expect(throws: ImageFileError.self) { try RGBImage(file: Array(start.utf8)) }
            #expect(error?.code == .truncated || error?.code == .damaged)
        }
    }

    @Test("No bytes, and bytes of no format, are refused")
    func noFormat() {
        for bytes in [[], [0], Array("hello, world, hello".utf8)] as [[UInt8]] {
            let error = #expect(throws: ImageFileError.self) { try RGBImage(file: bytes) }
            #expect(error?.code == .unknownFormat)
        }
    }

    @Test("Limits are those of the caller, in bytes and in pixels")
    func limits() throws {
        for name in ["33x40-420.jpg", "33x40-RGB.png", "33x40-8.gif", "33x40-palette.bmp"] {
            let bytes = try Fixture.bytes(name)
            let pixels = 33 * 40
            #expect(throws: Never.self) { try RGBImage(file: bytes, limits: ImageLimits(maxPixels: pixels)) }
            for limits in [ImageLimits(maxPixels: pixels - 1), ImageLimits(maxBytes: bytes.count - 1)] {
                let error = #expect(throws: ImageFileError.self) { try RGBImage(file: bytes, limits: limits) }
                #expect(error?.code == .tooLarge)
            }
        }
    }

    @Test("A header that promises more pixels than the file can hold is refused before memory is taken")
    func lyingHeaders() throws {
        // 8,000 by 8,000 pixels, which the default limits allow.
        var jpeg = try Fixture.bytes("33x40-420.jpg")
        let frame = try #require(jpeg.indices.dropLast(9).first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0x1F, 0x40, 0x1F, 0x40])
        var png = try Fixture.bytes("33x40-RGB.png")
        png.replaceSubrange(16..<24, with: [0, 0, 0x1F, 0x40, 0, 0, 0x1F, 0x40])
        let checksum = Fixture.checksum(png[12..<29])
        png.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) })
        for bytes in [jpeg, png] {
            let error = #expect(throws: ImageFileError.self) { try RGBImage(file: bytes) }
            #expect(error?.code == .truncated)
        }
        // 100,000 pixels each way are beyond the limits, and JPEG cannot even say so.
        png.replaceSubrange(16..<24, with: [0, 1, 0x86, 0xA0, 0, 1, 0x86, 0xA0])
        let large = Fixture.checksum(png[12..<29])
        png.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: large >> (24 - 8 * $0)) })
        let error = #expect(throws: ImageFileError.self) { try RGBImage(file: png) }
        #expect(error?.code == .tooLarge)
    }

    @Test("Damaged files are read or refused within 128 MiB, and none ends the program")
    func damagedFiles() throws {
        let count = TestLevel.rounds(1_500, all: 30_000)
        let probe = try #require(ProgramBesideTests.url("leap-vision-probe"))
        let process = Process()
        process.executableURL = probe
        process.arguments = ["1", "\(count)"] + Fixture.names.map { Fixture.folder.appending(path: $0).path }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let hasEnded = process.terminationReason == .exit && process.terminationStatus == 0
        #expect(hasEnded, "\(text)")
        let counts: [Int] = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(counts.count == 2)
        #expect(counts[0] + counts[1] == count)
        #expect(counts[0] > count / 10)
        #expect(counts[1] > count / 10)
    }
}
