/// The rates by which the time of work is forecast, and the time that a submission may take.
package struct Pacing: Equatable, Sendable {
    /// Operations a second outside of matrix units.
    package var flops: Double
    /// Operations a second of matrix units.
    package var tileFlops: Double
    /// Bytes a second.
    package var bytes: Double
    /// The seconds that a submission may take by its forecast; infinite where nothing ends long ones.
    package var limit: Double

    /// The rates that a device is assumed to have before it was measured.
    ///
    /// They are below what devices of the kind reach, so the first submissions are short rather than long.
    ///
    /// - Parameters:
    ///   - kind: the device's kind.
    ///   - limit: the seconds that a submission may take; nil where nothing ends long ones.
    package init(_ kind: GPUProperties.Kind, limit: Double?) {
        switch kind {
        case .discrete: (flops, tileFlops, bytes) = (2e12, 1e13, 2e11)
        case .integrated, .virtual, .other, .processor: (flops, tileFlops, bytes) = (2e11, 1e12, 3e10)
        }
        self.limit = limit ?? .infinity
    }

    /// The seconds that work takes: the sum of its parts, none of which is assumed to overlap another.
    package func seconds(_ work: GPUWork) -> Double {
        work.flops / flops + work.tileFlops / tileFlops + work.bytes / bytes
    }

    /// Corrects the rate of the part of work that takes most of the time.
    ///
    /// - Parameters:
    ///   - work: what was measured.
    ///   - factor: the measured time as a multiple of the forecast.
    mutating func correct(_ work: GPUWork, factor: Double) {
        let parts: [(rate: WritableKeyPath<Self, Double>, seconds: Double)] = [
            (\.flops, work.flops / flops), (\.tileFlops, work.tileFlops / tileFlops), (\.bytes, work.bytes / bytes),
        ]
        guard let largest = parts.max(by: { $0.seconds < $1.seconds }) else { return }
        self[keyPath: largest.rate] /= factor
    }

    /// Parts of rows, a run for each of which takes at most as long as a submission may.
    ///
    /// - Parameters:
    ///   - rows: the rows, which one run of a kernel could compute.
    ///   - step: the rows that a part is a multiple of, except the last one; a part has as many at least.
    ///   - work: the work of all rows.
    func parts(of rows: Range<Int>, step: Int, _ work: GPUWork) -> [Range<Int>] {
        let forecast = seconds(work)
        guard forecast > limit, rows.count > step else { return [rows] }
        let share = Double(rows.count) * limit / forecast
        let length = max(step, Int(share) / step * step)
        return stride(from: rows.lowerBound, to: rows.upperBound, by: length).map {
            $0..<min($0 + length, rows.upperBound)
        }
    }
}
