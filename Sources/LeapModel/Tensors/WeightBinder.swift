import LeapBase
package import LeapGGUF

/// Finds an architecture's tensors in a file by name and checks their types and shapes.
///
/// This is the validation boundary for sizes: whoever computes trusts what comes out of here.
package struct WeightBinder {
    let file: GGUFFile
    private let asked = AskedNames()

    package init(file: GGUFFile) { self.file = file }

    /// Returns whether the file has a tensor.
    func has(_ name: String) -> Bool { find(name) != nil }

    /// The first of some names under which the file has a tensor; the first of all where it has none.
    ///
    /// - Parameters:
    ///   - prefix: what all of them begin with; a part of the result.
    ///   - ending: what the tensors' names end with behind them; no part of the result.
    func first(of names: [String], behind prefix: String = "", ending: String = "") -> String {
        prefix + (names.first { has(prefix + $0 + ending) } ?? names[0])
    }

    /// A tensor by its name, which is then a known one.
    private func find(_ name: String) -> GGUFTensor? {
        asked.insert(name)
        return file.tensor(name)
    }

    /// Refuses files with tensors that nothing has asked for: they may change what is to be computed.
    ///
    /// - Parameters:
    ///   - parts: what the names of the tensors begin with that are looked at; nil means all.
    ///   - prefixes: what the names of tensors begin with that belong to another part of the file.
    func refuseUnknown(within parts: [String]? = nil, except prefixes: [String] = []) throws(EngineError) {
        for tensor in file.tensors where !asked.contains(tensor.name) && !Self.isHarmless(tensor.name) {
            if let parts, !parts.contains(where: { tensor.name.hasPrefix($0) }) { continue }
            if prefixes.contains(where: { tensor.name.hasPrefix($0) }) { continue }
            throw EngineError(
                .unsupportedArchitecture,
                "this version does not know the tensor \(ShownText.of(tensor.name)), which may change the model's results: use a newer version",
                field: tensor.name)
        }
    }

    /// Refuses files with tensors of layers that the file's number of layers does not count: the model would be
    /// computed without its end.
    ///
    /// - Parameter key: the name of that number.
    func refuseLayers(from count: Int, of key: String) throws(EngineError) {
        for tensor in file.tensors {
            guard let layer = Self.layer(of: tensor.name), layer >= count else { continue }
            throw EngineError(
                .invalidTensor,
                "the tensor \(ShownText.of(tensor.name)) belongs to layer \(layer) but \(key) is \(count): the file is damaged or was not converted correctly: get it again",
                field: tensor.name)
        }
    }

    /// The layer that a tensor belongs to by its name.
    private static func layer(of name: String) -> Int? {
        let parts = name.split(separator: ".", maxSplits: 2)
        return parts.count == 3 && parts[0] == "blk" ? Int(parts[1]) : nil
    }

    /// Takes a tensor for known that nothing is computed with.
    func passOver(_ name: String) { asked.insert(name) }

    /// Accepts the tensors of layers after the last one that is computed.
    func passOver(layersFrom first: Int) {
        for tensor in file.tensors {
            guard let layer = Self.layer(of: tensor.name), layer >= first else { continue }
            asked.insert(tensor.name)
        }
    }

    /// Tensors for inputs of four bits, and those after the layers of models that embed texts.
    private static func isHarmless(_ name: String) -> Bool {
        name.hasSuffix(".input_scale") || name.hasPrefix("dense_")
    }

    /// The rows of a tensor of two dimensions; 0 where there is none such.
    func rowCount(_ name: String) -> Int {
        guard let shape = find(name)?.shape, shape.count >= 2 else { return 0 }
        return shape[1]
    }

    /// Elements of a tensor's rows; 0 where it is not there.
    func columnCount(_ name: String) -> Int { find(name)?.shape.first ?? 0 }

    /// A tensor of a shape, with data of a type that can be computed with.
    private func tensor(_ name: String, shape: [Int]) throws(EngineError) -> TensorReference {
        guard let tensor = find(name) else {
            throw EngineError(
                .missingTensor,
                "tensor \(name) is missing: the model needs it with shape \(Self.text(shape)); the file is incomplete, or its architecture is not the one that it names",
                field: name)
        }
        guard Self.trimmed(tensor.shape) == Self.trimmed(shape) else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name) has shape \(Self.text(tensor.shape)) but the metadata requires \(Self.text(shape))",
                field: name)
        }
        guard tensor.type.isComputable else {
            throw EngineError(
                .unsupportedTensorType,
                "tensor \(tensor.name) is of type \(tensor.type.name), which is not supported",
                field: tensor.name)
        }
        guard tensor.data.baseAddress != nil, tensor.data.count >= tensor.byteCount else {
            throw EngineError(
                .invalidTensor, "tensor \(tensor.name) has no data: the file has only the vocabulary",
                field: tensor.name)
        }
        return TensorReference(tensor)
    }

    /// Trailing dimensions of 1 mean nothing: writers differ in whether they keep them.
    private static func trimmed(_ shape: [Int]) -> ArraySlice<Int> {
        var slice = shape[...]
        while slice.count > 1, slice.last == 1 { slice.removeLast() }
        return slice
    }

    private static func text(_ shape: [Int]) -> String {
        "[" + shape.map(String.init).joined(separator: ", ") + "]"
    }

    // MARK: Matrices

    /// A matrix that must be there; `bias: true` looks for its bias too.
    ///
    /// - Parameter isScaled: whether `NAME.scale` is a factor of its products, as in files of NVFP4, and not something
    ///   of the architecture's own.
    func matrix(
        _ name: String, rows: Int, columns: Int, bias: Bool = false, isScaled: Bool = true
    ) throws(EngineError) -> Matrix {
        let source = try tensor("\(name).weight", shape: [columns, rows])
        var matrix = Matrix(
            source, rows: rows, columns: columns, rowByteCount: source.tensor.rowByteCount,
            bias: bias ? try optionalVector("\(name).bias", count: rows) : nil)
        if isScaled { matrix.scale = try scales(name, count: 1)[0] }
        return matrix
    }

    /// A table whose rows are looked up and not multiplied with.
    ///
    /// - Throws: ``EngineError`` for a table with a scale, besides what ``matrix(_:rows:columns:bias:isScaled:)`` throws.
    func lookupTable(_ name: String, rows: Int, columns: Int) throws(EngineError) -> Matrix {
        let table = try matrix(name, rows: rows, columns: columns)
        guard table.scale == 1 else {
            throw EngineError(
                .invalidTensor,
                "tensor \(name).scale is \(table.scale): an embedding table cannot have a scale",
                field: "\(name).scale")
        }
        return table
    }

    /// Reads the factors of products with a tensor's matrices: one number for each of them, or one for all; 1 where the
    /// file has none.
    private func scales(_ name: String, count: Int) throws(EngineError) -> [Float] {
        let name = "\(name).scale"
        guard let tensor = find(name) else { return [Float](repeating: 1, count: count) }
        let scales = try values(name, count: tensor.elementCount == 1 ? 1 : count)
        guard scales.allSatisfy(\.isFinite) else {
            throw EngineError(
                .invalidTensor, "tensor \(name) holds a value that is not a number: products are multiplied with it",
                field: name)
        }
        return scales.count == 1 ? [Float](repeating: scales[0], count: count) : scales
    }

    /// A matrix with a bias that must be there.
    func biasedMatrix(_ name: String, rows: Int, columns: Int) throws(EngineError) -> Matrix {
        var matrix = try matrix(name, rows: rows, columns: columns)
        matrix.bias = try vector("\(name).bias", count: rows)
        return matrix
    }

    /// A matrix whose inputs and outputs are cut to bounds, where the file has some.
    func boundedMatrix(
        _ name: String, rows: Int, columns: Int, bias: Bool = false
    ) throws(EngineError) -> Matrix {
        var matrix = try matrix(name, rows: rows, columns: columns, bias: bias)
        func range(_ kind: String) throws(EngineError) -> ClosedRange<Float> {
            let least = try optionalValues("\(name).\(kind)_min", count: 1)?[0] ?? -.infinity
            let largest = try optionalValues("\(name).\(kind)_max", count: 1)?[0] ?? .infinity
            guard least <= largest else {
                throw EngineError(
                    .invalidTensor, "tensor \(name).\(kind)_min is \(least): it has to be at most \(largest)",
                    field: "\(name).\(kind)_min")
            }
            return least...largest
        }
        let bounds = MatrixBounds(input: try range("input"), output: try range("output"))
        let all = -Float.infinity...Float.infinity
        if bounds.input != all || bounds.output != all { matrix.bounds = bounds }
        return matrix
    }

    /// The filters of a convolution that does not overlap, as a matrix with one row for each of them.
    ///
    /// - Parameters:
    ///   - filter: the filter's dimensions, the fastest first.
    ///   - weight: what the name of the tensor ends with.
    func filters(
        _ name: String, count: Int, filter: [Int], bias: Bool = false, weight: String = "weight"
    ) throws(EngineError) -> Matrix {
        let weight = "\(name).\(weight)"
        let source = try tensor(weight, shape: filter + [count])
        let columns = filter.reduce(1, *)
        let type = source.tensor.type
        // Of types with blocks of several elements a filter's rows may end within a block.
        guard type == .f32 || type == .f16 || type == .bf16 else {
            throw EngineError(
                .unsupportedTensorType,
                "tensor \(weight) is of type \(type.name): filters of a convolution have to be F32, F16 or BF16",
                field: weight)
        }
        return Matrix(
            source, rows: count, columns: columns, rowByteCount: source.tensor.byteCount / count,
            bias: bias ? try optionalVector("\(name).bias", count: count) : nil)
    }

    /// A matrix that may be missing.
    func optionalMatrix(_ name: String, rows: Int, columns: Int) throws(EngineError) -> Matrix? {
        has("\(name).weight") ? try matrix(name, rows: rows, columns: columns) : nil
    }

    /// The matrices of a stack, one for each expert, all of the same shape; `bias: true` looks for their biases too.
    func stack(
        _ name: String, count: Int, rows: Int, columns: Int, bias: Bool = false, isScaled: Bool = true
    ) throws(EngineError) -> [Matrix] {
        let biases = bias && has("\(name).bias") ? try floats("\(name).bias", shape: [rows, count]) : nil
        let source = try tensor("\(name).weight", shape: [columns, rows, count])
        let rowByteCount = source.tensor.rowByteCount
        let scales = isScaled ? try scales(name, count: count) : [Float](repeating: 1, count: count)
        return (0..<count).map { index in
            var matrix = Matrix(
                source, offset: index * rows * rowByteCount, rows: rows, columns: columns, rowByteCount: rowByteCount,
                bias: biases.map { $0.slice(index * rows..<(index + 1) * rows) })
            matrix.scale = scales[index]
            return matrix
        }
    }

    // MARK: Vectors

    /// Floats that must be there, in any type.
    func vector(_ name: String, count: Int) throws(EngineError) -> Vector {
        try floats(name, shape: [count])
    }

    /// Floats that may be missing.
    func optionalVector(_ name: String, count: Int) throws(EngineError) -> Vector? {
        has(name) ? try vector(name, count: count) : nil
    }

    /// A small table of floats of any shape, as ``vector(_:count:)``.
    func floats(_ name: String, shape: [Int]) throws(EngineError) -> Vector {
        let source = try tensor(name, shape: shape)
        return Vector(source, count: source.tensor.elementCount)
    }

    /// Numbers that decide how a model is described.
    ///
    /// - Throws: ``EngineError`` where they are not stored as F32, F16 or BF16 too.
    func values(_ name: String, count: Int) throws(EngineError) -> [Float] {
        guard let values = try vector(name, count: count).values() else {
            throw EngineError(
                .unsupportedTensorType,
                "tensor \(name) is of type \(file.tensor(name)?.type.name ?? "?"): it has to be F32, F16 or BF16",
                field: name)
        }
        return values
    }

    /// Reads the values of a tensor as ``values(_:count:)`` does; nil where the file has no such tensor.
    func optionalValues(_ name: String, count: Int) throws(EngineError) -> [Float]? {
        has(name) ? try values(name, count: count) : nil
    }

    // MARK: Norms

    /// A layer norm with its bias.
    func layerNorm(_ name: String, count: Int, epsilon: Float) throws(EngineError) -> Norm {
        .layer(
            LayerNorm(
                weight: try vector("\(name).weight", count: count),
                bias: try optionalVector("\(name).bias", count: count), epsilon: epsilon))
    }

    /// A norm without a bias.
    func rmsNorm(_ name: String, count: Int, epsilon: Float) throws(EngineError) -> RMSNorm {
        RMSNorm(weight: try vector("\(name).weight", count: count), epsilon: epsilon)
    }
}
