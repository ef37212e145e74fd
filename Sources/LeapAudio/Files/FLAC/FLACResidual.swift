/// The differences that predictors leave, in partitions with a parameter of their own (Rice codes; RFC 9639, section
/// 9.2.7).
enum FLACResidual {
    /// Reads the residuals of the samples after the first `order`.
    static func read(_ bits: inout FLACBitReader, count: Int, order: Int) throws(AudioFileError) -> [Int] {
        let method = Int(try bits.bits(2))
        guard method < 2 else { throw AudioFileError(.damaged, "has residuals of the reserved code \(method)") }
        let parameterWidth = 4 + method
        let escape = UInt64(1 << parameterWidth - 1)
        let partitions = 1 << Int(try bits.bits(4))
        let length = count / partitions
        guard length * partitions == count, length >= order else {
            throw AudioFileError(
                .damaged, "has \(count) samples in \(partitions) parts, which do not fit \(order) samples before them")
        }
        var values: [Int] = []
        values.reserveCapacity(count - order)
        for partition in 0..<partitions {
            let number = partition == 0 ? length - order : length
            let parameter = try bits.bits(parameterWidth)
            if parameter == escape {
                let width = Int(try bits.bits(5))
                for _ in 0..<number { values.append(try bits.signed(width)) }
                continue
            }
            let low = Int(parameter)
            // What is left has 32 bits at most.
            let most = Int(UInt32.max) >> low
            for _ in 0..<number {
                let folded = try bits.unary(max: most) << low | Int(try bits.bits(low))
                values.append(folded >> 1 ^ -(folded & 1))
            }
        }
        return values
    }
}
