import LeapBase

#if !canImport(ImageIO)
    /// The libwebp of the system, looked up when the program runs: neither its headers nor a package are needed to build.
    ///
    /// Everything unsafe about it is here: the signatures are those of its stable interface (`webp/decode.h`), it gets the bytes of an array with
    /// their count, and it writes into an array with its count.
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
            for name in names {
                guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
                guard let info = dlsym(library, "WebPGetInfo"), let decode = dlsym(library, "WebPDecodeRGBAInto") else {
                    dlclose(library)
                    continue
                }
                getInfo = unsafeBitCast(info, to: GetInfo.self)
                decodeInto = unsafeBitCast(decode, to: DecodeInto.self)
                return
            }
            return nil
        }

        /// Columns and rows by a file's header; nil for a damaged one.
        func size(of file: [UInt8]) -> (width: Int, height: Int)? {
            var (width, height): (CInt, CInt) = (0, 0)
            let isRead = file.withUnsafeBufferPointer { getInfo($0.baseAddress, $0.count, &width, &height) != 0 }
            return isRead ? (Int(width), Int(height)) : nil
        }

        /// Red, green, blue and opacity of each pixel; nil for a damaged file.
        ///
        /// - Precondition: `width` and `height` are those of ``size(of:)``; another size is refused by the library, as the room does not fit.
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
