import LeapJSON

/// A schema as a union over the JSON types: each type on its own, so that intersections and complements split by type.
struct TypeSet: Sendable {
    var allowsNull = false
    var allowsTrue = false
    var allowsFalse = false
    var numbers: [NumberRange] = []
    /// Single admissible numbers, from `enum` and `const`.
    var points: [ExactDecimal] = []
    /// Texts of admissible strings, a term.
    var strings: TermStore.ID = TermStore.empty
    var arrays: [ArrayShape] = []
    var objects: [ObjectShape] = []

    static let none = TypeSet()
    static let any = TypeSet(
        allowsNull: true, allowsTrue: true, allowsFalse: true, numbers: [.any], strings: TermStore.all,
        arrays: [ArrayShape()], objects: [ObjectShape()])

    /// Nothing left of any type (arrays and objects may still turn out empty).
    var isEmpty: Bool {
        !allowsNull && !allowsTrue && !allowsFalse && numbers.isEmpty && points.isEmpty && strings == TermStore.empty
            && arrays.isEmpty && objects.isEmpty
    }
}

/// Reference to a boolean combination of subschemas, interned by the compiler.
typealias ExpressionID = Int32

/// A property name, interned by the compiler.
typealias KeyID = Int32

/// One conjunction of constraints on arrays.
struct ArrayShape: Hashable, Sendable {
    struct Contains: Hashable, Sendable {
        var item: ExpressionID
        /// Elements before this index do not count.
        var start: Int
        var minimum: Int
        var maximum: Int?
    }

    var prefix: [ExpressionID] = []
    var rest: ExpressionID = SchemaCompiler.anything
    var minimum = 0
    var maximum: Int?
    var contains: [Contains] = []
    var isUnique = false
    /// The place of `uniqueItems`, for the error.
    var uniquePointer = ""

    func item(at index: Int) -> ExpressionID { index < prefix.count ? prefix[index] : rest }
}

/// One conjunction of constraints on objects.
struct ObjectShape: Hashable, Sendable {
    struct Property: Hashable, Sendable {
        var key: KeyID
        var value: ExpressionID
        var isRequired = false
    }

    /// Keys of a language that are not among the declared ones, and their values.
    ///
    /// Classes are disjoint.
    struct KeyClass: Hashable, Sendable {
        var names: TermStore.ID
        var value: ExpressionID
    }

    /// "Some property whose name is in the language has a value of this kind.".
    struct Need: Hashable, Sendable {
        var names: TermStore.ID
        var value: ExpressionID
    }

    struct Dependency: Hashable, Sendable {
        var key: KeyID
        var needs: [KeyID]
    }

    var properties: [Property] = []
    var classes: [KeyClass] = [KeyClass(names: TermStore.all, value: SchemaCompiler.anything)]
    var minimum = 0
    var maximum: Int?
    var dependencies: [Dependency] = []
    var needs: [Need] = []

    func index(of key: KeyID) -> Int? { properties.firstIndex { $0.key == key } }

    /// Leaves out the members that the schema neither names nor asks for, where it names any.
    mutating func leaveOutUndeclared() {
        let names = properties.count { $0.value != SchemaCompiler.nothing }
        let asked = classes.filter { $0.value != SchemaCompiler.anything }
        // A complement asks for members without naming them.
        guard needs.isEmpty, names > 0 || !asked.isEmpty, names >= minimum || !asked.isEmpty else { return }
        classes = asked
    }
}
