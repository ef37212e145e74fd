/// The inverse discrete cosine transform of a block, in integers.
///
/// It is the factorisation of Loeffler, Ligtenberg and Moschytz (ICASSP 1989)
/// with constants of 13 bits, columns first. libjpeg's accurate method computes the same numbers.
enum JPEGTransform {
    /// Coefficients are stored along the diagonals of a block (ITU-T T.81, figure A.6): where in the block each belongs.
    static let zigzag: [Int] = {
        var order: [Int] = []
        for diagonal in 0..<15 {
            let range = max(0, diagonal - 7)...min(7, diagonal)
            let rows = diagonal % 2 == 0 ? Array(range.reversed()) : Array(range)
            order += rows.map { 8 * $0 + diagonal - $0 }
        }
        return order
    }()

    private static func constant(_ value: Double) -> Int32 { Int32((value * 8192).rounded()) }

    private static let c0298 = constant(0.298631336)
    private static let c0390 = constant(0.390180644)
    private static let c0541 = constant(0.541196100)
    private static let c0765 = constant(0.765366865)
    private static let c0899 = constant(0.899976223)
    private static let c1175 = constant(1.175875602)
    private static let c1501 = constant(1.501321110)
    private static let c1847 = constant(1.847759065)
    private static let c1961 = constant(1.961570560)
    private static let c2053 = constant(2.053119869)
    private static let c2562 = constant(2.562915447)
    private static let c3072 = constant(3.072711026)

    /// Eight numbers of a row.
    private typealias Line = SIMD8<Int32>
    private typealias Block = (Line, Line, Line, Line, Line, Line, Line, Line)

    /// Transforms all columns.
    ///
    /// Sums wrap where a file's numbers are absurd.
    @inline(__always)
    private static func transform(_ s: Block, shift: Int32) -> Block {
        let z1 = (s.2 &+ s.6) &* c0541
        let even2 = z1 &- s.6 &* c1847
        let even3 = z1 &+ s.2 &* c0765
        let even0 = (s.0 &+ s.4) &<< 13
        let even1 = (s.0 &- s.4) &<< 13
        let (e0, e3) = (even0 &+ even3, even0 &- even3)
        let (e1, e2) = (even1 &+ even2, even1 &- even2)

        let z5 = (s.7 &+ s.3 &+ s.5 &+ s.1) &* c1175
        let y1 = (s.7 &+ s.1) &* c0899
        let y2 = (s.5 &+ s.3) &* c2562
        let y3 = z5 &- (s.7 &+ s.3) &* c1961
        let y4 = z5 &- (s.5 &+ s.1) &* c0390
        let o0 = s.7 &* c0298 &- y1 &+ y3
        let o1 = s.5 &* c2053 &- y2 &+ y4
        let o2 = s.3 &* c3072 &- y2 &+ y3
        let o3 = s.1 &* c1501 &- y1 &+ y4

        let rounding = Line(repeating: 1 &<< (shift &- 1))
        let by = Line(repeating: shift)
        return (
            (e0 &+ o3 &+ rounding) &>> by, (e1 &+ o2 &+ rounding) &>> by, (e2 &+ o1 &+ rounding) &>> by,
            (e3 &+ o0 &+ rounding) &>> by, (e3 &- o0 &+ rounding) &>> by, (e2 &- o1 &+ rounding) &>> by,
            (e1 &- o2 &+ rounding) &>> by, (e0 &- o3 &+ rounding) &>> by
        )
    }

    @inline(__always)
    private static func transposed(_ b: Block) -> Block {
        @inline(__always) func column(_ index: Int) -> Line {
            Line(b.0[index], b.1[index], b.2[index], b.3[index], b.4[index], b.5[index], b.6[index], b.7[index])
        }
        return (column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7))
    }

    /// Writes a block's samples.
    ///
    /// - Parameters:
    ///   - coefficients: 64 from `offset`, row by row.
    ///   - quantisation: what each is multiplied with.
    ///   - plane: receives eight rows of eight samples, the first at `start`, each row `stride` behind the one before.
    static func inverse(
        _ coefficients: borrowing [Int16], at offset: Int, quantisation: borrowing [Int32], to plane: inout [UInt8],
        at start: Int, stride: Int
    ) {
        @inline(__always) func row(_ index: Int) -> Line {
            var line = Line()
            for column in 0..<8 {
                let place = 8 * index + column
                line[column] = Int32(coefficients[offset + place]) &* quantisation[place]
            }
            return line
        }
        let block = (row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
        let columns = transform(block, shift: 11)
        let rows = transposed(transform(transposed(columns), shift: 18))
        @inline(__always) func put(_ index: Int, _ line: Line) {
            let samples = (line &+ 128).clamped(lowerBound: Line(), upperBound: Line(repeating: 255))
            let bytes = SIMD8<UInt8>(truncatingIfNeeded: samples)
            let place = start + index * stride
            for column in 0..<8 { plane[place + column] = bytes[column] }
        }
        put(0, rows.0)
        put(1, rows.1)
        put(2, rows.2)
        put(3, rows.3)
        put(4, rows.4)
        put(5, rows.5)
        put(6, rows.6)
        put(7, rows.7)
    }
}
