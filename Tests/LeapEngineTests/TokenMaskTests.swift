import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct TokenMaskTests {
    @Test("Everything is exactly the ids below the count", arguments: [0, 1, 63, 64, 65, 130])
    func everythingExactlyIdsBelow(count: Int) {
        var mask = TokenMask(count: count, allowed: true)
        #expect(mask.allowedCount == count)
        #expect(!mask[Int32(count)] && !mask[-1])
        mask.setAll(false)
        #expect(mask.isEmpty)
        mask.withUnsafeMutableWords { words in for i in words.indices { words[i] = .max } }
        #expect(mask.allowedCount == count)
    }

    @Test("The intersection with a shorter mask drops what that does not cover")
    func intersectionShorterMaskDrops() {
        var mask = TokenMask(count: 200, allowed: true)
        var other = TokenMask(count: 70, allowed: false)
        other[3] = true
        other[69] = true
        other[70] = true  // outside: no effect
        mask.formIntersection(other)
        #expect(mask.allowedCount == 2 && mask[3] && mask[69])
    }
}
