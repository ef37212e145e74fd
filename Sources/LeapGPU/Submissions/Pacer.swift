/// Decides how much work a device gets at a time.
///
/// Systems end work of a GPU that takes too long: macOS after one to two seconds, some drivers of Linux after two.
final class Pacer {
    /// The pacing of the next commands.
    private(set) var pacing: Pacing
    /// The number of times that the pacing changed: commands that were recorded before are not submitted again.
    private(set) var generation = 0
    /// Submissions that were measured so far.
    private var measuredCount = 0

    /// The long submissions that are measured one by one before a device gets several at a time.
    private static let calibrationCount = 4
    /// Forecasts and times below this many seconds tell of the cost of a submission, not of its work.
    private static let leastSeconds = 0.005
    /// A time corrects a rate if it is this many times the forecast, or less than the forecast divided by it.
    private static let tolerance = 1.5
    /// The most that one time changes a rate.
    private static let factorMax = 8.0

    init(_ properties: GPUProperties) {
        pacing = Pacing(properties.kind, limit: properties.submissionSeconds)
    }

    /// True if submissions that tell something are waited for, and measured, before the next one.
    var isCalibrating: Bool { pacing.limit.isFinite && measuredCount < Self.calibrationCount }

    /// True if a submission is to be waited for before the next one.
    func isMeasured(_ work: GPUWork) -> Bool { isCalibrating && pacing.seconds(work) >= Self.leastSeconds }

    /// Takes note of the time that a submission took.
    ///
    /// - Parameters:
    ///   - work: the submission's work.
    ///   - seconds: the measured time.
    func note(_ work: GPUWork, seconds: Double) {
        let forecast = pacing.seconds(work)
        guard pacing.limit.isFinite, seconds > 0, max(forecast, seconds) >= Self.leastSeconds else { return }
        measuredCount += 1
        let factor = seconds / forecast
        guard factor > Self.tolerance || factor < 1 / Self.tolerance else { return }
        pacing.correct(work, factor: min(max(factor, 1 / Self.factorMax), Self.factorMax))
        generation += 1
    }

    /// Makes submissions half as long as the longest of those, one of which was ended because it took too long.
    func halve(after submissions: [GPUWork]) {
        let longest = submissions.map(pacing.seconds).max() ?? pacing.limit
        pacing.limit = min(pacing.limit, longest) / 2
        generation += 1
    }
}
