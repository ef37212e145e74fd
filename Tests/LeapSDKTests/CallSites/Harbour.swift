import LeapSDK

// The app that the call sites of this folder belong to: the information desk of a harbour, which knows tides, ferries
// and berths.

/// Collects what a desk shows and plays.
@MainActor
final class Desk {
    var lines: [String] = []
    var sounds = 0
    var requests: [LeapFunctionCall] = []

    func show(_ line: String) { lines.append(line) }
    func play(_ samples: [Float], at sampleRate: Int) { sounds += samples.count * sampleRate }
    func note(_ calls: [LeapFunctionCall]) { requests += calls }
    func answer(_ call: LeapFunctionCall) async -> String { #"{"high_water": "04:12", "metres": 3.1}"# }
}

/// A function that tells when the tide is high and low.
let tideTable = LeapFunction(
    name: "tide_table",
    description: "Lists high and low water of one day",
    parameters: [
        LeapFunctionParameter(
            name: "port", type: LeapFunctionParameterType.string(StringType()), description: "Name of the port"),
        LeapFunctionParameter(
            name: "days", type: .integer(IntegerType()), description: "How many days from today", optional: true),
    ]
)

/// A ferry as the desk announces it.
struct Departure: GeneratableType, Codable {
    static let typeDescription = "A ferry that leaves the harbour"
    static func jsonSchema() -> String {
        #"{"type":"object","properties":{"ferry":{"type":"string","maxLength":12},"pier":{"type":"integer"}},"required":["ferry","pier"]}"#
    }
    let ferry: String
    let pier: Int
}
