import CLeapKernels
import LeapBase
import LeapTestSupport
import Testing

/// Keys and values of one sequence, in pages that are filled with NaN first: what is not written must not matter.
private final class Cache {
    let kvType: Int
    let kvHeads: Int
    let headDim: Int
    private let pages: [UnsafeMutableRawPointer]
    private let pageCount: Int
    let keys: UnsafeMutablePointer<UnsafeRawPointer?>
    let values: UnsafeMutablePointer<UnsafeRawPointer?>

    init(k: [Float], v: [Float], kvType: Int, kvHeads: Int, headDim: Int, pool: TestPool) {
        self.kvType = kvType
        self.kvHeads = kvHeads
        self.headDim = headDim
        let width = kvHeads * headDim
        let depth = k.count / width
        let pageCount = (depth + Int(LEAP_KV_PAGE) - 1) / Int(LEAP_KV_PAGE)
        self.pageCount = pageCount
        let bytes = leap_kv_page_bytes(Int32(kvType), Int32(kvHeads), Int32(headDim))
        let pages = (0..<(2 * pageCount)).map { _ in
            let page = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: Int(LEAP_ALIGNMENT))
            page.initializeMemory(as: UInt8.self, repeating: 0xff, count: bytes)
            return page
        }
        self.pages = pages
        keys = .allocate(capacity: pageCount)
        values = .allocate(capacity: pageCount)
        for index in 0..<pageCount {
            keys[index] = UnsafeRawPointer(pages[2 * index])
            values[index] = UnsafeRawPointer(pages[2 * index + 1])
        }
        let slots = (0..<depth).map { position in
            let page = position / Int(LEAP_KV_PAGE)
            return leap_kv_slot(
                k_page: pages[2 * page], v_page: pages[2 * page + 1], offset: Int32(position % Int(LEAP_KV_PAGE)))
        }
        pool.use {
            leap_kv_store(
                $0, Int32(kvType), Int32(kvHeads), Int32(headDim), k, Int64(width), v, Int64(width), slots, Int64(depth)
            )
        }
    }

    /// Forgets the pages before a position, as a cache with a window does.
    func dropPages(before position: Int) {
        for index in 0..<min(max(position, 0) / Int(LEAP_KV_PAGE), pageCount) {
            keys[index] = nil
            values[index] = nil
        }
    }

    deinit {
        for page in pages { page.deallocate() }
        keys.deallocate()
        values.deallocate()
    }
}

/// One shape of attention with random queries, keys and values.
struct AttentionCase: CustomTestStringConvertible, Sendable {
    var qHeads: Int
    var kvHeads: Int
    var headDim: Int
    var kvType = Int(LEAP_KV_F16)
    var window = 0
    var softcap: Float = 0
    var depth: Int
    /// Queries: the last positions.
    var count: Int
    /// True if every query sees all positions.
    var seesAll = false
    /// True if every head has a sink, some of them larger than any score.
    var hasSinks = false

    var sinks: [Float]? { hasSinks ? (0..<qHeads).map { [-2, 0.5, 40, -.infinity][$0 % 4] } : nil }

    /// The last position that a query sees.
    func position(_ index: Int) -> Int { seesAll ? depth - 1 : depth - count + index }

    var testDescription: String {
        "\(qHeads)/\(kvHeads) heads of \(headDim), \(["f32", "f16", "q8_0"][kvType]), depth \(depth), "
            + "window \(window), softcap \(softcap), \(count) queries\(seesAll ? " without a mask" : "")\(hasSinks ? ", sinks" : "")"
    }

