/// Questions and values of the properties of a type with `@Decision`, by the types of these; the macro calls them.
public enum _DecisionProperty {
    /// The list of questions of a type.
    public typealias Questions = [Question]
    /// The answers of which a value is made.
    public typealias Answers = Decisions

    /// The question of a property of type `Bool`.
    public static func question(
        _ type: Bool.Type, name: String, _ instructions: String, yes: String? = nil, no: String? = nil
    ) -> Question {
        .yesNo(instructions, yes: yes, no: no, name: name)
    }

    /// The question of a property of type ``YesNoAnswer``.
    public static func question(
        _ type: YesNoAnswer.Type, name: String, _ instructions: String, yes: String? = nil, no: String? = nil
    ) -> Question {
        .yesNo(instructions, yes: yes, no: no, name: name)
    }

    /// The question of a property whose type is an enumeration.
    public static func question<Choice: CaseIterable>(
        _ type: Choice.Type, name: String, _ instructions: String
    ) -> Question {
        .choice(instructions, of: type, name: name)
    }

    /// The question of a property of type ``ChoiceAnswer``.
    public static func question<Choice>(
        _ type: ChoiceAnswer<Choice>.Type, name: String, _ instructions: String
    ) -> Question {
        .choice(instructions, of: Choice.self, name: name)
    }

    /// The question of a property of type ``ScoreAnswer``.
    public static func question(
        _ type: ScoreAnswer.Type, name: String, _ instructions: String, levels: [String]
    ) -> Question {
        .score(instructions, levels: levels, name: name)
    }

    /// The value of a property of type `Bool`.
    public static func value(_ type: Bool.Type, _ name: String, in decisions: Decisions) throws -> Bool {
        try decisions.answer(named: name).isYes
    }

    /// The value of a property of type ``YesNoAnswer``.
    public static func value(
        _ type: YesNoAnswer.Type, _ name: String, in decisions: Decisions
    ) throws -> YesNoAnswer {
        YesNoAnswer(try decisions.answer(named: name))
    }

    /// The value of a property whose type is an enumeration.
    public static func value<Choice: CaseIterable & Sendable>(
        _ type: Choice.Type, _ name: String, in decisions: Decisions
    ) throws -> Choice {
        try ChoiceAnswer<Choice>(decisions.answer(named: name)).value
    }

    /// The value of a property of type ``ChoiceAnswer``.
    public static func value<Choice>(
        _ type: ChoiceAnswer<Choice>.Type, _ name: String, in decisions: Decisions
    ) throws -> ChoiceAnswer<Choice> {
        try ChoiceAnswer<Choice>(decisions.answer(named: name))
    }

    /// The value of a property of type ``ScoreAnswer``.
    public static func value(
        _ type: ScoreAnswer.Type, _ name: String, in decisions: Decisions
    ) throws -> ScoreAnswer {
        ScoreAnswer(try decisions.answer(named: name))
    }
}
