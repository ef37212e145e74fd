/// The weight of an input element by its distance from an output element's centre, in output elements where a row gets
/// shorter.
package enum ResamplingFilter: Sendable, Hashable {
    /// A triangle as wide as two elements: linear interpolation.
    case linear
    /// A cubic with a = -1/2, four elements wide (Keys 1981).
    case cubic
    /// sinc(x) · sinc(x / 3), six elements wide (Duchon 1979).
    case lanczos

    /// The distance from which on nothing counts.
    fileprivate var support: Double {
        switch self {
        case .linear: 1
        case .cubic: 2
        case .lanczos: 3
        }
    }

    fileprivate func weight(at distance: Double) -> Double {
        switch self {
        case .linear: return max(0, 1 - abs(distance))
        case .cubic:
            let x = abs(distance)
            if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
            return x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0
        case .lanczos:
            func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(x * .pi) / (x * .pi) }
            return abs(distance) < 3 ? sinc(distance) * sinc(distance / 3) : 0
        }
    }
}

/// The weights by which each element of a resized row sums up elements of the row before: a filter whose support grows
/// with the reduction, so that nothing is skipped (antialiasing), as in torch and Pillow.
package struct ResamplingWeights: Sendable {
    /// The first input element of each output element.
    package private(set) var first: [Int] = []
    /// The number of input elements of each output element.
    package private(set) var counts: [Int] = []
    /// Places for each in `values`; more than it takes, as a rule.
    package let stride: Int
    /// Weights that sum to 1 for each.
    package private(set) var values: [Double]

    /// - Precondition: both lengths are 1 or more.
    package init(from input: Int, to output: Int, filter: ResamplingFilter = .linear) {
        precondition(input > 0 && output > 0, "lengths of 1 or more")
        let scale = Double(input) / Double(output)
        let reduction = max(1, scale)
        let support = filter.support * reduction
        stride = Int(support.rounded(.up)) * 2 + 1
        values = [Double](repeating: 0, count: stride * output)
        for index in 0..<output {
            let centre = (Double(index) + 0.5) * scale
            let begin = max(0, Int(centre - support + 0.5))
            let count = max(0, min(input, Int(centre + support + 0.5)) - begin)
            var sum = 0.0
            for place in 0..<count {
                let weight = filter.weight(at: (Double(begin + place) - centre + 0.5) / reduction)
                values[stride * index + place] = weight
                sum += weight
            }
            for place in 0..<count where sum != 0 { values[stride * index + place] /= sum }
            first.append(begin)
            counts.append(count)
        }
    }
    private init(stride: Int, values: [Double]) { (self.stride, self.values) = (stride, values) }

    /// Linear interpolation between the two nearest elements, where the first and the last of both rows lie on each
    /// other.
    ///
    /// - Precondition: both lengths are 1 or more.
    package static func betweenCorners(from input: Int, to output: Int) -> ResamplingWeights {
        precondition(input > 0 && output > 0, "lengths of 1 or more")
        var weights = ResamplingWeights(stride: 2, values: [Double](repeating: 0, count: 2 * output))
        let step = output > 1 ? Double(input - 1) / Double(output - 1) : 0
        for index in 0..<output {
            let place = min(Double(index) * step, Double(input - 1))
            let (first, rest) = (Int(place), place - place.rounded(.down))
            weights.first.append(first)
            weights.counts.append(first + 1 < input ? 2 : 1)
            (weights.values[2 * index], weights.values[2 * index + 1]) = (1 - rest, rest)
        }
        return weights
    }
}
