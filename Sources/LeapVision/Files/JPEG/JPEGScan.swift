/// The header of a scan: its components, its coefficients, and which of their bits it brings (ITU-T T.81, B.2.3).
struct JPEGScan {
    /// One component of the scan, with the numbers of its Huffman tables.
    struct Component {
        /// The place of its component in the frame.
        let component: Int
        let dc: Int
        let ac: Int
    }

    let components: [Component]
    /// The coefficients, along the diagonals.
    let first: Int
    let last: Int
    /// The lowest bit that earlier scans brought; 0 where this is the first scan.
    let high: Int
    /// The lowest bit that this scan brings.
    let low: Int

    init(_ reader: inout ByteReader, frame: JPEGFrame) throws {
        let count = try reader.byte()
        guard (1...4).contains(count) else { throw Self.damaged }
        var components: [Component] = []
        for _ in 0..<count {
            let (id, tables) = (try reader.byte(), try reader.byte())
            guard let component = frame.components.firstIndex(where: { $0.id == id }),
                !components.contains(where: { $0.component == component }), tables >> 4 < 4, tables & 15 < 4
            else { throw Self.damaged }
            components.append(Component(component: component, dc: tables >> 4, ac: tables & 15))
        }
        self.components = components
        let (first, last, bits) = (try reader.byte(), try reader.byte(), try reader.byte())
        guard frame.isProgressive else {
            (self.first, self.last, high, low) = (0, 63, 0, 0)
            return
        }
        (self.first, self.last, high, low) = (first, last, bits >> 4, bits & 15)
        guard first <= last, last < 64, low <= 13, high == 0 || high == low + 1,
            first == 0 ? last == 0 : components.count == 1
        else { throw Self.damaged }
    }

    private static let damaged = ImageFileError(
        .damaged, "the JPEG file has a scan with an invalid description")
}
