/// An enumeration whose cases say how a model is to read them, as options of a choice.
///
/// Every enumeration that is `CaseIterable` can be a choice. Its options are the raw values where these are strings,
/// else the names of the cases. Conform to this protocol for descriptions or other names:
///
/// ```swift
/// enum Team: String, CaseIterable, DescribedChoice {
///     case billing, support, sales
///     var optionDescription: String? { self == .billing ? "invoices and payments" : nil }
/// }
/// ```
public protocol DescribedChoice {
    /// The name of the option; that of the case where this is not implemented.
    var optionName: String { get }
    /// A description for the model; nil for none.
    var optionDescription: String? { get }
}

extension DescribedChoice {
    /// The raw value where it is a string, else the name of the case.
    public var optionName: String { Question.Option.plainName(of: self) }
}

extension Question.Option {
    /// Creates the option of a case: its ``DescribedChoice/optionName`` and description, its string, or its name.
    public init(case value: some Any) {
        if let described = value as? any DescribedChoice {
            self.init(described.optionName, description: described.optionDescription)
        } else {
            self.init(Self.plainName(of: value))
        }
    }

    static func plainName(of value: some Any) -> String {
        if let raw = value as? any RawRepresentable, let text = raw.rawValue as? String { return text }
        return String(describing: value)
    }
}

extension Question {
    /// Creates a question that is answered with a case of an enumeration; see ``DescribedChoice``.
    public static func choice<Choice: CaseIterable>(
        _ instructions: String, of type: Choice.Type, name: String? = nil
    ) -> Question {
        choice(instructions, among: Array(type.allCases), name: name)
    }

    /// Creates a question that is answered with one of these cases of an enumeration; see ``DescribedChoice``.
    public static func choice<Choice: CaseIterable>(
        _ instructions: String, among cases: [Choice], name: String? = nil
    ) -> Question {
        choice(instructions, cases.map { Option(case: $0) }, name: name)
    }
}

extension DecisionAnswer {
    /// Returns the likeliest option as a case of an enumeration; nil if no case has its name.
    public func choice<Choice: CaseIterable>(as type: Choice.Type) -> Choice? {
        guard case .choice = kind else { return nil }
        return type.allCases.first { Question.Option(case: $0).name == choice }
    }
}
