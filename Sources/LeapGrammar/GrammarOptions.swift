/// Options of the way from a schema to a grammar.
public struct GrammarOptions: Sendable, Hashable, Codable {
    /// The order of an object's properties that is admitted.
    public enum PropertyOrder: Sendable, Hashable, Codable {
        /// Declared properties in the order of the schema, undeclared ones after them. What generation uses: the next
        /// key is often the only one possible, and is then not sampled at all.
        case declared
        /// Any order, each declared property at most once. What checking existing documents needs.
        case any
    }

    /// The white space that may stand between the tokens of a JSON text.
    public enum Whitespace: Sendable, Hashable, Codable {
        /// None.
        case none
        /// At most one space, or one line break and its indentation, where printers put them.
        case bounded
    }

    /// The spellings of numbers that are admitted.
    public enum NumberSpelling: Sendable, Hashable, Codable {
        /// The spellings that every reader takes, used for generation: integers have no fraction, no exponent and no
        /// negative zero, and lie within ±(2⁵³ − 1), which a `Double` holds exactly, unless the schema's own bounds,
        /// multiples or constants lie beyond.
        case plain
        /// Any way that JSON has: `100.0` and `-0` are integers. What checking existing documents needs.
        case any
    }

    /// Order of properties; `.declared` unless told.
    public var propertyOrder: PropertyOrder
    /// White space; `.bounded` unless told.
    public var whitespace: Whitespace
    /// Spelling of numbers; unless told, `.plain` in declared order and `.any` in any order.
    public var numbers: NumberSpelling
    /// Keywords that are ignored wherever they stand, at the caller's wish: what they ask is then not enforced.
    public var relaxedKeywords: Set<String>
    /// True if an object that declares members has no others, where the schema does not say whether it may.
    ///
    /// JSON Schema leaves such objects open, and so does a grammar unless told: it admits what validates. A model that
    /// may add members does, and whoever reads its answer rarely wants them. Where it is true, `properties`, `required`
    /// and `patternProperties`, in whatever `allOf`, `anyOf`, `$ref` they come together from, name all members there
    /// are. Objects that declare none stay open, and so do those with `additionalProperties`, `propertyNames` or a
    /// `minProperties` that asks for more. What is written validates against the schema either way.
    public var closesObjects: Bool
    /// True if null, true and false are spelled None, True and False.
    package var spellsLiteralsAsPython = false

    /// Options; the defaults enforce everything.
    public init(
        propertyOrder: PropertyOrder = .declared, whitespace: Whitespace = .bounded,
        numbers: NumberSpelling? = nil, relaxedKeywords: Set<String> = [], closesObjects: Bool = false
    ) {
        self.propertyOrder = propertyOrder
        self.whitespace = whitespace
        self.numbers = numbers ?? (propertyOrder == .declared ? .plain : .any)
        self.relaxedKeywords = relaxedKeywords
        self.closesObjects = closesObjects
    }
}
