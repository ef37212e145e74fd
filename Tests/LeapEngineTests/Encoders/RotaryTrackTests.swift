import LeapModel
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCompute

/// The positions of tokens and of pictures' places for rotations by rows and columns.
@Suite(.inTurns)
struct RotaryTrackTests {
    private static func grid(_ rows: Int, _ columns: Int, content: UInt32 = 0) -> [TokenID] {
        (0..<rows * columns).map {
            PlaceToken.make(
                $0 == 0 ? .grid : $0 % columns == 0 ? .row : .column, content: content &+ UInt32($0))
        }
    }

    private static func positions(_ tokens: [TokenID]) -> [[Int32]] {
        var track = RotaryTrack()
        return tokens.map {
            let position = track.advance($0)
            return [position.time, position.row, position.column]
        }
    }

    @Test("A picture takes as many positions as its longer side, and text goes on behind it")
    func pictures() {
        let tokens = [7, 8] + Self.grid(2, 3) + [9] + Self.grid(3, 1) + Self.grid(1, 2) + [10]
        #expect(
            Self.positions(tokens) == [
                [0, 0, 0], [1, 1, 1],
                [2, 2, 2], [2, 2, 3], [2, 2, 4], [2, 3, 2], [2, 3, 3], [2, 3, 4],
                [5, 5, 5],
                [6, 6, 6], [6, 7, 6], [6, 8, 6],
                [9, 9, 9], [9, 9, 10],
                [11, 11, 11],
            ])
    }

    @Test("Vectors without a grid are positions like those of text, and a row that no grid begins too")
    func others() {
        let plain = PlaceToken.make(.position, content: .max)
        let stray = PlaceToken.make(.row, content: 5)
        #expect(Self.positions([1, plain, plain, stray, 2]).map { $0[2] } == [0, 1, 2, 3, 4])
        #expect(!RotaryTrack([1, plain, stray]).hasGrids && RotaryTrack(Self.grid(1, 1)).hasGrids)
        #expect(RotaryTrack([1, 2, 3]) == RotaryTrack(textLength: 3))
    }

    @Test("All numbers of places are negative and keep 29 bits of the content", arguments: [0, 1, UInt32.max, 1 << 29])
    func tokens(content: UInt32) {
        for step in [PlaceToken.Step.position, .grid, .row, .column] {
            let token = PlaceToken.make(step, content: content)
            #expect(token < 0 && PlaceToken.step(of: token) == step)
            #expect(UInt32(bitPattern: token) & 0x1FFF_FFFF == content & 0x1FFF_FFFF)
        }
        #expect(PlaceToken.step(of: 0) == nil && PlaceToken.step(of: .max) == nil)
    }
}
