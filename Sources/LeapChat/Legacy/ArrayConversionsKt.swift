public import Foundation

/// Conversions between samples and their bytes, under the name they have in version 0.10 of the LEAP SDK.
///
/// In Open Leap, samples are `[Float]` and files are `Data`, so new code needs no conversion.
public enum ArrayConversionsKt {
    /// Returns the bytes of samples, four for each, in the machine's byte order.
    public static func floatArrayToNSData(array: [Float]) -> Data {
        array.withUnsafeBytes { Data($0) }
    }

    /// Returns the samples of some bytes; ignores an incomplete sample at the end.
    public static func nsDataToFloatArray(data: Data) -> [Float] {
        let bytes = [UInt8](data)
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// Returns the samples of some bytes; ignores an incomplete sample at the end.
    public static func nsDataToFloatArray(data: NSData) -> [Float] {
        nsDataToFloatArray(data: Data(referencing: data))
    }
}
