import LeapBase
import LeapCompute
import LeapModel

extension SelfTest {
    /// Tries what layers with states of fixed size take: two sequences, one of which goes on from a state.
    ///
    /// - Parameters:
    ///   - hasFilterBias: whether the convolution in front of the recurrence has a bias.
    ///   - isNormed: whether what is read has a norm.
    mutating func checkRecurrence(_ shape: RecurrenceShape, hasFilterBias: Bool, isNormed: Bool) throws(GPUError) {
        let length = shape.stateCount + (shape.taps - 1) * shape.channels
        // The state before the second sequence, and room for the one behind each.
        let before = numbers(length), buffer = try buffer(before + numbers(2 * length))
        let states = RecurrentStates(
            states: buffer, kept: try self.buffer(numbers(length)), keptStride: length,
            sequences: try self.buffer([0, 3, UInt32.max, UInt32(length), 3, 2, 0, UInt32(2 * length)]),
            places: try self.buffer([UInt32.max, 0, .max, .max, .max]), sequenceCount: 2)
        try checkFilter(shape, states, before: before, hasBias: hasFilterBias)
        if shape.form == .deltaNet { try checkLengths(shape) }
        try checkStates(shape, states, before: before)
        try checkGatedNorm(shape, isNormed: isNormed)
    }

    private mutating func checkFilter(
        _ shape: RecurrenceShape, _ states: RecurrentStates, before: [Float], hasBias: Bool
    ) throws(GPUError) {
        let (channels, taps, reach) = (shape.channels, shape.taps, shape.taps - 1)
        let values = numbers(5 * channels), filters = numbers(channels * taps), bias = numbers(channels)
        let input = try buffer(values), table = try buffer(filters), biases = try buffer(bias)
        let output = try buffer(numbers(5 * channels))
        try carryOut { (recording) throws(GPUError) in
            try recording.filter(
                input, table, bias: hasBias ? biases : nil, taps: taps, channels: channels, states,
                inputStart: shape.stateCount, keptStart: shape.stateCount, into: output)
        }
        let results = floats(output), after = floats(states.states), kept = floats(states.kept)
        /// The input of a row of a sequence that starts at a row, or what lies before.
        func source(_ row: Int, _ start: Int, _ channel: Int) -> Float {
            if row >= start { return values[row * channels + channel] }
            return start == 0 ? 0 : before[shape.stateCount + (row - start + reach) * channels + channel]
        }
        for channel in 0..<channels {
            for row in 0..<5 {
                let start = row < 3 ? 0 : 3
                var sum = hasBias ? Double(bias[channel]) : 0, size = abs(sum)
                for tap in 0..<taps {
                    let term =
                        Double(filters[channel * taps + tap]) * Double(source(row - reach + tap, start, channel))
                    sum += term
                    size += abs(term)
                }
                try check(
                    results[row * channels + channel], sum / (1 + exp(-sum)), within: 2 * Self.tolerance * size,
                    "causal_filter")
            }
            for index in 0..<reach {
                let at = shape.stateCount + index * channels + channel, length = before.count
                let ends = [(after[length + at], 2, 0), (after[2 * length + at], 4, 3), (kept[at], 1, 0)]
                for (value, last, start) in ends {
                    let expected = source(last - reach + 1 + index, start, channel)
                    try check(value, Double(expected), within: 0, "causal_filter")
                }
            }
        }
    }

    private mutating func checkLengths(_ shape: RecurrenceShape) throws(GPUError) {
        let (rows, length, heads) = (2, shape.keyLength, shape.keyHeads), epsilon = DeltaNetBlock.lengthEpsilon
        let values = numbers(rows * shape.channels), output = try buffer(values)
        try carryOut { (recording) throws(GPUError) in
            try recording.normalizeLengths(output, shape, epsilon: epsilon, count: rows)
        }
        for (index, value) in floats(output).enumerated() {
            let part = index % shape.channels / length
            guard part < 2 * heads else {
                try check(value, Double(values[index]), within: 0, "unit_heads")
                continue
            }
            let start = index / shape.channels * shape.channels + part * length
            let squares = values[start..<start + length].reduce(0.0) { $0 + Double($1) * Double($1) }
            let factor = part < heads ? 1 / Double(length).squareRoot() : 1
            let expected = Double(values[index]) / (squares + Double(epsilon)).squareRoot() * factor
            try check(value, expected, within: Self.tolerance * abs(expected), "unit_heads")
        }
    }

