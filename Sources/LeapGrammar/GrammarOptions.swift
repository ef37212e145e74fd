/// Options for converting a schema to a grammar.
public struct GrammarOptions: Sendable, Hashable, Codable {
    /// The allowed order of an object's properties.
    public enum PropertyOrder: Sendable, Hashable, Codable {
        /// Declared properties in the order of the schema, undeclared ones after them.
        ///
        /// Generation uses this order: the next key is often the only one possible and need not be sampled.
        case declared
        /// Any order, each declared property at most once; for checking existing documents.
        case any
    }

    /// The white space that is allowed between the tokens of a JSON text.
    public enum Whitespace: Sendable, Hashable, Codable {
        /// None.
        case none
        /// At most one space, or one line break and its indentation, where printers put them.
        case bounded
    }

    /// The allowed notations of numbers.
    public enum NumberSpelling: Sendable, Hashable, Codable {
        /// The notations that every reader accepts; for generation.
        ///
        /// Integers have no fraction, no exponent and no negative zero. They are within ±(2⁵³ − 1), which a `Double`
        /// holds exactly, unless the schema's own bounds, multiples or constants are outside of it.
        case plain
        /// Any notation of JSON, in which `100.0` and `-0` are integers; for checking existing documents.
        case any
    }

    /// The order of properties; `.declared` by default.
    public var propertyOrder: PropertyOrder
    /// The white space; `.bounded` by default.
    public var whitespace: Whitespace
    /// The notation of numbers; by default, `.plain` in declared order and `.any` in any order.
    public var numbers: NumberSpelling
    /// Keywords that are ignored everywhere, so that their constraints are not enforced.
    public var relaxedKeywords: Set<String>
    /// True if an object that declares members has no others, unless the schema says otherwise.
    ///
    /// JSON Schema leaves such objects open, and so does a grammar by default: it allows everything that validates. A
    /// model that may add members does, and readers of its answer rarely want them.
    ///
    /// If true, `properties`, `required` and `patternProperties` name all members, also through `allOf`, `anyOf` and
    /// `$ref`. Objects that declare none stay open. So do objects with `additionalProperties`, `propertyNames`, or a
    /// `minProperties` that needs more members. The output validates against the schema in either case.
    public var closesObjects: Bool
    /// True if null, true and false are spelled None, True and False.
    package var spellsLiteralsAsPython = false

    /// Creates options; the defaults enforce everything.
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
