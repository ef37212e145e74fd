import CLeapKernels
import LeapBase
import Testing

struct DequantizeTests {
    private struct Vector {
        let name: String
        let bytes: [UInt8]
        let values: [UInt32]
    }

    private static func hexadecimal(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            let value = digit < 58 ? digit - 48 : digit - 87
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func vectors() throws -> [Vector] {
        let here = #filePath
        let folder = here[..<(here.lastIndex(of: "/") ?? here.startIndex)]
        let file = try #require(fopen("\(folder)/Fixtures/dequantize.txt", "r"))
        defer { fclose(file) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
            let fields = line.split(separator: " ")
            let raw = hexadecimal(fields[2])
            let values = stride(from: 0, to: raw.count, by: 4).map { at in
                (0..<4).reduce(UInt32(0)) { $0 | UInt32(raw[at + $1]) << (8 * UInt32($1)) }
            }
            return Vector(name: String(fields[0]), bytes: hexadecimal(fields[1]), values: values)
        }
    }

    @Test("Blocks expand to the very floats that gguf-py gives, on every instruction set")
    func matchesReference() throws {
        let vectors = try Self.vectors()
        #expect(Set(vectors.map(\.name)) == Set(TensorType.all.map(\.name)).subtracting(["F32"]))
        for vector in vectors {
            let type = try #require(TensorType.all.first { $0.name == vector.name })
            for name in instructionSets {
                let found = withInstructionSet(name) {
                    [Float](unsafeUninitializedCapacity: vector.values.count) { buffer, count in
                        count = vector.values.count
                        if let out = buffer.baseAddress {
                            leap_dequantize_row(type.id, vector.bytes, out, Int64(count))
                        }
                    }
                }
                #expect(found.map(\.bitPattern) == vector.values, "\(vector.name) on \(name)")
            }
        }
    }
}
