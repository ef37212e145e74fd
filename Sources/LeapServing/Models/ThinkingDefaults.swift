import LeapChat

/// The usual limits of replies' thoughts, for requests that have none of their own.
package struct ThinkingDefaults: Sendable {
    /// A limit and a message, for one model or for all.
    package struct Entry: Sendable, Hashable {
        /// The model; nil for all that have no entry of their own.
        package var model: String?
        /// The value.
        package var text: String

        /// Reads `VALUE` or `MODEL=VALUE`: a text with an equals sign in front of which there is no space is the latter.
        ///
        /// - Returns: nil where the model or the value is missing.
        package init?(_ text: String) {
            let name = text.prefix { $0 != "=" && $0 != " " }
            if name.endIndex < text.endIndex, text[name.endIndex] == "=" {
                model = String(name)
                self.text = String(text[text.index(after: name.endIndex)...])
                guard !name.isEmpty else { return nil }
            } else {
                self.text = text
            }
            guard !self.text.isEmpty else { return nil }
        }
    }

    /// The maximum number of bytes of a message in UTF-8.
    package static let maxMessage = GenerationExtras.maximumBudgetMessage

    /// The limits in tokens and the messages, by the models' names; under nil those of all other models.
    package var budgets: [String?: Int] = [:]
    package var messages: [String?: String] = [:]

    package init() {}

    /// Returns the options with what is usual for a model, where they say nothing themselves.
    ///
    /// - Parameter model: its name in the list of models.
    func filling(_ options: GenerationOptions, of model: String) -> GenerationOptions {
        let further = options.further
        let hasLimit =
            further.thinkingBudget != nil || further.thinkingShare != nil || further.liftsThinkingBudget == true
        let budget = hasLimit ? nil : budgets[model] ?? budgets[nil]
        let message = further.thinkingBudgetMessage == nil ? messages[model] ?? messages[nil] : nil
        guard budget != nil || message != nil else { return options }
        let filled = options.with(thinkingBudget: budget ?? further.thinkingBudget)
        if let message { filled.thinkingBudgetMessage = message }
        return filled
    }
}
