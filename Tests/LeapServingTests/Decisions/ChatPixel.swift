import Foundation

/// Bytes of pictures that tests write as Base64.
enum ChatPixel {
    static func bytes(base64: String) -> [UInt8]? { Data(base64Encoded: base64).map { [UInt8]($0) } }
}
