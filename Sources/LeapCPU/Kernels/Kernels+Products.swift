import CLeapKernels
import LeapCompute

extension Kernels {
    /// Computes independent products in one go.
    func multiply(_ jobs: UnsafePointer<leap_matmul_job>, count: Int) {
        timed(
            Self.productName(jobs, count), bytes: Self.sum(jobs, count) { $0.w.rows * Int64($0.w.row_bytes) },
            operations: Self.sum(jobs, count) { 2 * $0.w.rows * $0.w.cols * $0.tokens * ($0.remainders > 0 ? 2 : 1) },
            arithmetic: Self.arithmetic(jobs, count)
        ) {
            leap_matmul(pool, jobs, Int32(clamping: count))
        }
    }

    /// The number of records that an input is prepared as: two where rounding takes what ``precision`` asks for.
    func parts(ofKind kind: Int32) -> Int { precision == .fast ? 1 : Int(leap_activation_parts(kind)) }

    /// Prepares inputs in the form that products take them in.
    ///
    /// - Parameters:
    ///   - remainder: scratch memory of their size, where their kind has two parts.
    ///   - buffer: has room for all parts.
    func prepare(
        kind: Int32, _ x: Rows, remainder: UnsafeMutablePointer<Float>?, into buffer: UnsafeMutableRawPointer
    ) {
        let (n, count) = (Int64(x.length), Int64(x.count))
        timed("quantise inputs") {
            if let remainder {
                leap_activation_prepare_parts(pool, kind, x.base, n, n, count, remainder, buffer)
            } else {
                leap_activation_prepare(pool, kind, x.base, n, n, count, buffer)
            }
        }
    }

    private static func sum(
        _ jobs: UnsafePointer<leap_matmul_job>, _ count: Int, _ value: (leap_matmul_job) -> Int64
    ) -> Int {
        UnsafeBufferPointer(start: jobs, count: count).reduce(0) { $0 + Int($1.tokens > 0 ? value($1) : 0) }
    }

    /// By the form that inputs of the first product take.
    private static func arithmetic(_ jobs: UnsafePointer<leap_matmul_job>, _ count: Int) -> Arithmetic {
        guard count > 0 else { return .float }
        switch Int(leap_activation_kind(jobs.pointee.w.type)) {
        case LEAP_ACTIVATION_Q8_32, LEAP_ACTIVATION_Q8_256: return .integer
        case LEAP_ACTIVATION_F32: return .float
        default: return .half
        }
    }

    /// Types and shapes, `Q4_K 8192x2048 + Q4_K 8192x2048`; experts, of which there are many, by the first.
    private static func productName(_ jobs: UnsafePointer<leap_matmul_job>, _ count: Int) -> String {
        let names = UnsafeBufferPointer(start: jobs, count: count).map { job in
            let type = leap_type_name(job.w.type).map { String(cString: $0) } ?? "?"
            return "\(type) \(job.w.rows)x\(job.w.cols)"
        }
        return "product " + (count > 3 ? names[0] + " ..." : names.joined(separator: " + "))
    }
}