    static let all = [
        AttentionCase(qHeads: 4, kvHeads: 2, headDim: 16, depth: 75, count: 20),
        AttentionCase(qHeads: 8, kvHeads: 2, headDim: 64, kvType: Int(LEAP_KV_F32), depth: 130, count: 5),
        AttentionCase(qHeads: 3, kvHeads: 3, headDim: 5, depth: 1, count: 1),
        AttentionCase(qHeads: 7, kvHeads: 1, headDim: 24, softcap: 5, depth: 64, count: 9),
        AttentionCase(qHeads: 2, kvHeads: 1, headDim: 80, window: 70, depth: 300, count: 12),
        AttentionCase(qHeads: 2, kvHeads: 2, headDim: 33, kvType: Int(LEAP_KV_F32), window: 3, depth: 140, count: 80),
        AttentionCase(qHeads: 2, kvHeads: 1, headDim: 16, depth: 1160, count: 3),
        AttentionCase(qHeads: 8, kvHeads: 2, headDim: 64, kvType: Int(LEAP_KV_Q8_0), depth: 130, count: 20),
        AttentionCase(qHeads: 3, kvHeads: 3, headDim: 5, kvType: Int(LEAP_KV_Q8_0), depth: 1, count: 1),
        AttentionCase(qHeads: 7, kvHeads: 1, headDim: 24, kvType: Int(LEAP_KV_Q8_0), softcap: 5, depth: 64, count: 9),
        AttentionCase(qHeads: 2, kvHeads: 1, headDim: 80, kvType: Int(LEAP_KV_Q8_0), window: 70, depth: 300, count: 12),
        AttentionCase(qHeads: 2, kvHeads: 2, headDim: 33, kvType: Int(LEAP_KV_Q8_0), window: 3, depth: 140, count: 80),
        AttentionCase(qHeads: 5, kvHeads: 1, headDim: 256, kvType: Int(LEAP_KV_Q8_0), depth: 700, count: 7),
        AttentionCase(qHeads: 2, kvHeads: 1, headDim: 16, kvType: Int(LEAP_KV_Q8_0), depth: 1160, count: 3),
        AttentionCase(qHeads: 4, kvHeads: 2, headDim: 16, depth: 75, count: 75, seesAll: true),
        AttentionCase(
            qHeads: 3, kvHeads: 3, headDim: 36, kvType: Int(LEAP_KV_F32), depth: 150, count: 150, seesAll: true),
        AttentionCase(qHeads: 8, kvHeads: 2, headDim: 64, depth: 130, count: 20, hasSinks: true),
        AttentionCase(qHeads: 4, kvHeads: 1, headDim: 16, window: 70, depth: 1160, count: 3, hasSinks: true),
        AttentionCase(qHeads: 4, kvHeads: 1, headDim: 16, depth: 1160, count: 1, hasSinks: true),
        AttentionCase(
            qHeads: 5, kvHeads: 5, headDim: 33, kvType: Int(LEAP_KV_Q8_0), depth: 70, count: 70, hasSinks: true),
    ]
}

struct AttentionTests {
    /// Queries, keys and values of a case; keys and values are exact in f16 and in q8_0, so that only the sums round.
    private static func data(_ c: AttentionCase, seed: UInt64) -> (q: [Float], k: [Float], v: [Float]) {
        var generator = SeededGenerator(seed: seed)
        /// Codes times a power of two for each block of 32, of which the first is the largest that a block has.
        func head() -> [Float] {
            var scale: Float = 0
            return (0..<c.headDim).map { index in
                let code = index % 32 == 0 ? -127 : Int.random(in: -127...127, using: &generator)
                if index % 32 == 0 { scale = 1 / Float(1 << Int.random(in: 6...8, using: &generator)) }
                return Float(code) * scale
            }
        }
        let k = (0..<c.depth * c.kvHeads).flatMap { _ in head() }
        let v = (0..<c.depth * c.kvHeads).flatMap { _ in head() }
        return (randomInput(c.count * c.qHeads * c.headDim, using: &generator), k, v)
    }

