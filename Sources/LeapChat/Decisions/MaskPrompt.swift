package import LeapJSON
package import LeapModel
import LeapTemplate
package import LeapTokenizer

/// The prompt of a question with a mask for each option, and what was cut of it.
///
/// Text of callers is tokenized by itself, and no control token comes of it.
package struct MaskPrompt: Sendable {
    /// The tokens of the prompt.
    package private(set) var tokens: [TokenID] = []
    /// The index of each option's mask, in the order of an answer's probabilities.
    package private(set) var masks: [Int] = []
    /// The parts that were too long.
    package private(set) var cuts: [DecisionAnswer.Cut] = []

    /// The type of a question as the head numbers it: choice 0, score 1, yes or no 2.
    package static func type(of kind: Question.Kind) -> Int {
        switch kind {
        case .choice: 0
        case .score: 1
        case .yesNo: 2
        }
    }

    /// The maximum number of tokens of a prompt of `lfm2-d1-omni`.
    private static let omniLimit = 16384
    /// The tokens that a prompt of `lfm2-d1-omni` needs at least.
    private static let omniLeast = 64
    /// The maximum number of tokens of an option of `laya`.
    private static let layaOption = 48

    /// Makes the prompt of a question.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of tokens; where options and question alone have more, so has the prompt.
    ///   - media: the pictures or the sound in front of it; nil for none.
    /// - Throws: ``LeapDecisionException`` where a value cannot be written, or the limit is too small for any prompt.
    package init(
        _ question: Question, state: JSONValue, layout: MaskLayout, tokenizer: Tokenizer, limit: Int,
        media: DecisionMedia? = nil
    ) throws {
        let tokens = try Self.tokens(ofState: state, layout: layout, tokenizer: tokenizer)
        try self.init(
            question, stateTokens: tokens, layout: layout, tokenizer: tokenizer, limit: limit, media: media)
    }

    /// Makes the prompt of a question about a state that is tokenized.
    package init(
        _ question: Question, stateTokens: [TokenID], layout: MaskLayout, tokenizer: Tokenizer, limit: Int,
        media: DecisionMedia? = nil
    ) throws {
        let options = Self.options(of: question, media?.medium)
        let field = QuestionCheck.field(of: question)
        let instructions = try Self.text(of: question.instructionValue, field: field + ".instructions")
        func encode(_ text: String) -> [TokenID] { Self.encode(text, layout: layout, tokenizer: tokenizer) }
        switch layout {
        case .laya(let start, let mask, let separator, let headLimit):
            addLaya(
                Parts(
                    instructions: encode("\(question.kind.key) question: \(instructions)"), state: stateTokens,
                    options: options.map { ($0.index, encode($0.text)) }),
                start: start, mask: mask, separator: separator, headLimit: headLimit, limit: limit)
        case .omni(let marks):
            let limit = try Self.omniTextLimit(limit, media)
            tokens = media?.tokens ?? []
            cuts = media?.cuts ?? []
            addOmni(
                Parts(
                    instructions: encode(instructions), state: stateTokens,
                    options: options.map { ($0.index, encode(" " + $0.text)) }), marks, limit: limit)
        }
        // In the order of the answer.
        masks = zip(options.map(\.index), masks).sorted { $0.0 < $1.0 }.map(\.1)
        cuts.sort { Self.place(of: $0.field) < Self.place(of: $1.field) }
    }

    /// The maximum number of tokens of the text of a prompt of `lfm2-d1-omni`.
    ///
    /// - Throws: ``LeapDecisionException`` where too few are left.
    private static func omniTextLimit(_ limit: Int, _ media: DecisionMedia?) throws -> Int {
        let mediaCount = media?.tokens.count ?? 0
        let left = min(limit, omniLimit) - mediaCount
        guard left >= omniLeast else {
            guard let media, omniLimit - mediaCount < omniLeast else {
                throw LeapDecisionException(
                    field: "contextSize",
                    "the context holds \(limit) tokens\(mediaCount > 0 ? ", of which media take \(mediaCount)" : ""): the text of this model's prompts needs \(omniLeast) at least; load it with a larger contextSize"
                )
            }
            throw LeapDecisionException(
                field: "state",
                "its \(media.medium.rawValue)s take \(mediaCount) of \(omniLimit) tokens: the text needs \(omniLeast) at least, so give fewer or smaller ones"
            )
        }
        return min(left, media?.textLimit ?? omniLimit)
    }

    /// The tokens of a state, which are the same for every question about it.
    ///
    /// - Throws: ``LeapDecisionException`` where it cannot be written.
    package static func tokens(
        ofState state: JSONValue, layout: MaskLayout, tokenizer: Tokenizer
    ) throws -> [TokenID] {
        guard state != .null else { return [] }
        return encode(try text(of: state, field: "state"), layout: layout, tokenizer: tokenizer)
    }

    /// The tokens of a text of callers.
    private static func encode(_ text: String, layout: MaskLayout, tokenizer: Tokenizer) -> [TokenID] {
        switch layout {
        case .laya(_, let mask, _, _):
            let name = tokenizer.text(of: mask)
            let plain = name.isEmpty ? text : text.replacing(name, with: " ")
            return tokenizer.encode(plain.replacing(mediaMarker, with: " "), addSpecial: false)
        case .omni:
            return tokenizer.encode(defused(text.replacing(mediaMarker, with: " ")), addSpecial: false)
        }
    }

    /// The parts of a prompt as tokens; options with their index among an answer's probabilities.
    private struct Parts {
        var instructions: [TokenID]
        var state: [TokenID]
        var options: [(index: Int, tokens: [TokenID])]
    }

    /// `[CLS] question [SEP] ([MASK] option)* [SEP] state [SEP]`.
    private mutating func addLaya(
        _ parts: Parts, start: TokenID, mask: TokenID, separator: TokenID, headLimit: Int, limit: Int
    ) {
        var longest = Self.layaOption
        func headTokens() -> Int { parts.options.reduce(0) { $0 + 1 + min($1.tokens.count, longest) } }
        if headTokens() + 16 > headLimit { longest = min(longest, max(4, (headLimit - 16) / parts.options.count) - 1) }
        tokens.append(start)
        add(parts.instructions, upTo: max(8, headLimit - headTokens()), field: "instructions")
        tokens.append(separator)
        for option in parts.options {
            masks.append(tokens.count)
            tokens.append(mask)
            add(option.tokens, upTo: longest, field: "options[\(option.index)]")
        }
        tokens.append(separator)
        add(parts.state, upTo: limit - tokens.count - 1, field: "state")
        tokens.append(separator)
    }

    /// Start, state, instructions, options between marks, end, behind pictures or a sound.
    ///
    /// - Parameter limit: the maximum number of tokens besides those of the media.
    private mutating func addOmni(_ parts: Parts, _ marks: MaskLayout.OmniMarks, limit: Int) {
        let count = parts.options.count
        let share = max(96, min(24 * count + 32, limit / 2))
        let longest = max(2, (share - 3 * count) / count)
        let instructions = min(parts.instructions.count, max(16, share))
        let options = parts.options.reduce(0) { $0 + 3 + min($1.tokens.count, longest) }
        tokens += [marks.start, marks.state]
        add(parts.state, upTo: limit - 4 - instructions - options, field: "state")
        tokens.append(marks.instructions)
        add(parts.instructions, upTo: instructions, field: "instructions")
        for option in parts.options {
            tokens.append(marks.option)
            masks.append(tokens.count)
            tokens.append(marks.mask)
            add(option.tokens, upTo: longest, field: "options[\(option.index)]")
            tokens.append(marks.optionEnd)
        }
        tokens.append(marks.end)
    }

    /// Adds the beginning of a part.
    private mutating func add(_ part: [TokenID], upTo most: Int, field: String) {
        let kept = min(part.count, max(0, most))
        tokens += part[..<kept]
        if kept < part.count {
            cuts.append(DecisionAnswer.Cut(field: field, keptTokens: kept, totalTokens: part.count))
        }
    }

    // MARK: Texts

    /// The mark by which servers write media into text.
    private static let mediaMarker = "<__media__>"

    /// The texts of options in the order of the prompt, with their index among an answer's probabilities: for yes or no,
    /// no comes first.
    ///
    /// - Parameter medium: the medium of which the prompt has some, with which the model was trained on other texts.
    private static func options(of question: Question, _ medium: Medium?) -> [(index: Int, text: String)] {
        switch question.kind {
        case .choice(let options):
            options.enumerated().map { index, option in
                let text = option.description.map { "\(option.name): \($0)" } ?? option.name
                let number = "\(index)"
                let zeros = String(repeating: "0", count: max(0, 3 - number.utf8.count))
                return (index, medium == .audio ? "option_\(zeros)\(number): \(text)" : text)
            }
        case .score(let levels): levels.enumerated().map { ($0, "level \($0): \($1)") }
        case .yesNo(let criteria):
            switch medium {
            case nil:
                [
                    (1, "false: \(criteria.no ?? "no, the statement does not hold")"),
                    (0, "true: \(criteria.yes ?? "yes, the statement holds")"),
                ]
            case .audio?: [(1, "false: no"), (0, "true: yes")]
            case .image?, .video?, .speech?:
                [(1, "false: \(criteria.no ?? "no")"), (0, "true: \(criteria.yes ?? "yes")")]
            }
        }
    }

    /// A text as it is, another value as JSON.
    private static func text(of value: JSONValue, field: String) throws -> String {
        if case .string(let text) = value { return text }
        do {
            return try TemplateValue(value).json()
        } catch {
            throw LeapDecisionException(field: field, "it cannot be written as JSON: \(error)", cause: error)
        }
    }

    /// The text with `<¦x¦>` in place of `<|x|>`, as the model was trained.
    static func defused(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "|")) else { return text }
        var scalars = Array(text.unicodeScalars)
        var index = 0
        while index + 1 < scalars.count {
            if scalars[index] == "<", scalars[index + 1] == "|" {
                var end = index + 2
                while end < scalars.count, scalars[end] != "|", scalars[end] != "<", scalars[end] != ">" { end += 1 }
                if end > index + 2, end + 1 < scalars.count, scalars[end] == "|", scalars[end + 1] == ">" {
                    (scalars[index + 1], scalars[end]) = ("\u{A6}", "\u{A6}")
                }
                index = max(index + 1, end - 1)
            }
            index += 1
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// State first, then the instructions, then options in their order.
    private static func place(of field: String) -> Int {
        switch field {
        case "audio": -3
        case "state": -2
        case "instructions": -1
        default: Int(field.dropFirst("options[".count).dropLast()) ?? 0
        }
    }
}
