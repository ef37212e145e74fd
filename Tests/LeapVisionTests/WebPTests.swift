import LeapBase
import LeapTestSupport
import Testing

@testable import LeapVision

/// WebP files, by the system's library.
struct WebPTests {
    /// True if the tests below can run; without the library they are left out, and `missing` still runs.
    static var hasLibrary: Bool {
        #if canImport(ImageIO)
            true
        #else
            SystemWebP.shared != nil
        #endif
    }

    @Test(
        "Lossless files have the pixels of the PNG files they were made of, also transparent ones",
        .enabled(if: hasLibrary))
    func lossless() throws {
        for (name, original) in [("lossless", "RGB"), ("clear", "RGBA")] {
            let image = try RGBImage(file: Fixture.bytes("17x9-\(name).webp"))
            #expect(image == (try RGBImage(file: Fixture.bytes("17x9-\(original).png"))), "\(name)")
        }
    }

    @Test("A lossy file has about the pixels it was made of", .enabled(if: hasLibrary))
    func lossy() throws {
        let image = try RGBImage(file: Fixture.bytes("17x9-lossy.webp"))
        let original = try RGBImage(file: Fixture.bytes("17x9-RGB.png"))
        #expect(image.width == 17 && image.height == 9)
        let sum = zip(image.bytes, original.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(sum < 40 * image.bytes.count && image != original)
    }

    @Test("A picture is turned as its camera noted", .enabled(if: hasLibrary))
    func orientation() throws {
        for orientation in 1...8 {
            let image = try RGBImage(file: Fixture.bytes("exif\(orientation).webp"))
            #expect(image == (try RGBImage(file: Fixture.bytes("exif\(orientation)-webp.png"))), "\(orientation)")
        }
    }

    @Test("Of a file that moves it is the first frame, on white where that covers a part", .enabled(if: hasLibrary))
    func moving() throws {
        let first = try RGBImage(file: Fixture.bytes("moving-part.webp"))
        let expected = try RGBImage(file: Fixture.bytes("moving-part-webp.png"))
        #expect(first == expected)
        let lossy = try RGBImage(file: Fixture.bytes("moving-lossy.webp"))
        #expect(lossy.width == 20 && lossy.height == 12)
        let sum = zip(lossy.bytes, expected.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(sum < 20 * lossy.bytes.count && lossy != expected)
        let whole = try RGBImage(file: Fixture.bytes("17x9-moving.webp"))
        #expect(whole.width == 17 && whole.height == 9)
    }

    #if !canImport(ImageIO)
        @Test("Animations whose first frame is missing or lies elsewhere are refused", .enabled(if: hasLibrary))
        func damagedAnimation() throws {
            let file = try Fixture.bytes("moving-part.webp")
            let frame = try #require(file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual("ANMF".utf8) })
            let cut = #expect(throws: ImageFileError.self) { try RGBImage(file: Array(file.prefix(frame))) }
            #expect(cut?.code == .truncated)
            var moved = file
            moved[frame + 8] = 9
            let outside = #expect(throws: ImageFileError.self) { try RGBImage(file: moved) }
            #expect(outside?.code == .damaged)
            var wide = file
            // 16 million columns of the canvas, which are not all in memory before it is refused.
            wide[26] = 255
            let large = #expect(throws: ImageFileError.self) { try RGBImage(file: wide) }
            #expect(large?.code == .tooLarge)
        }
    #endif

    @Test("A file of more pixels or bytes than allowed is refused", .enabled(if: hasLibrary))
    func refused() throws {
        let file = try Fixture.bytes("17x9-lossless.webp")
        for limits in [ImageLimits(maxPixels: 152), ImageLimits(maxBytes: file.count - 1)] {
            let error = #expect(throws: ImageFileError.self) { try RGBImage(file: file, limits: limits) }
            #expect(error?.code == .tooLarge)
        }
        #expect(throws: Never.self) {
            try RGBImage(file: file, limits: ImageLimits(maxBytes: file.count, maxPixels: 153))
        }
        // A lossless header of 16,384 by 16,384 pixels, and no more.
        let header =
            Array("RIFF".utf8) + [18, 0, 0, 0] + Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 0xFF, 0xFF, 0xFF, 0x0F, 0]
        let huge = #expect(throws: ImageFileError.self) { try RGBImage(file: header) }
        #expect(huge?.code == .tooLarge)
    }

    @Test(
        "Files that are cut or changed anywhere are read or refused, and none ends the program",
        .enabled(if: hasLibrary))
    func damaged() throws {
        var numbers = SharedNumbers(state: 7)
        for name in ["17x9-lossless", "17x9-clear", "17x9-lossy", "moving-part", "exif6"] {
            let file = try Fixture.bytes("\(name).webp")
            var refused = 0
            for length in 0..<file.count where (try? RGBImage(file: Array(file.prefix(length)))) == nil { refused += 1 }
            #expect(refused > 200)
            for _ in 0..<1500 {
                var changed = file
                for _ in 0...numbers.next() % 3 { changed[numbers.next() % file.count] = UInt8(numbers.next() % 256) }
                _ = try? RGBImage(file: changed, limits: ImageLimits(maxPixels: 1 << 20))
            }
        }
    }

    #if !canImport(ImageIO)
        @Test("A library that is not there, or is another one, is none")
        func missing() {
            #expect(SystemWebP(names: []) == nil)
            #expect(SystemWebP(names: ["libno-such-library.so.1"]) == nil)
            #expect(SystemWebP(names: ["libm.so.6"]) == nil)
        }
    #endif
}