    /// Attention of the last c.count positions, `step` per call.
    private static func attend(_ c: AttentionCase, q: [Float], cache: Cache, step: Int, pool: TestPool) -> [Float] {
        let width = c.qHeads * c.headDim
        var out = [Float](repeating: .nan, count: c.count * width)
        var shape = leap_attention_shape(
            q_heads: Int32(c.qHeads), kv_heads: Int32(c.kvHeads), head_dim: Int32(c.headDim), kv_type: Int32(c.kvType),
            scale: 1 / Float(c.headDim).squareRoot(), softcap: c.softcap, window: Int64(c.window), sinks: nil)
        let sinks = c.sinks ?? []
        sinks.withUnsafeBufferPointer { sinks in
            if c.hasSinks { shape.sinks = sinks.baseAddress }
            q.withUnsafeBufferPointer { q in
                out.withUnsafeMutableBufferPointer { out in
                    guard let q = q.baseAddress, let out = out.baseAddress else { return }
                    let queries = (0..<c.count).map { index in
                        leap_attention_query(
                            k_pages: cache.keys, v_pages: cache.values, position: Int64(c.position(index)),
                            q: q + index * width, out: out + index * width, first: 0)
                    }
                    for first in stride(from: 0, to: c.count, by: step) {
                        let part = Array(queries[first..<min(first + step, c.count)])
                        pool.use { leap_attention($0, &shape, part, Int64(part.count)) }
                    }
                }
            }
        }
        return out
    }

    /// The definition, in double precision.
    private static func exact(_ c: AttentionCase, q: [Float], k: [Float], v: [Float]) -> [Double] {
        let width = c.kvHeads * c.headDim
        var out: [Double] = []
        for query in 0..<c.count {
            let position = c.position(query)
            let first = c.window > 0 ? max(0, position - c.window + 1) : 0
            for head in 0..<c.qHeads {
                let kvHead = head / (c.qHeads / c.kvHeads)
                let scores = (first...position).map { p in
                    var sum = 0.0
                    for i in 0..<c.headDim {
                        sum +=
                            Double(q[(query * c.qHeads + head) * c.headDim + i])
                            * Double(k[p * width + kvHead * c.headDim + i])
                    }
                    sum /= Double(c.headDim).squareRoot()
                    return c.softcap > 0 ? Double(c.softcap) * tanh(sum / Double(c.softcap)) : sum
                }
                let sink = c.sinks.map { Double($0[head]) } ?? -.infinity
                let largest = max(scores.max() ?? 0, sink)
                let weights = scores.map { exp($0 - largest) }
                let total = weights.reduce(exp(sink - largest), +)
                for i in 0..<c.headDim {
                    var sum = 0.0
                    for (index, weight) in weights.enumerated() {
                        sum += weight * Double(v[(first + index) * width + kvHead * c.headDim + i])
                    }
                    out.append(sum / total)
                }
            }
        }
        return out
    }

