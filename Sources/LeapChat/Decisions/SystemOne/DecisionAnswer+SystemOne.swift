package import LeapJSON
import LeapOpenAIFormat

/// Answers as `/v1/systemone` has them; numbers are not rounded.
extension DecisionAnswer {
    /// The answer as an object: `noul`, or the choice or score with its probabilities.
    package var systemOne: JSONValue {
        var object: JSONObject = ["type": .string(kind.key)]
        switch kind {
        case .yesNo: object["noul"] = .double(probability)
        case .choice:
            object["choice"] = .string(choice)
            object["confidence"] = .double(confidence)
            object["probabilities"] = Self.object(options, probabilities.map { .double($0) })
        case .score(let levels):
            object["score"] = .double(score)
            object["confidence"] = .double(confidence)
            let keys = levels.indices.map { "\($0)" }
            object["legend"] = Self.object(keys, levels.map { .string($0) })
            object["probabilities"] = Self.object(keys, probabilities.map { .double($0) })
        }
        return .object(object)
    }

    private static func object(_ names: [String], _ values: [JSONValue]) -> JSONValue {
        .object(JSONObject(zip(names, values)))
    }
}

extension Decisions {
    /// The answers by the names of the questions.
    package var systemOneAnswers: JSONValue {
        .object(JSONObject(answers.map { ($0.name, $0.systemOne) }))
    }

    /// The tokens of the request, as `/v1/systemone` has them and with those that were not computed again.
    package var systemOneUsage: JSONValue {
        .object([
            "input_tokens": .integer(Int64(inputTokenCount)), "output_tokens": .integer(0),
            OpenAI.Key.cachedTokens: .integer(Int64(cachedTokenCount)),
        ])
    }

    /// The reading of the answers, `trained` or `readout`, so that nobody takes one for the other.
    package var reading: String? { answers.first?.reading.rawValue }

    /// The parts of prompts that were too long, each once; the fields are places in a request.
    package var cuts: [DecisionAnswer.Cut] {
        var seen: Set<DecisionAnswer.Cut> = []
        return answers.flatMap { answer in
            answer.cuts.map { cut in
                let field =
                    ["state", "audio"].contains(cut.field) ? cut.field : "questions.\(answer.name).\(cut.field)"
                return DecisionAnswer.Cut(field: field, keptTokens: cut.keptTokens, totalTokens: cut.totalTokens)
            }
        }.filter { seen.insert($0).inserted }
    }
}
