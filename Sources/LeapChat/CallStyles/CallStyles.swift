/// The styles of calls there are, and which one a model has.
package enum CallStyles {
    /// Every style.
    ///
    /// Of several that a text shows the first counts.
    package static let all: [any CallStyle.Type] = [
        HarmonyFunctionCallParser.self,
        Gemma4FunctionCallParser.self,
        DeepSeekFunctionCallParser.self,
        XMLFunctionCallParser.self,
        AtemFunctionCallParser.self,
        LFMFunctionCallParser.self,
        MistralFunctionCallParser.self,
        NemotronFunctionCallParser.self,
        GraniteFunctionCallParser.self,
        HermesFunctionCallParser.self,
        Llama3FunctionCallParser.self,
    ]

    /// The style of models that show none: plain JSON between marks that few texts contain by accident.
    private static func fallback() -> any CallStyle { HermesFunctionCallParser() }

    /// The style that the first of several texts shows.
    ///
    /// - Parameter evidence: the best evidence first.
    package static func find(in evidence: [String]) -> any CallStyle { shown(in: evidence) ?? fallback() }

    /// The style that the first of several texts shows; nil where none does.
    package static func shown(in evidence: [String]) -> (any CallStyle)? {
        for text in evidence {
            for style in all {
                if let found = style.found(in: text) { return found }
            }
        }
        return nil
    }

    /// The marks of all styles.
    package static let marks: [String] = {
        var marks: [String] = []
        for style in all {
            for mark in style.init().marks.all where !marks.contains(mark) { marks.append(mark) }
        }
        return marks
    }()

    /// The style of a name.
    package static func named(_ name: String) -> (any CallStyle)? {
        all.first { $0.styleName == name }?.init()
    }
}
