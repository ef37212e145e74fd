import CLeapKernels

/// The inverse discrete cosine transform of a block, in integers.
///
/// It is the factorisation of Loeffler, Ligtenberg and Moschytz (ICASSP 1989)
/// with constants of 13 bits, columns first. libjpeg's accurate method computes the same numbers, and libjpeg-turbo's
/// vectors do with numbers of 16 bits between the two passes. Where the instruction set in use has a kernel for it,
/// that computes the same.
enum JPEGTransform {
    /// Coefficients are stored along the diagonals of a block (ITU-T T.81, figure A.6): where in the block each
    /// belongs.
    static let zigzag: [Int] = {
        var order: [Int] = []
        for diagonal in 0..<15 {
            let range = max(0, diagonal - 7)...min(7, diagonal)
            let rows = diagonal % 2 == 0 ? Array(range.reversed()) : Array(range)
            order += rows.map { 8 * $0 + diagonal - $0 }
        }
        return order
    }()

    // Read only, and never freed.
    private nonisolated(unsafe) static let zigzagBuffer = JPEGBuffer<UInt8>(zigzag.map { UInt8($0) }, or: 0)
    /// The same, 64 of them, for loops over many blocks.
    static var zigzagPointer: UnsafeMutablePointer<UInt8> { zigzagBuffer.pointer }

    /// A kernel for blocks; `nil` where portable code does as well.
    typealias Kernel =
        @convention(c) (UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafeMutablePointer<UInt8>, Int) -> Void

    /// The kernel of the instruction set in use.
    static var kernel: Kernel? { leap_jpeg_kernels_current().block }

    /// Eight numbers of a row.
    private typealias Line = SIMD8<Int16>
    /// Four of them, with room for products.
    private typealias Wide = SIMD4<Int32>
    private typealias Block = (Line, Line, Line, Line, Line, Line, Line, Line)
    private typealias Half = (Wide, Wide, Wide, Wide, Wide, Wide, Wide, Wide)

    /// Widens half of a line: each number is the upper half of one of 32 bits, which is one instruction, and is shifted
    /// down.
    @inline(__always)
    private static func low(_ a: Line) -> Wide {
        unsafeBitCast(Line(0, a[0], 0, a[1], 0, a[2], 0, a[3]), to: Wide.self) &>> Wide(repeating: 16)
    }

    @inline(__always)
    private static func high(_ a: Line) -> Wide {
        unsafeBitCast(Line(0, a[4], 0, a[5], 0, a[6], 0, a[7]), to: Wide.self) &>> Wide(repeating: 16)
    }

    /// The lower halves of eight numbers, which hold all of them.
    @inline(__always)
    private static func packed(_ low: Wide, _ high: Wide) -> Line {
        let (a, b) = (unsafeBitCast(low, to: Line.self), unsafeBitCast(high, to: Line.self))
        return Line(a[0], a[2], a[4], a[6], b[0], b[2], b[4], b[6])
    }

    /// Transforms four columns, and scales them by `scaled`.
    ///
    /// Sums wrap where a file's numbers are absurd.
    @inline(__always)
    private static func transform(
        _ w: Half, _ z3: Wide, _ z4: Wide, rounding: Int32, _ scaled: (Wide) -> Wide
    ) -> Half {
        // Sums of the constants of the factorisation fit into 16 bits, and products of two such numbers are cheap.
        let (c0298, c0390, c0541, c0765) = (Int32(2446), Int32(3196), Int32(4433), Int32(6270))
        let (c0899, c1175, c1501, c1847) = (Int32(7373), Int32(9633), Int32(12299), Int32(15137))
        let (c1961, c2053, c2562, c3072) = (Int32(16069), Int32(16819), Int32(20995), Int32(25172))

        let even2 = w.2 &* c0541 &+ w.6 &* (c0541 - c1847)
        let even3 = w.2 &* (c0541 + c0765) &+ w.6 &* c0541
        let thirteen = Wide(repeating: 13)
        let half = Wide(repeating: rounding)
        let even0 = (w.0 &+ w.4) &<< thirteen &+ half
        let even1 = (w.0 &- w.4) &<< thirteen &+ half
        let (e0, e3) = (even0 &+ even3, even0 &- even3)
        let (e1, e2) = (even1 &+ even2, even1 &- even2)

        let y3 = z3 &* (c1175 - c1961) &+ z4 &* c1175
        let y4 = z3 &* c1175 &+ z4 &* (c1175 - c0390)
        let o0 = w.7 &* (c0298 - c0899) &+ w.1 &* -c0899 &+ y3
        let o1 = w.5 &* (c2053 - c2562) &+ w.3 &* -c2562 &+ y4
        let o2 = w.3 &* (c3072 - c2562) &+ w.5 &* -c2562 &+ y3
        let o3 = w.1 &* (c1501 - c0899) &+ w.7 &* -c0899 &+ y4
        return (
            scaled(e0 &+ o3), scaled(e1 &+ o2), scaled(e2 &+ o1), scaled(e3 &+ o0), scaled(e3 &- o0), scaled(e2 &- o1),
            scaled(e1 &- o2), scaled(e0 &- o3)
        )
    }

