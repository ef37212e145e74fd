import LeapBase
import LeapModel

/// Streams side by side, cut gates, and the vectors that tokens have for a layer.
extension SelfTest {
    /// Tries what the layers of a model take of these.
    mutating func checkStreams(_ model: GPUModel) throws(GPUError) {
        let inputs = model.layers.compactMap(\.tokenInput)
        if !inputs.isEmpty { try checkTokenInput() }
        if inputs.contains(where: { $0.scale != nil }) { try checkColumns() }
        if let deviations = model.layers.compactMap({ $0.dense?.cutoff }).first { try checkCutoff(deviations) }
        if let update = model.layers.compactMap(\.update).first {
            try checkUpdate(update)
            try checkMatch(length: model.width)
        }
    }

    mutating func checkTokenInput() throws(GPUError) {
        let (rows, length, stride, start) = (3, 130, 300, 140)
        let gates = numbers(rows * length).map { 4 * $0 }, factors = numbers(rows * stride)
        let output = try buffer(gates), table = try buffer(factors)
        try carryOut { (recording) throws(GPUError) in
            try recording.activate(
                output, timesInputs: table, stride: stride, start: start, length: length, count: rows)
        }
        for (index, value) in floats(output).enumerated() {
            let factor = Double(factors[index / length * stride + start + index % length])
            let expected = Self.gelu(Double(gates[index])) * factor
            try check(value, expected, within: Self.tolerance * (abs(expected) + abs(factor)), "gelu_times")
        }
    }

    private mutating func checkColumns() throws(GPUError) {
        let (rows, length) = (3, 130), values = numbers(rows * length), factors = numbers(length)
        let input = try buffer(values), table = try buffer(factors), output = try buffer(numbers(rows * length))
        try carryOut { (recording) throws(GPUError) in
            try recording.scale(input, columns: table, length: length, count: rows, into: output)
        }
        for (index, value) in floats(output).enumerated() {
            try check(value, Double(values[index] * factors[index % length]), within: 0, "scale_columns")
        }
    }

    private mutating func checkCutoff(_ deviations: Float) throws(GPUError) {
        let (rows, length) = (3, 200), values = numbers(rows * length), output = try buffer(values)
        try carryOut { (recording) throws(GPUError) in
            try recording.cut(output, deviations: deviations, length: length, count: rows)
        }
        for (index, value) in floats(output).enumerated() {
            let row = values[index / length * length..<(index / length + 1) * length].map(Double.init)
            let mean = row.reduce(0, +) / Double(length)
            let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(length)
            let cutoff = mean + Double(deviations) * variance.squareRoot()
            try check(
                value, max(Double(values[index]) - cutoff, 0), within: Self.tolerance * (1 + abs(cutoff)),
                "gaussian_topk")
        }
    }

    private mutating func checkUpdate(_ update: GPUStreamUpdate) throws(GPUError) {
        let (rows, length, count) = (3, 130, update.count), all = rows * count * length
        let logits = numbers(rows * count).map { $0 / max(update.scale, 1e-6) }, before = numbers(all)
        let predictions = numbers(count * count * count), corrections = numbers(count * count)
        var own = update
        (own.prediction, own.correction) = (try buffer(predictions), try buffer(corrections))
        let computed = numbers(rows * length), added = numbers(rows * length)
        let table = try buffer(logits), old = try buffer(before), predicted = try buffer(numbers(all))
        let first = try buffer(numbers(rows * length)), corrected = try buffer(before), layer = try buffer(computed)
        let others = try buffer(before), addition = try buffer(added)
        try carryOut { (recording) throws(GPUError) in
            try recording.predict(own, table, before: old, length: length, count: rows, into: predicted, first: first)
            try recording.correct(own, table, length: length, count: rows, streams: corrected, first: layer)
            try recording.add(addition, toOthersOf: others, count, length: length, count: rows)
        }
        let (predictedStreams, correctedStreams, sums) = (floats(predicted), floats(corrected), floats(others))
        let (firsts, layers) = (floats(first), floats(layer))
        for row in 0..<rows {
            let scores = (0..<count).map { tanh(Double(update.scale) * Double(logits[row * count + $0])) }
            func weight(_ coefficients: [Float], _ at: Int) -> Double {
                var sum = 0.0
                for (index, score) in scores.enumerated() { sum += Double(coefficients[at * count + index]) * score }
                return sum
            }
            for element in 0..<length {
                func place(_ stream: Int) -> Int { (row * count + stream) * length + element }
                let at = row * length + element, bound = Self.tolerance * Double(2 + count * count)
                let difference = Double(computed[at]) - Double(before[place(0)])
                for stream in 0..<count {
                    var sum = Double(before[place(stream)])
                    for from in 0..<count {
                        sum += weight(predictions, stream * count + from) * Double(before[place(from)])
                    }
                    try check(predictedStreams[place(stream)], sum, within: bound, "predict_streams")
                    let moved = Double(before[place(stream)]) + (1 + weight(corrections, stream)) * difference
                    try check(correctedStreams[place(stream)], moved, within: bound, "correct_streams")
                    let whole = before[place(stream)] + (stream == 0 ? 0 : added[at])
                    try check(sums[place(stream)], Double(whole), within: 0, "add_to_streams")
                }
                try check(firsts[at], Double(predictedStreams[place(0)]), within: 0, "predict_streams")
                try check(layers[at], Double(correctedStreams[place(0)]), within: 0, "correct_streams")
            }
        }
    }

    private mutating func checkMatch(length: Int) throws(GPUError) {
        let (rows, streams, factor, least): (Int, Int, Float, Float) = (3, 2, 0.25, 1e-5)
        let values = numbers(rows * length), targets = numbers(rows * streams * length), sums = numbers(rows * length)
        let input = try buffer(values), others = try buffer(targets), output = try buffer(sums)
        try carryOut { (recording) throws(GPUError) in
            try recording.add(
                input, matching: others, stride: streams * length, least: least, factor: factor, length: length,
                count: rows, into: output)
        }
        func meanSquare(_ values: ArraySlice<Float>) -> Double {
            values.reduce(0) { $0 + Double($1) * Double($1) } / Double(length)
        }
        for (index, value) in floats(output).enumerated() {
            let row = index / length
            let own = max(meanSquare(values[row * length..<(row + 1) * length]), Double(least))
            let other = meanSquare(targets[row * streams * length..<(row * streams + 1) * length])
            let matched = Double(values[index]) * (other / own).squareRoot()
            let sum = Double(sums[index]) + matched
            try check(
                value, sum * Double(factor), within: Self.tolerance * (abs(Double(sums[index])) + abs(matched)),
                "match_add")
        }
    }
}
