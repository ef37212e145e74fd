import LeapOpenAIClient
import Testing

/// Events by the names that their payloads have in the LEAP SDK; the functions are deprecated, as the names are.
struct EventCallSites: EventNames {
    @available(*, deprecated)
    func nameEventPayloads(_ events: [ChatCompletionEvent]) -> [String] {
        func text(_ payload: ChatCompletionEventDelta) -> String { payload.content }
        func text(_ payload: ChatCompletionEventDone) -> String { "\(payload.usage?.totalTokens ?? 0)" }
        func text(_ payload: ChatCompletionEventError) -> String { payload.message }
        return events.map { event in
            switch onEnum(of: event) {
            case .delta(let payload): text(payload)
            case .done(let payload): text(payload)
            case .error(let payload): text(payload)
            }
        }
    }

    @Test("The payloads of events have their names of the LEAP SDK")
    func run() {
        let names: any EventNames = self
        let usage = Usage(promptTokens: 1, completionTokens: 2, totalTokens: 3)
        #expect(names.nameEventPayloads([.delta("a"), .done(usage), .error("e")]) == ["a", "3", "e"])
    }
}

private protocol EventNames {
    func nameEventPayloads(_ events: [ChatCompletionEvent]) -> [String]
}
