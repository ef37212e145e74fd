/// Says what of a call does not fit the function as it was registered.
enum FunctionCallValidation {
    /// The first thing that does not fit, or nil.
    static func issue(with call: LeapFunctionCall, in functions: [LeapFunction]) -> String? {
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
        let names = Set(function.parameters.map(\.name))
        if let stranger = call.argumentObject.keys.first(where: { !names.contains($0) }) {
            return "'\(call.name)' has no parameter named '\(stranger)'"
        }
        return nil
    }

    private static func issue(with value: JSONValue, type: LeapFunctionParameterType, place: String) -> String? {
        func mismatch(_ expected: String) -> String { "\(place) is \(value.kind); expected \(expected)" }
        switch (type, value) {
        case (.string(let type), .string(let text)):
            if let values = type.enumValues, !values.contains(text) {
                return "\(place) is '\(text.prefix(60))'; expected one of: \(values.joined(separator: ", "))"
            }
        case (.string, _): return mismatch("a string")
        case (.number(let type), .integer), (.number(let type), .number):
            if let values = type.enumValues, let number = value.double, !values.contains(number) {
                return "\(place) is \(number); expected one of: \(values.map(\.description).joined(separator: ", "))"
            }
        case (.number, _): return mismatch("a number")
        case (.integer(let type), _):
            guard let number = value.integer else {
                return value.double.map { "\(place) is \($0); expected a whole number" } ?? mismatch("a whole number")
            }
            if let values = type.enumValues, !values.contains(number) {
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
}
