import LeapBase
import LeapTestSupport
import LeapVision
import Testing

struct SquareTilingTests {
    @Test("12,000 sizes become the tiles, sizes and tokens that transformers makes of them")
    func layouts() throws {
        let kinds = [
            (512, 2048, 16, 4), (364, 1456, 14, 2), (384, 1536, 14, 3), (512, 1500, 16, 4), (100, 5000, 16, 3),
            (512, 512, 16, 4),
        ]
        var numbers = SharedNumbers(state: 8)
        for (block, checksum) in try Fixture.json("layouts-squares.json", as: [UInt32].self).enumerated() {
            var lines = ""
            for index in 0..<600 {
                let limit = [4_000, 300, 30_000][index % 3]
                var (width, height) = (1 + numbers.next() % limit, 1 + numbers.next() % (limit < 30_000 ? limit : 64))
                if index % 2 == 1 { swap(&width, &height) }
                let (side, longest, patch, factor) = kinds[numbers.next() % kinds.count]
                let rules = ImageTiling.Squares(
                    patchSize: patch, downsampling: factor, tileSize: side, longestEdge: longest)
                let layout = rules.layout(width: width, height: height)
                let grid = layout.grid ?? (0, 0)
                let first = try #require(layout.first)
                lines += "\(grid.columns) \(grid.rows) \(first.width) \(first.height) \(layout.tokenCount)\n"
                #expect(layout.tokenCount <= rules.maxImageTokens)
            }
            #expect(Fixture.checksum(lines.utf8) == checksum, "sizes \(600 * block) to \(600 * block + 599)")
        }
    }

    @Test("The parts' pixels are those of transformers, bit for bit")
    func parts() throws {
        var images: [[Int]: RGBImage] = [:]
        for (name, checksums) in try Fixture.json("parts-squares.json", as: [String: [UInt32]].self) {
            let numbers = name.split(separator: " ").compactMap { Int($0) }
            let image =
                images[Array(numbers[3...])]
                ?? RGBImage(
                    width: numbers[3], height: numbers[4],
                    bytes: PatternImage.bytes(width: numbers[3], height: numbers[4]))
            images[Array(numbers[3...])] = image
            var rules = ImageTiling.Squares(
                patchSize: 16, downsampling: 1, tileSize: numbers[0], longestEdge: numbers[1])
            rules.splitsImages = numbers[2] == 1
            let parts = rules.layout(width: image.width, height: image.height).parts(of: image)
            #expect(parts.map { Fixture.checksum($0.bytes) } == checksums, "\(name)")
        }
    }

    @Test("A limit on tokens takes tiles away, down to the whole image")
    func maxTokens() {
        var rules = ImageTiling.Squares(patchSize: 16, downsampling: 4, tileSize: 512, longestEdge: 2048)
        #expect(rules.layout(width: 900, height: 900).tokenCount == 17 * 64)
        #expect(rules.maxImageTokens == 17 * 64)
        for (limit, count) in [(17 * 64, 17), (16 * 64, 10), (10 * 64, 10), (9 * 64, 5), (4 * 64, 1), (64, 1)] {
            rules.maxTokens = limit
            #expect(rules.layout(width: 900, height: 900).tokensOfParts.count == count, "\(limit)")
            #expect(rules.maxImageTokens <= limit)
        }
    }

    @Test("Pixels behind the last whole patch are left out")
    func remainder() {
        let image = RGBImage(width: 7, height: 5, bytes: PatternImage.bytes(width: 7, height: 5))
        let part = RGBImage(
            width: 6, height: 4, bytes: (0..<4).flatMap { y in (0..<6).flatMap { PatternImage.pixel($0, y) } })
        #expect(image.patchValues(patchSize: 2) == part.patchValues(patchSize: 2))
    }
}