    @Test("Every instruction set is within rounding of the exact result", arguments: AttentionCase.all)
    func errorBound(c: AttentionCase) throws {
        let (q, k, v) = Self.data(c, seed: 11)
        let pool = try TestPool(threads: 2)
        let exact = Self.exact(c, q: q, k: k, v: v)
        for name in instructionSets {
            withInstructionSet(name) {
                let cache = Cache(
                    k: k, v: v, kvType: c.kvType, kvHeads: c.kvHeads, headDim: c.headDim, pool: pool)
                if c.window > 0 { cache.dropPages(before: c.depth - c.count - c.window + 1) }
                let found = Self.attend(c, q: q, cache: cache, step: c.count, pool: pool)
                let wrong = found.indices.filter { !(abs(Double(found[$0]) - exact[$0]) <= 1e-5) }
                #expect(
                    wrong.isEmpty,
                    "\(name), elements \(wrong.prefix(9)): \(wrong.first.map { (found[$0], exact[$0]) } ?? (0, 0))")
            }
        }
    }

    @Test("Results do not depend on batch size or thread count", arguments: AttentionCase.all)
    func oneArithmetic(c: AttentionCase) throws {
        let (q, k, v) = Self.data(c, seed: 12)
        let pools = try [1, 2, 7].map { try TestPool(threads: $0) }
        let steps = TestLevel.isAll ? [1, 2, 5, c.count] : [2, c.count]
        for name in TestLevel.cases(instructionSets, standard: 2) {
            withInstructionSet(name) {
                let cache = Cache(
                    k: k, v: v, kvType: c.kvType, kvHeads: c.kvHeads, headDim: c.headDim, pool: pools[0])
                let expected = Self.attend(c, q: q, cache: cache, step: c.count, pool: pools[0])
                for (index, step) in steps.enumerated() {
                    let found = Self.attend(c, q: q, cache: cache, step: step, pool: pools[index % 3])
                    #expect(found == expected, "\(name), \(step) queries a call")
                }
            }
        }
    }

    @Test("A first position ends what is seen, as a window of the same positions does", arguments: [1, 2, 12, 64, 70])
    func firstPosition(reach: Int) throws {
        let (depth, width) = (150, 64)
        let c = AttentionCase(qHeads: 4, kvHeads: 2, headDim: 16, depth: depth, count: depth)
        let (q, k, v) = Self.data(c, seed: 13)
        let pools = try [1, 3].map { try TestPool(threads: $0) }
        for name in instructionSets {
            withInstructionSet(name) {
                let cache = Cache(k: k, v: v, kvType: c.kvType, kvHeads: 2, headDim: 16, pool: pools[0])
                // To both sides, by a first position for each query; and one by one, by a window that is as wide.
                var (both, alone) = (
                    [Float](repeating: .nan, count: depth * width), [Float](repeating: .nan, count: depth * width)
                )
                q.withUnsafeBufferPointer { q in
                    func queries(_ out: UnsafeMutableBufferPointer<Float>, hasFirst: Bool) -> [leap_attention_query] {
                        guard let q = q.baseAddress, let out = out.baseAddress else { return [] }
                        return (0..<depth).map { i in
                            leap_attention_query(
                                k_pages: cache.keys, v_pages: cache.values,
                                position: Int64(min(depth - 1, i + reach)), q: q + i * width, out: out + i * width,
                                first: hasFirst ? Int64(max(0, i - reach)) : 0)
                        }
                    }
                    func shape(window: Int) -> leap_attention_shape {
                        leap_attention_shape(
                            q_heads: 4, kv_heads: 2, head_dim: 16, kv_type: Int32(c.kvType), scale: 0.25, softcap: 0,
                            window: Int64(window), sinks: nil)
                    }
                    both.withUnsafeMutableBufferPointer { out in
                        let all = queries(out, hasFirst: true)
                        var same = shape(window: 0)
                        pools[1].use { leap_attention($0, &same, all, Int64(all.count)) }
                    }
                    alone.withUnsafeMutableBufferPointer { out in
                        for (i, query) in queries(out, hasFirst: false).enumerated() {
                            var same = shape(window: Int(query.position) + 1 - max(0, i - reach))
                            pools[0].use { leap_attention($0, &same, [query], 1) }
                        }
                    }
                }
                #expect(both == alone, "\(name)")
            }
        }
    }

    @Test("Sequences of one call do not see each other")
    func severalSequences() throws {
        let c = AttentionCase(qHeads: 4, kvHeads: 2, headDim: 16, depth: 90, count: 1)
        let pool = try TestPool(threads: 3)
        let parts = (0..<5).map { Self.data(c, seed: 100 + $0) }
        for name in instructionSets {
            withInstructionSet(name) {
                let caches = parts.map {
                    Cache(k: $0.k, v: $0.v, kvType: c.kvType, kvHeads: c.kvHeads, headDim: c.headDim, pool: pool)
                }
                let expected = zip(parts, caches).flatMap { part, cache in
                    Self.attend(c, q: part.q, cache: cache, step: 1, pool: pool)
                }
                let q = parts.flatMap(\.q)
                let width = c.qHeads * c.headDim
                var out = [Float](repeating: .nan, count: parts.count * width)
                var shape = leap_attention_shape(
                    q_heads: 4, kv_heads: 2, head_dim: 16, kv_type: Int32(c.kvType), scale: 0.25, softcap: 0, window: 0,
                    sinks: nil)
                q.withUnsafeBufferPointer { q in
                    out.withUnsafeMutableBufferPointer { out in
                        guard let q = q.baseAddress, let out = out.baseAddress else { return }
                        let queries = caches.enumerated().map { index, cache in
                            leap_attention_query(
                                k_pages: cache.keys, v_pages: cache.values, position: 89, q: q + index * width,
                                out: out + index * width, first: 0)
                        }
                        pool.use { leap_attention($0, &shape, queries, Int64(queries.count)) }
                    }
                }
                #expect(out == expected, "\(name)")
            }
        }
    }
}
