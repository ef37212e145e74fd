import LeapBase
import LeapTestSupport
import LeapVision
import Testing

/// Pictures that stay whole.
struct WholeImageTests {
    private static func rules(_ unit: Int, _ smallest: Int, _ largest: Int) -> ImageTiling.Whole {
        ImageTiling.Whole(patchSize: unit / 2, downsampling: 2, minPixels: smallest, maxPixels: largest)
    }

    @Test("12,000 sizes become those that transformers makes of them")
    func layouts() throws {
        let kinds = [(32, 65536, 1 << 20), (32, 65536, 1 << 24), (28, 3136, 1 << 20), (64, 4096, 200_000)]
        var numbers = SharedNumbers(state: 9)
        for (block, checksum) in try Fixture.json("layouts-whole.json", as: [UInt32].self).enumerated() {
            var lines = ""
            for index in 0..<600 {
                let limit = [4_000, 300, 30_000][index % 3]
                var (width, height) = (1 + numbers.next() % limit, 1 + numbers.next() % (limit < 30_000 ? limit : 640))
                if index % 2 == 1 { swap(&width, &height) }
                let (unit, smallest, largest) = kinds[index % 4]
                let layout = Self.rules(unit, smallest, largest).layout(width: width, height: height)
                let isRefused = max(width, height) > 200 * min(width, height)
                lines += isRefused ? "-\n" : "\(layout.whole.width) \(layout.whole.height)\n"
                #expect(layout.tokenCount == layout.whole.width / unit * (layout.whole.height / unit))
                #expect(layout.columnsOfWhole == layout.whole.width / unit)
            }
            #expect(Fixture.checksum(lines.utf8) == checksum, "sizes \(600 * block) to \(600 * block + 599)")
        }
    }

    @Test("The pixels are those of transformers, bit for bit")
    func parts() throws {
        for (name, numbers) in try Fixture.json("parts-whole.json", as: [String: [UInt32]].self)
        where TestLevel.isAll || name != "1030x771" {
            let size = name.split(separator: "x").compactMap { Int($0) }
            let image = RGBImage(
                width: size[0], height: size[1], bytes: PatternImage.bytes(width: size[0], height: size[1]))
            let layout = Self.rules(32, 65536, 1 << 18).layout(width: size[0], height: size[1])
            let parts = layout.parts(of: image)
            #expect(parts.count == 1, "\(name)")
            #expect(
                parts.map { [UInt32($0.width), UInt32($0.height), Fixture.checksum($0.bytes)] } == [numbers], "\(name)")
        }
    }

    @Test("12,000 sizes become those that transformers makes of them for Gemma 4")
    func filledLayouts() throws {
        var numbers = SharedNumbers(state: 10)
        for (block, checksum) in try Fixture.json("layouts-filled.json", as: [UInt32].self).enumerated() {
            var lines = ""
            for index in 0..<600 {
                let limit = [4_000, 300, 30_000][index % 3]
                var (width, height) = (1 + numbers.next() % limit, 1 + numbers.next() % (limit < 30_000 ? limit : 640))
                if index % 2 == 1 { swap(&width, &height) }
                let rules = ImageTiling.Filled(patchSize: 16, downsampling: 3, tokens: [70, 140, 280, 1120][index % 4])
                let layout = rules.layout(width: width, height: height)
                lines += "\(layout.whole.width) \(layout.whole.height)\n"
                #expect((1...rules.tokens).contains(layout.tokenCount))
            }
            #expect(Fixture.checksum(lines.utf8) == checksum, "sizes \(600 * block) to \(600 * block + 599)")
        }
    }

    @Test("Gemma 4's pixels are those of transformers, bit for bit")
    func filledParts() throws {
        for (name, numbers) in try Fixture.json("parts-filled.json", as: [String: [UInt32]].self)
        where TestLevel.isAll || name != "1030x771" {
            let size = name.split(separator: "x").compactMap { Int($0) }
            let image = RGBImage(
                width: size[0], height: size[1], bytes: PatternImage.bytes(width: size[0], height: size[1]))
            let rules = ImageTiling.Filled(patchSize: 16, downsampling: 3, tokens: 70)
            let parts = rules.layout(width: size[0], height: size[1]).parts(of: image)
            #expect(
                parts.map { [UInt32($0.width), UInt32($0.height), Fixture.checksum($0.bytes)] } == [numbers], "\(name)")
        }
    }

    @Test("A picture of any proportions is bounded: beyond 200 to 1 it is brought to that")
    func slivers() {
        let rules = Self.rules(32, 65536, 1 << 20)
        for (width, height) in [(1, 30_000), (30_000, 1), (3, 65_535), (1, 1)] {
            let layout = rules.layout(width: width, height: height)
            #expect((1...rules.maxImageTokens).contains(layout.tokenCount), "\(width)x\(height)")
        }
        #expect(rules.layout(width: 1, height: 30_000).whole == rules.layout(width: 1, height: 200).whole)
    }
}
