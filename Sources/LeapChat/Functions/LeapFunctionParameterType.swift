/// The type of a function parameter; the model sees it as JSON Schema.
///
/// A type created from JSON Schema keeps the schema. Keywords that the cases cannot express (`minimum`, `pattern`,
/// `["string", "null"]`, `$ref`, …) reach the prompt, are enforced with `toolChoice`, and validate the model's
/// arguments. The cases show the part that they can express.
public indirect enum LeapFunctionParameterType: Sendable, Hashable {
    /// A string, or one of a few given strings.
    case string(StringType)
    /// Any number.
    case number(NumberType)
    /// An integer.
    case integer(IntegerType)
    /// A Boolean value: true or false.
    case boolean(BooleanType)
    /// A list of values of one type.
    case array(ArrayType)
    /// An object: named values.
    case object(ObjectType)
    /// The value null.
    case null(NullType)
}

/// A string, or one of a few given strings.
public struct StringType: Sendable, Hashable {
    /// A description of the text's purpose; used if the type is nested in an array or object.
    public let description: String?
    /// The allowed strings; nil for any.
    public let enumValues: [String]?

    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates a string type.
    public init(description: String? = nil, enumValues: [String]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }

    /// Creates a string type.
    public init(enumValues: [String]?, description: String?) {
        self.init(description: description, enumValues: enumValues)
    }
}

/// Any number.
public struct NumberType: Sendable, Hashable {
    /// A description of the number's purpose; used if the type is nested in an array or object.
    public let description: String?
    /// The allowed numbers; nil for any.
    public let enumValues: [Double]?

    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates a number type.
    public init(description: String? = nil, enumValues: [Double]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }

    /// Creates a number type.
    public init(enumValues: [Double]?, description: String?) {
        self.init(description: description, enumValues: enumValues)
    }
}

/// An integer.
public struct IntegerType: Sendable, Hashable {
    /// A description of the number's purpose; used if the type is nested in an array or object.
    public let description: String?
    /// The allowed numbers; nil for any.
    public let enumValues: [Int]?

    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates an integer type.
    public init(description: String? = nil, enumValues: [Int]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }

    /// Creates an integer type.
    public init(enumValues: [Int]?, description: String?) {
        self.init(description: description, enumValues: enumValues)
    }
}

/// A Boolean value: true or false.
public struct BooleanType: Sendable, Hashable {
    /// A description of the value's purpose; used if the type is nested in an array or object.
    public let description: String?

    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates a boolean type.
    public init(description: String? = nil) { self.description = description }
}

/// A list of values of one type.
public struct ArrayType: Sendable, Hashable {
    /// A description of the list's purpose; used if the type is nested in an array or object.
    public let description: String?
    /// The type of every element.
    public let itemType: LeapFunctionParameterType

    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates an array type.
    public init(itemType: LeapFunctionParameterType, description: String? = nil) {
        self.itemType = itemType
        self.description = description
    }

    /// Creates an array type.
    public init(description: String?, itemType: LeapFunctionParameterType) {
        self.init(itemType: itemType, description: description)
    }
}

/// An object: named values.
public struct ObjectType: Sendable, Hashable {
    /// A description of the object's purpose; used if the type is nested in an array or object.
    public let description: String?
    /// The type of each value by its name.
    public let properties: [String: LeapFunctionParameterType]
    /// The names of the required values.
    public let required: [String]

    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates an object type.
    public init(
        properties: [String: LeapFunctionParameterType], required: [String] = [], description: String? = nil
    ) {
        self.properties = properties
        self.required = required
        self.description = description
    }

    /// Creates an object type.
    public init(
        description: String?, properties: [String: LeapFunctionParameterType], required: [String] = []
    ) {
        self.init(properties: properties, required: required, description: description)
    }
}

/// The value null.
public struct NullType: Sendable, Hashable {
    /// The JSON Schema that this was read from.
    package internal(set) var source = SchemaSource.none

    /// Creates a null type.
    public init() {}
}
