import LeapBase
import LeapChat

/// The calibration that lies beside a model, read once.
final class CalibrationSidecar: Sendable {
    private let path: String
    private let read = Locked<Result<DecisionCalibration?, any Error>?>(nil)

    init(modelPath: String) { path = modelPath + DecisionCalibration.suffix }

    /// Returns the temperatures of a kind of reading; nil without a calibration.
    ///
    /// - Throws: ``LeapDecisionException`` if there is a file that is no calibration.
    func temperatures(_ reading: DecisionAnswer.Reading) throws -> DecisionTemperatures? {
        let found = read.withLock { read in
            if let read { return read }
            let found = Result<DecisionCalibration?, any Error> { try DecisionCalibration(path: path) }
            read = found
            return found
        }
        return try found.get()?.temperatures[reading]
    }
}