    /// Transforms all columns.
    @inline(__always)
    private static func transform(_ s: Block, rounding: Int32, _ scaled: (Wide) -> Wide) -> Block {
        let (z3, z4) = (s.7 &+ s.3, s.5 &+ s.1)
        let a = transform(
            (low(s.0), low(s.1), low(s.2), low(s.3), low(s.4), low(s.5), low(s.6), low(s.7)), low(z3), low(z4),
            rounding: rounding, scaled)
        let b = transform(
            (high(s.0), high(s.1), high(s.2), high(s.3), high(s.4), high(s.5), high(s.6), high(s.7)), high(z3),
            high(z4),
            rounding: rounding, scaled)
        return (
            packed(a.0, b.0), packed(a.1, b.1), packed(a.2, b.2), packed(a.3, b.3), packed(a.4, b.4), packed(a.5, b.5),
            packed(a.6, b.6), packed(a.7, b.7)
        )
    }

    @inline(__always)
    private static func transposed(_ b: Block) -> Block {
        // Every step takes two lines, which is one instruction.
        @inline(__always) func low(_ a: Line, _ b: Line) -> Line {
            Line(a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3])
        }
        @inline(__always) func high(_ a: Line, _ b: Line) -> Line {
            Line(a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7])
        }
        @inline(__always) func step(_ b: Block) -> Block {
            (
                low(b.0, b.4), high(b.0, b.4), low(b.1, b.5), high(b.1, b.5), low(b.2, b.6), high(b.2, b.6),
                low(b.3, b.7), high(b.3, b.7)
            )
        }
        return step(step(step(b)))
    }

    /// Writes a block's samples.
    ///
    /// - Parameters:
    ///   - coefficients: 64, row by row.
    ///   - last: the last one along the diagonals that may not be 0.
    ///   - quantisation: what each is multiplied with.
    ///   - plane: receives eight rows of eight samples, each row `stride` after the one before.
    ///   - kernel: what does it in place of portable code.
    @inline(__always)
    static func inverse(
        _ coefficients: UnsafePointer<Int16>, last: Int, quantisation: UnsafePointer<Int16>,
        to plane: UnsafeMutablePointer<UInt8>, stride: Int, _ kernel: Kernel?
    ) {
        let output = UnsafeMutableRawPointer(plane)
        if last == 0 {
            // All samples are the same.
            let mean = Int32(coefficients[0] &* quantisation[0])
            let sample = UInt8(truncatingIfNeeded: min(max((mean + 4) >> 3 + 128, 0), 255))
            let line = SIMD8<UInt8>(repeating: sample)
            for row in 0..<8 { output.storeBytes(of: line, toByteOffset: row &* stride, as: SIMD8<UInt8>.self) }
            return
        }
        if let kernel { return kernel(coefficients, quantisation, plane, stride) }
        portable(coefficients, quantisation, output, stride)
    }

    private static func portable(
        _ coefficients: UnsafePointer<Int16>, _ quantisation: UnsafePointer<Int16>, _ output: UnsafeMutableRawPointer,
        _ stride: Int
    ) {
        @inline(__always) func row(_ index: Int) -> Line {
            let (a, b) = (UnsafeRawPointer(coefficients + 8 &* index), UnsafeRawPointer(quantisation + 8 &* index))
            return a.loadUnaligned(as: Line.self) &* b.loadUnaligned(as: Line.self)
        }
        let block = (row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7))
        // Shifted by 11, of which 16 bits are kept; then by 18.
        let columns = transform(block, rounding: 1 << 10) { ($0 &<< Wide(repeating: 5)) &>> Wide(repeating: 16) }
        let rows = transposed(transform(transposed(columns), rounding: 1 << 17) { $0 &>> Wide(repeating: 18) })
        @inline(__always) func put(_ index: Int, _ line: Line) {
            let samples = (line &+ Line(repeating: 128)).clamped(
                lowerBound: Line(repeating: 0), upperBound: Line(repeating: 255))
            output.storeBytes(
                of: SIMD8<UInt8>(truncatingIfNeeded: samples), toByteOffset: index &* stride, as: SIMD8<UInt8>.self)
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
