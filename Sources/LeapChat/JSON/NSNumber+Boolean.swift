import Foundation

extension NSNumber {
    /// True if this is a boolean, and not a number that could stand for one.
    ///
    /// JSON tells `true` from `1`, `as? Bool` does not. On Apple's systems a boolean and a number of one byte also have
    /// the same encoding.
    var isBoolean: Bool {
        #if canImport(Darwin)
            CFGetTypeID(self) == CFBooleanGetTypeID()
        #else
            // Numbers of one byte are boxed as wider ones here, so that the encoding is a boolean's alone.
            objCType.pointee == CChar(UInt8(ascii: "c")) || objCType.pointee == CChar(UInt8(ascii: "B"))
        #endif
    }
}
