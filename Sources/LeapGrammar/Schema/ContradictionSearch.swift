import LeapJSON

/// Looks for the part of a schema to blame where no value satisfies it.
struct ContradictionSearch {
    let compiler: SchemaCompiler
    /// Returns true if a value was found for an expression.
    let hasValue: (ExpressionID) -> Bool

    /// JSON Pointer to the innermost part that admits no value although the value around it demands one.
    ///
    /// If parts demand each other without end, it points to the part that leads into them.
    func pointer(in start: ExpressionID) -> String {
        var chain = [start]
        while let next = chain.last.flatMap(demandedPart) {
            if let first = chain.firstIndex(of: next) {
                chain.removeSubrange(max(first, 1)...)
                break
            }
            chain.append(next)
        }
        return chain.last.map(place) ?? ""
    }

    private func demandedPart(of expression: ExpressionID) -> ExpressionID? {
        guard let set = try? compiler.evaluate(expression) else { return nil }
        // With several alternatives it is all of them together that admit nothing.
        if set.arrays.count + set.objects.count == 1 {
            if let object = set.objects.first {
                return object.properties.first { $0.isRequired && isEmpty($0.value) }?.value
            }
            guard let array = set.arrays.first else { return nil }
            let count = min(array.minimum, array.prefix.count + 1)
            return (0..<count).map { array.item(at: $0) }.first(where: isEmpty)
        }
        return set.isEmpty ? writtenPart(of: expression) : nil
    }

    /// Returns the part to blame by the schema's text, where the combined shapes have nothing left.
    private func writtenPart(of expression: ExpressionID) -> ExpressionID? {
        guard case .location(let id) = compiler.expressions[Int(expression)],
            let object = try? compiler.keywords(id)
        else { return nil }
        let names = object["required"]?.array?.compactMap(\.string) ?? []
        for name in names {
            guard let properties = object["properties"], let schema = properties.object?[name] else { continue }
            let part = compiler.location(compiler.document.child(id, "properties", properties, name, schema))
            if isEmpty(part) { return part }
        }
        guard let parts = object["allOf"], let list = try? compiler.subschemas(id, "allOf", parts) else { return nil }
        return list.first(where: isEmpty)
    }

    /// True if an expression that has a place admits no value.
    private func isEmpty(_ expression: ExpressionID) -> Bool {
        guard expression != SchemaCompiler.nothing else { return false }
        return !hasValue(expression) || (try? compiler.isEmpty(expression)) ?? false
    }

    private func place(_ expression: ExpressionID) -> String {
        if case .and(let parts) = compiler.expressions[Int(expression)], let part = parts.first(where: isEmpty) {
            return place(part)
        }
        return compiler.pointer(of: expression)
    }
}
