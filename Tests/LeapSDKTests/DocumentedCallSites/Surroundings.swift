// swift-format-ignore-file
import Foundation
import LeapSDK

/// What the documents' snippets take from the app around them.
struct AudioRenderer: Sendable {
    func enqueue(_ samples: [Float], sampleRate: Int) {}
}

let audioRenderer = AudioRenderer()
let audioPlayer = AudioRenderer()

func handleFunctionCalls(_ calls: [LeapFunctionCall]) {}
func updateUI(with response: MessageResponse) {}
func process(_ response: MessageResponse) {}
func log(_ items: Any...) {}

let weatherFunction = LeapFunction.weather

struct CityFact: GeneratableType, Codable {
    static let typeDescription = "Facts about a city"
    static func jsonSchema() -> String { #"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"# }
    let name: String
}

typealias TripRecommendation = CityFact

extension Array {
    @MainActor
    func asyncMap<T>(_ transform: @MainActor (Element) async -> T) async -> [T] {
        var results: [T] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}
