package import Foundation

/// Numbers as bytes, lowest first: shorter than JSON's and exact.
package enum Packed {
    package static func data(_ values: [Int32]) -> Data {
        values.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }

    /// nil for a number of bytes that is no multiple of four.
    package static func integers(_ data: Data) -> [Int32]? {
        guard data.count.isMultiple(of: 4) else { return nil }
        return data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map {
                Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int32.self))
            }
        }
    }

    package static func data(_ values: [Float]) -> Data { data(values.map { Int32(bitPattern: $0.bitPattern) }) }

    package static func floats(_ data: Data) -> [Float]? {
        integers(data)?.map { Float(bitPattern: UInt32(bitPattern: $0)) }
    }
}
