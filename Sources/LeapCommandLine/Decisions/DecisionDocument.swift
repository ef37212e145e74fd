import LeapChat
import LeapJSON
import LeapSDK

/// Answers as JSON: those of `/v1/systemone`, with the reading and what was cut.
enum DecisionDocument {
    /// The members of the document.
    static func members(of decisions: Decisions) -> JSONObject {
        var object: JSONObject = ["answers": decisions.systemOneAnswers]
        object["reading"] = decisions.reading.map { .string($0) }
        let cuts = decisions.cuts.map { cut in
            JSONValue.object([
                "field": .string(cut.field), "kept_tokens": .integer(Int64(cut.keptTokens)),
                "total_tokens": .integer(Int64(cut.totalTokens)),
            ])
        }
        if !cuts.isEmpty { object["cuts"] = .array(cuts) }
        object["usage"] = decisions.systemOneUsage
        return object
    }
}
