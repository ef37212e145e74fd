import LeapBase
import LeapTestSupport
import LeapVision
import Testing

struct TilingTests {
    @Test("12,000 sizes become the tiles, sizes and tokens that transformers makes of them")
    func layouts() throws {
        var numbers = SharedNumbers(state: 7)
        for (block, checksum) in try Fixture.json("layouts.json", as: [UInt32].self).enumerated() {
            var lines = ""
            for index in 0..<600 {
                let limit = [4_000, 300, 30_000][index % 3]
                var (width, height) = (1 + numbers.next() % limit, 1 + numbers.next() % (limit < 30_000 ? limit : 64))
                if index % 2 == 1 { swap(&width, &height) }
                var rules = ImageTiling.Native()
                (rules.minTokens, rules.maxTokens, rules.splitsLargeImages) =
                    [(64, 256, true), (32, 64, true), (1, 512, false), (16, 128, true)][index % 4]
                let layout = rules.layout(width: width, height: height)
                let grid = layout.grid ?? (1, 1)
                lines +=
                    "\(grid.columns) \(grid.rows) \(layout.whole.width) \(layout.whole.height) \(layout.tokenCount)\n"
            }
            #expect(Fixture.checksum(lines.utf8) == checksum, "sizes \(600 * block) to \(600 * block + 599)")
        }
    }

    @Test("The parts' pixels are those of transformers, bit for bit")
    func parts() throws {
        for (name, checksums) in try Fixture.json("parts.json", as: [String: [UInt32]].self)
        where TestLevel.isAll || name != "800x600" {
            let size = name.split(separator: "x").compactMap { Int($0) }
            let image = RGBImage(
                width: size[0], height: size[1], bytes: PatternImage.bytes(width: size[0], height: size[1]))
            let layout = ImageTiling.Native().layout(width: size[0], height: size[1])
            let parts = layout.parts(of: image)
            #expect(parts.map { Fixture.checksum($0.bytes) } == checksums, "\(name)")
            #expect(parts.reduce(0) { $0 + $1.width / 32 * ($1.height / 32) } == layout.tokenCount, "\(name)")
        }
    }
}
