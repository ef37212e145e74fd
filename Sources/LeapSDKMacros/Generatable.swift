@_exported import protocol LeapChat.GeneratableType
@_exported import enum LeapChat.JSONSchemaGenerator
@_exported import struct LeapChat._SchemaContext

/// Lets a model fill in values of this type.
///
/// The macro adds a conformance to ``GeneratableType``: the JSON Schema of the stored properties, made at compile time.
///
/// ```swift
/// @Generatable("A joke and how good it is")
/// struct Joke: Codable {
///     @Guide("The joke itself")
///     let text: String
///
///     @Guide("How good it is", .range(1...10))
///     let rating: Int
/// }
/// ```
///
/// On structures, final classes, and enumerations with `String` raw values. Every stored property needs
/// ``Guide(_:_:)``. Properties may be `String`, `Bool`, integers of every width, `Float`, `Double`, `CGFloat`, `Date`,
/// `URL`, `UUID`, `Data`, other generatable types, `CaseIterable` enumerations with `String` raw values, and optionals,
/// arrays and dictionaries of these. A dictionary's keys are `String`, `Int`, or a type that is
/// `CodingKeyRepresentable`, such as an enumeration that says so: of others `Codable` makes no object. A `CodingKeys`
/// enumeration in the type decides the names.
///
/// - Parameter description: What the type stands for, in words for the model.
@attached(
    extension, conformances: GeneratableType,
    names: named(typeDescription), named(jsonSchema), named(_schemaBody)
)
public macro Generatable(_ description: String) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "GeneratableMacro")

/// Describes a property of a ``Generatable(_:)`` type, and constrains it.
///
/// - Parameters:
///   - description: A description of the property, written for the model.
///   - constraints: Constraints on the generated value, written with literals.
@attached(peer)
public macro Guide(_ description: String, _ constraints: GuideConstraint...) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "GuideMacro")
