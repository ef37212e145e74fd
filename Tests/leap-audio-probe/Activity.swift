import Foundation
import LeapAudio

/// Prints a line for each file: events of the detector of voice activity.
func printActivity(_ arguments: ArraySlice<String>) throws {
    var settings = VoiceActivitySettings()
    var rest = arguments
    while let option = rest.first, option.hasPrefix("--"), let value = rest.dropFirst().first.flatMap(Double.init) {
        switch option {
        case "--threshold": settings.threshold = value
        case "--padding": settings.prefixPadding = value
        case "--silence": settings.silenceDuration = value
        default: break
        }
        rest = rest.dropFirst(2)
    }
    for path in rest {
        let file = try WAVFile(Data(contentsOf: URL(fileURLWithPath: path)))
        var detector = VoiceActivityDetector(settings: settings, sampleRate: file.sampleRate)
        var events = detector.append(file.samples)
        events += detector.finish()
        print(events.map { "\($0.kind) \($0.position) \($0.knownAt)" }.joined(separator: ", "))
    }
}