    private mutating func checkStates(
        _ shape: RecurrenceShape, _ states: RecurrentStates, before: [Float]
    ) throws(GPUError) {
        let isDelta = shape.form == .deltaNet, kernel = isDelta ? "delta_net" : "mamba"
        let (heads, rows) = (shape.valueHeads, 5), perRow = (isDelta ? 2 : 1) * heads
        let scale = 1 / Float(shape.keyLength).squareRoot()
        let values = numbers(rows * shape.channels).map { $0 * scale }, steps = numbers(rows * perRow)
        // Logarithms of decays are negative.
        let own = numbers(3 * heads).enumerated().map {
            (heads..<2 * heads).contains($0.offset) ? -abs($0.element) : $0.element
        }
        let mixed = try buffer(values), stepTable = try buffer(steps), table = try buffer(own)
        let output = try buffer(numbers(rows * shape.valueCount))
        try carryOut { (recording) throws(GPUError) in
            try recording.recur(
                shape, mixed, steps: stepTable, heads: table, states, stateStart: 0, keptStart: 0, into: output)
        }
        let results = floats(output), after = floats(states.states), kept = floats(states.kept)
        let (keys, columns) = (shape.keyLength, shape.valueLength), length = before.count
        for head in 0..<heads {
            let perKey = shape.valueHeadsPerKey, isJoined = isDelta && shape.isGrouped
            let keyHead = shape.isGrouped ? head / perKey : head % shape.keyHeads
            let share = isJoined ? keyHead * 2 * perKey + head % perKey : heads + head
            let stepAt = isJoined ? share + perKey : head
            for column in 0..<columns {
                let place = head * keys * columns + column
                var state: [Double] = []
                for row in 0..<rows {
                    if row == 0 { state = [Double](repeating: 0, count: keys) }
                    if row == 3 { state = (0..<keys).map { Double(before[place + $0 * columns]) } }
                    let x = Double(steps[row * perRow + stepAt]) + Double(own[head]), step = log1p(exp(x))
                    let decay = exp(Double(own[heads + head]) * step), from = row * shape.channels
                    let value = Double(values[from + shape.valueStart + head * columns + column])
                    let key = (0..<keys).map { Double(values[from + shape.keyStart + keyHead * keys + $0]) }
                    var (seen, read, size) = (0.0, 0.0, 0.0)
                    for index in 0..<keys {
                        state[index] *= decay
                        seen += state[index] * key[index]
                    }
                    let written =
                        isDelta
                        ? (value - seen) / (1 + exp(-Double(steps[row * perRow + share]))) : step * value
                    for index in 0..<keys {
                        state[index] += written * key[index]
                        let query = Double(values[from + shape.queryStart + keyHead * keys + index])
                        read += state[index] * query
                        size += abs(state[index] * query)
                    }
                    let skip = Double(own[2 * heads + head]) * value
                    try check(
                        results[row * shape.valueCount + head * columns + column], read + skip,
                        within: 10 * Self.tolerance * (size + abs(skip)) + 1e-7, kernel)
                    guard [1, 2, 4].contains(row) else { continue }
                    for index in 0..<keys {
                        let at = place + index * columns
                        let end = row == 1 ? kept[at] : after[(row == 2 ? 1 : 2) * length + at]
                        try check(end, state[index], within: 10 * Self.tolerance * abs(state[index]) + 1e-6, kernel)
                    }
                }
            }
        }
    }

    private mutating func checkGatedNorm(_ shape: RecurrenceShape, isNormed: Bool) throws(GPUError) {
        let rows = 2, isMamba = shape.form == .mamba, parts = isMamba ? shape.keyHeads : shape.valueHeads
        let length = shape.valueCount / parts, gains = numbers(isMamba ? shape.valueCount : length)
        let values = numbers(rows * shape.valueCount), gates = numbers(rows * shape.valueCount)
        let output = try buffer(values), gateTable = try buffer(gates), epsilon: Float = 1e-5
        let own = try isNormed ? GPUNorm(gains: buffer(gains), epsilon: epsilon) : nil
        try carryOut { (recording) throws(GPUError) in
            try recording.gate(output, by: gateTable, own, shape, count: rows)
        }
        for (index, value) in floats(output).enumerated() {
            let start = index / length * length
            func gated(_ at: Int) -> Double { Double(values[at]) * Double(gates[at]) / (1 + exp(-Double(gates[at]))) }
            var expected = gated(index)
            if own != nil {
                let squares = (start..<start + length).reduce(0.0) {
                    let number = isMamba ? gated($1) : Double(values[$1])
                    return $0 + number * number
                }
                expected *= Double(gains[index % gains.count])
                expected /= (squares / Double(length) + Double(epsilon)).squareRoot()
            }
            try check(value, expected, within: 2 * Self.tolerance * abs(expected) + 1e-12, "gated_norm")
        }
    }

    // MARK: Gates and factors

    /// Gates of heads as a whole, or of each of their elements.
    mutating func checkHeadGates(isPerElement: Bool) throws(GPUError) {
        let (rows, heads, length) = (2, 3, 50), start = 5, headStride = isPerElement ? 2 * length : 1
        let tokenStride = heads * headStride + start + length
        let values = numbers(rows * heads * length), gates = numbers(rows * tokenStride).map { 3 * $0 }
        let output = try buffer(values), table = try buffer(gates)
        try carryOut { (recording) throws(GPUError) in
            try recording.gateHeads(
                output, by: table, start: start, strides: (tokenStride, headStride), isPerElement: isPerElement,
                heads: heads, headLength: length, count: rows)
        }
        for (index, value) in floats(output).enumerated() {
            let row = index / (heads * length), head = index / length % heads
            let gate = gates[row * tokenStride + head * headStride + start + (isPerElement ? index % length : 0)]
            let expected = Double(values[index]) / (1 + exp(-Double(gate)))
            try check(value, expected, within: Self.tolerance * abs(expected), "gate_heads")
        }
    }

    mutating func checkAddScaled() throws(GPUError) {
        let (rows, length) = (3, 130), scale: Float = 0.75
        let values = numbers(rows * length), before = numbers(rows * length), gates = numbers(rows)
        let input = try buffer(values), table = try buffer(gates)
        let plain = try buffer(before), gated = try buffer(before)
        try carryOut { (recording) throws(GPUError) in
            try recording.addScaled(input, scale: scale, length: length, count: rows, into: plain)
            try recording.addScaled(input, gates: table, scale: scale, length: length, count: rows, into: gated)
        }
        for (index, pair) in zip(floats(plain), floats(gated)).enumerated() {
            let whole = Double(scale) * Double(values[index]), old = Double(before[index])
            let part = whole / (1 + exp(-Double(gates[index / length])))
            let bound = Self.tolerance * (abs(whole) + abs(old))
            try check(pair.0, old + whole, within: bound, "add_scaled")
            try check(pair.1, old + part, within: bound, "add_scaled")
        }
    }
}
