import LeapBase
import LeapGrammar
import LeapJSON

/// Says what of a call does not fit the function as it was registered.
package enum FunctionCallValidation {
    /// The first thing that does not fit, or nil.
    package static func issue(with call: LeapFunctionCall, in functions: [LeapFunction]) -> String? {
        guard let function = functions.first(where: { $0.name == call.name }) else {
            let known = functions.map(\.name).joined(separator: ", ")
            return "no function named '\(call.name)' is registered" + (known.isEmpty ? "" : "; there are: \(known)")
        }
        for parameter in function.parameters {
            guard let value = call.argumentObject[parameter.name] else {
                if parameter.optional { continue }
                return "argument '\(parameter.name)' is missing"
            }
            // Models write null for what they leave out.
            if value == .null, parameter.optional { continue }
            if let issue = issue(with: value, type: parameter.type, place: "argument '\(parameter.name)'") {
                return issue
            }
        }
        let schema = CallSchema.closed(function.argumentSchema, isRoot: true)
        if schema.object?["additionalProperties"] == .bool(false) {
            let names = Set(
                function.parameters.map(\.name) + (schema.object?["properties"]?.object?.keys ?? []))
            if let stranger = call.argumentObject.keys.first(where: { !names.contains($0) }) {
                return "'\(call.name)' has no parameter named '\(stranger)'"
            }
        }
        return function.source.isModelled ? nil : issue(with: call, schema: schema, function: function)
    }

    // MARK: Types

    /// Returns what is wrong with a value of a type; nil if nothing is, or if the type does not say all that its schema
    /// does.
    private static func issue(with value: JSONValue, type: LeapFunctionParameterType, place: String) -> String? {
        func mismatch(_ expected: String) -> String { "\(place) is \(value.kind); expected \(expected)" }
        guard type.source.isModelled else { return nil }
        switch (type, value) {
        case (.string(let type), .string(let text)):
            if let values = type.enumValues, !values.isEmpty, !values.contains(text) {
                return
                    "\(place) is '\(ShownText.of(text, limit: 60))'; expected one of: \(values.joined(separator: ", "))"
            }
        case (.string, _): return mismatch("a string")
        case (.number(let type), .number):
            if let values = type.enumValues, !values.isEmpty, let number = value.double, !values.contains(number) {
                return "\(place) is \(number); expected one of: \(values.map(\.description).joined(separator: ", "))"
            }
        case (.number, _): return mismatch("a number")
        case (.integer(let type), _):
            guard let number = value.integer else {
                return value.double.map { "\(place) is \($0); expected a whole number" } ?? mismatch("a whole number")
            }
            if let values = type.enumValues, !values.isEmpty, !values.contains(number) {
                return "\(place) is \(number); expected one of: \(values.map(\.description).joined(separator: ", "))"
            }
        case (.boolean, .bool), (.null, .null): break
        case (.boolean, _): return mismatch("a boolean")
        case (.null, _): return mismatch("null")
        case (.array(let type), .array(let elements)):
            for (index, element) in elements.enumerated() {
                if let issue = issue(with: element, type: type.itemType, place: "\(place)[\(index)]") { return issue }
            }
        case (.array, _): return mismatch("an array")
        case (.object(let type), .object(let object)):
            for name in type.required where object[name] == nil { return "\(place).\(name) is missing" }
            for member in object.members {
                guard let propertyType = type.properties[member.key] else { continue }
                if member.value == .null, !type.required.contains(member.key) { continue }
                if let issue = issue(with: member.value, type: propertyType, place: "\(place).\(member.key)") {
                    return issue
                }
            }
        case (.object, _): return mismatch("an object")
        }
        return nil
    }

    // MARK: Schemas

    /// Returns what is wrong with the arguments of a call by the schema of them all; nil if nothing is.
    private static func issue(with call: LeapFunctionCall, schema: JSONValue, function: LeapFunction) -> String? {
        guard let grammar = function.source.grammar(of: schema, function: function.name),
            let fault = Self.fault(in: call.argumentObject, grammar)
        else { return nil }
        // Models write null for what they leave out.
        var given = call.argumentObject
        for parameter in function.parameters where parameter.optional && given[parameter.name] == .null {
            given[parameter.name] = nil
        }
        let rest = given.count < call.argumentObject.count ? Self.fault(in: given, grammar) : fault
        return rest.map { message(for: $0, call: call, function: function) }
    }

    private static func message(
        for fault: InstanceCheck.Fault, call: LeapFunctionCall, function: LeapFunction
    ) -> String {
        let parameter = CallSchema.tokens(of: fault.pointer).first
        let place = parameter.map { "argument '\($0)'" + (fault.pointer == "/\($0)" ? "" : " at \(fault.pointer)") }
        let arguments = JSONValue.object(call.argumentObject)
        let value = CallSchema.value(at: fault.pointer, in: arguments).map { JSONWriter.string($0, style: .python) }
        let expected = CallSchema.schema(at: fault.pointer, in: function.argumentSchema).map {
            "; the schema there is " + JSONWriter.string($0, style: .python).prefix(200)
        }
        let found = parameter == nil ? "" : value.map { " is \($0.prefix(60))" } ?? ""
        return "\(place ?? "the arguments")\(found): \(fault.reason)\(expected ?? "")"
    }

    private static func fault(in arguments: JSONObject, _ grammar: CompiledGrammar) -> InstanceCheck.Fault? {
        let text = JSONWriter.string(.object(arguments))
        return (try? InstanceCheck.fault(in: Array(text.utf8), against: grammar)) ?? nil
    }
}
