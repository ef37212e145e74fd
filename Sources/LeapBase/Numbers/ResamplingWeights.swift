/// What each element of a resized row takes from which elements of the row before: linear interpolation whose support grows with the
/// reduction, so that nothing is skipped (antialiasing), as torch and Pillow do it.
package struct ResamplingWeights: Sendable {
    /// The first input element of each output element.
    package private(set) var first: [Int] = []
    /// How many each takes.
    package private(set) var counts: [Int] = []
    /// Places for each in `values`; more than it takes, as a rule.
    package let stride: Int
    /// Weights that sum to 1 for each.
    package private(set) var values: [Double]

    /// - Precondition: both lengths are 1 or more.
    package init(from input: Int, to output: Int) {
        precondition(input > 0 && output > 0, "lengths of 1 or more")
        let scale = Double(input) / Double(output)
        let support = max(1, scale)
        stride = Int(support.rounded(.up)) * 2 + 1
        values = [Double](repeating: 0, count: stride * output)
        for index in 0..<output {
            let centre = (Double(index) + 0.5) * scale
            let begin = max(0, Int(centre - support + 0.5))
            let count = max(0, min(input, Int(centre + support + 0.5)) - begin)
            var sum = 0.0
            for place in 0..<count {
                let distance = abs((Double(begin + place) - centre + 0.5) / support)
                values[stride * index + place] = max(0, 1 - distance)
                sum += max(0, 1 - distance)
            }
            for place in 0..<count where sum > 0 { values[stride * index + place] /= sum }
            first.append(begin)
            counts.append(count)
        }
    }
}
