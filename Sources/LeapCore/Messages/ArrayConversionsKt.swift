public import Foundation

/// Conversions between samples and their bytes, by the name they have in version 0.10 of the LEAP SDK.
///
/// Samples are `[Float]` and files are `Data` here: what is written anew needs no conversion.
public enum ArrayConversionsKt {
    /// The bytes of some samples, four for each, in the machine's byte order.
    public static func floatArrayToNSData(array: [Float]) -> Data {
        array.withUnsafeBytes { Data($0) }
    }

    /// The samples whose bytes these are; bytes at the end that are no whole sample are left out.
    public static func nsDataToFloatArray(data: Data) -> [Float] {
        let bytes = [UInt8](data)
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }

    /// The samples whose bytes these are; bytes at the end that are no whole sample are left out.
    public static func nsDataToFloatArray(data: NSData) -> [Float] {
        nsDataToFloatArray(data: Data(referencing: data))
    }
}
