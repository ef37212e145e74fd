import CLeapKernels
import LeapCompute
import LeapModel

extension ForwardPass {
    /// A product to compute: the matrix and where its outputs go.
    typealias Product = (matrix: Matrix, out: Rows)

    /// Multiplies rows with a matrix and adds its bias.
    func project(
        _ input: Rows, _ matrix: Matrix, into purpose: Workspace.Purpose
    ) throws(EngineError) -> Rows {
        let out = try rows(purpose, input.count, matrix.rows)
        try project(input, [(matrix, out)])
        return out
    }

    /// Multiplies rows with several matrices of the same width in one go, by their scales, and adds their biases.
    func project(_ input: Rows, _ products: [Product]) throws(EngineError) {
        guard products.contains(where: { $0.matrix.bounds != nil }) else { return try multiply(input, products) }
        for product in products {
            guard let bounds = product.matrix.bounds else {
                try multiply(input, [product])
                continue
            }
            let bounded = try rows(.bounded, input.count, input.length)
            bounded.base.update(from: input.base, count: input.count * input.length)
            bounded.clamp(to: bounds.input)
            try multiply(bounded, [product])
            product.out.clamp(to: bounds.output)
        }
    }

    private func multiply(_ input: Rows, _ products: [Product]) throws(EngineError) {
        for product in products {
            let matrix = WeightMatrix(product.matrix)
            reach(matrix)
            try prepare(input, for: matrix)
        }
        withUnsafeTemporaryAllocation(of: leap_matmul_job.self, capacity: products.count) { jobs in
            for (index, product) in products.enumerated() {
                jobs.initializeElement(
                    at: index, to: job(WeightMatrix(product.matrix), gather: nil, out: product.out))
            }
            if let base = jobs.baseAddress { kernels.multiply(base, count: products.count) }
        }
        for product in products {
            if product.matrix.scale != 1 { kernels.scale(product.out, by: product.matrix.scale) }
            if let bias = product.matrix.bias { kernels.addBias(bias, to: product.out) }
        }
        try adapt(input, products)
        forgetPrepared()
    }

    /// Multiplies rows with a matrix that lies in scratch memory.
    func project(
        _ input: Rows, _ matrix: WeightMatrix, into purpose: Workspace.Purpose
    ) throws(EngineError) -> Rows {
        let out = try rows(purpose, input.count, matrix.rows)
        try project(input, matrix, to: out.base, stride: out.length)
        return out
    }

    /// Multiplies rows with a matrix that lies in scratch memory, to outputs that are `stride` floats apart.
    func project(
        _ input: Rows, _ matrix: WeightMatrix, to out: UnsafeMutablePointer<Float>, stride: Int
    ) throws(EngineError) {
        try prepare(input, for: matrix)
        var job = job(matrix, gather: nil, out: Rows(base: out, count: input.count, length: matrix.rows))
        job.out_stride = Int64(stride)
        kernels.multiply(&job, count: 1)
        forgetPrepared()
    }

    /// Prepares inputs in the form in which a matrix takes them, unless they are in that form already.
    func prepare(_ input: Rows, for matrix: WeightMatrix) throws(EngineError) {
        let activation = matrix.activationKind
        let kind = Int(activation)
        while prepared.count <= kind { prepared.append(nil) }
        guard prepared[kind] == nil else { return }
        let parts = kernels.parts(ofKind: activation)
        let remainder = parts > 1 ? try workspace.floats(.remainder, input.count * input.length) : nil
        let buffer = try workspace.activation(
            kind: activation,
            byteCount: leap_activation_bytes(activation, Int64(matrix.columns), Int64(parts * input.count)))
        kernels.prepare(kind: activation, input, remainder: remainder, into: buffer)
        prepared[kind] = PreparedInputs(buffer: buffer, remainders: parts > 1 ? input.count : 0)
    }

    /// Forgets prepared inputs: the next products have others.
    func forgetPrepared() {
        for index in prepared.indices { prepared[index] = nil }
    }

    /// A product of prepared inputs, or of those that `gather` names.
    func job(_ matrix: WeightMatrix, gather: UnsafePointer<Int32>?, out: Rows) -> leap_matmul_job {
        let inputs = prepared[Int(matrix.activationKind)].unsafelyUnwrapped  // prepare(_:for:) has put them there
        return leap_matmul_job(
            w: matrix.kernel, act: inputs.buffer, gather: gather, tokens: Int64(out.count), out: out.base,
            out_stride: Int64(out.length), remainders: Int64(inputs.remainders))
    }
}

/// The inputs of products in the form in which they are multiplied.
struct PreparedInputs {
    let buffer: UnsafeMutableRawPointer
    /// The index of the record with what rounding has taken from the first input; 0 where nothing of it is kept.
    let remainders: Int
}

extension Rows {
    /// Cuts every element to a range.
    fileprivate func clamp(to range: ClosedRange<Float>) {
        let values = values
        for index in values.indices { values[index] = min(max(values[index], range.lowerBound), range.upperBound) }
    }
}
