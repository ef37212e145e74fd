import LeapJSON

/// The schema document to which `@Generatable` types add their definitions.
///
/// A type that contains itself, directly or through others, becomes a definition under `$defs` and a `$ref`. Every
/// other type is written where it is used. Do not use it directly.
public struct _SchemaContext {
    private var open: [ObjectIdentifier] = []
    private var definitionNames: [ObjectIdentifier: String] = [:]
    private var definitions: [(name: String, body: String)] = []

    /// Returns the whole document of a type.
    public static func document<T: GeneratableType>(for type: T.Type) -> String {
        var context = _SchemaContext()
        let body = context.schema(of: type, description: nil)
        guard !context.definitions.isEmpty else { return body }
        let list = context.definitions.map { "\(quoted($0.name)):\($0.body)" }.joined(separator: ",")
        return #"{"$defs":{\#(list)},\#(body.dropFirst())"#
    }

    /// Returns the schema of a nested type, at the place where it is used.
    public mutating func schema<T: GeneratableType>(of type: T.Type, description: String?) -> String {
        let id = ObjectIdentifier(type)
        if open.contains(id) {
            let name = definitionNames[id] ?? freshName(String(describing: type))
            definitionNames[id] = name
            return reference(to: name, description: description)
        }
        if let name = definitionNames[id] { return reference(to: name, description: description) }
        open.append(id)
        var body = type._schemaBody(in: &self, description: description)
        open.removeLast()
        guard let name = definitionNames[id] else { return body }
        // It met itself inside: it is written again as a definition, with its own description.
        if description != nil {
            open.append(id)
            body = type._schemaBody(in: &self, description: nil)
            open.removeLast()
        }
        definitions.append((name, body))
        return reference(to: name, description: description)
    }

    /// Returns the schema of an enumeration of strings that is not `@Generatable` itself.
    public mutating func schema<T>(of type: T.Type, description: String?) -> String
    where T: RawRepresentable & CaseIterable, T.RawValue == String {
        let values = type.allCases.map { Self.quoted($0.rawValue) }.joined(separator: ",")
        return Self.object(type: "string", description: description, rest: #""enum":[\#(values)]"#)
    }

    /// Returns the schema of an enumeration that is `@Generatable` itself.
    public mutating func schema<T>(of type: T.Type, description: String?) -> String
    where T: GeneratableType & RawRepresentable & CaseIterable, T.RawValue == String {
        type._schemaBody(in: &self, description: description)
    }

    /// Returns the keyword for the allowed names of a dictionary's members: nothing if the keys can be any text.
    public func propertyNames<K: CodingKeyRepresentable>(of type: K.Type) -> String { "" }

    /// Returns the keyword for the allowed names of a dictionary's members: the texts of an enumeration's cases.
    public func propertyNames<K>(of type: K.Type) -> String
    where K: CodingKeyRepresentable & RawRepresentable & CaseIterable, K.RawValue == String {
        let names = type.allCases.map { Self.quoted($0.rawValue) }.joined(separator: ",")
        return #","propertyNames":{"enum":[\#(names)]}"#
    }

    private func reference(to name: String, description: String?) -> String {
        let reference = ##""$ref":\##(Self.quoted("#/$defs/" + name))"##
        guard let description else { return "{\(reference)}" }
        return #"{"description":\#(Self.quoted(description)),\#(reference)}"#
    }

    private func freshName(_ wanted: String) -> String {
        // Generic and local types have names that a JSON Pointer would have to escape.
        let plain = String(wanted.map { $0.isLetter || $0.isNumber ? $0 : "_" })
        var name = plain
        var number = 2
        while definitionNames.values.contains(name) {
            name = "\(plain)\(number)"
            number += 1
        }
        return name
    }

    private static func object(type: String, description: String?, rest: String) -> String {
        let description = description.map { #""description":\#(quoted($0)),"# } ?? ""
        return #"{"type":"\#(type)",\#(description)\#(rest)}"#
    }

    /// Returns the text as a JSON string literal.
    public static func quoted(_ text: String) -> String { JSONWriter.quoted(text) }
}
