/// Percent encoding as Python's `urllib.parse.quote`.
enum URLText {
    /// - Parameter forQuery: whether `/` is encoded too and spaces become `+`.
    static func quote(_ text: Text, forQuery: Bool) -> Text {
        let digits = Array("0123456789ABCDEF".utf8)
        var out = [UInt8]()
        for byte in text.bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2D, 0x7E: out.append(byte)
            case 0x2F where !forQuery: out.append(byte)
            case 0x20 where forQuery: out.append(0x2B)
            default:
                out.append(0x25)
                out.append(digits[Int(byte >> 4)])
                out.append(digits[Int(byte & 15)])
            }
        }
        return Text(out)
    }
}
