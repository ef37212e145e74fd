import LeapBase

#if !canImport(ImageIO)
    /// The libwebp of the system; see ``SystemLibrary``.
    ///
    /// Everything unsafe about it is here: the signatures are those of its stable interface (`webp/decode.h`), it gets
    /// the bytes of an array with their count, and it writes into an array with its count.
    struct SystemWebP: Sendable {
        private typealias GetInfo =
            @convention(c) (
                UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<CInt>?, UnsafeMutablePointer<CInt>?
            ) -> CInt
        private typealias DecodeInto =
            @convention(c) (
                UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int, CInt
            ) -> UnsafeMutablePointer<UInt8>?

        /// nil where the system has none.
        static let shared = SystemWebP(names: ["libwebp.so.7", "libwebp.so.6", "libwebp.so"])

        private let getInfo: GetInfo
        private let decodeInto: DecodeInto

        init?(names: [String]) {
            guard let found = SystemLibrary.functions(["WebPGetInfo", "WebPDecodeRGBAInto"], in: names) else {
                return nil
            }
            getInfo = unsafeBitCast(found.functions[0], to: GetInfo.self)
            decodeInto = unsafeBitCast(found.functions[1], to: DecodeInto.self)
        }

        /// Columns and rows by a file's header; nil for a damaged one.
        func size(of file: [UInt8]) -> (width: Int, height: Int)? {
            var (width, height): (CInt, CInt) = (0, 0)
            let isRead = file.withUnsafeBufferPointer { getInfo($0.baseAddress, $0.count, &width, &height) != 0 }
            return isRead ? (Int(width), Int(height)) : nil
        }

        /// Red, green, blue and opacity of each pixel; nil for a damaged file.
        ///
        /// - Precondition: `width` and `height` are those of ``size(of:)``; another size is refused by the library, as
        ///   the room does not fit.
        func pixels(of file: [UInt8], width: Int, height: Int) -> [UInt8]? {
            let (stride, isWide) = width.multipliedReportingOverflow(by: 4)
            let (count, isHigh) = stride.multipliedReportingOverflow(by: height)
            guard width > 0, height > 0, !isWide, !isHigh, let row = CInt(exactly: stride) else { return nil }
            var pixels = [UInt8](repeating: 0, count: count)
            let isDecoded = file.withUnsafeBufferPointer { file in
                pixels.withUnsafeMutableBufferPointer { pixels in
                    decodeInto(file.baseAddress, file.count, pixels.baseAddress, pixels.count, row) != nil
                }
            }
            return isDecoded ? pixels : nil
        }
    }
#endif
