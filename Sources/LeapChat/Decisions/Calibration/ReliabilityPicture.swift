import Foundation

/// A picture of accuracy over confidence, before and after a calibration, as SVG text.
package enum ReliabilityPicture {
    private static let (side, margin) = (320.0, 48.0)

    /// Returns the picture.
    package static func svg(before: Reliability, after: Reliability, title: String) -> String {
        let whole = Int(side + 2 * margin)
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(whole) \#(whole)" width="\#(whole)" height="\#(whole)" font-family="sans-serif" font-size="12">"#,
            #"<rect width="\#(whole)" height="\#(whole)" fill="white"/>"#,
            #"<text x="\#(whole / 2)" y="20" text-anchor="middle" font-size="14">\#(escaped(title))</text>"#,
            #"<rect x="\#(Int(margin))" y="\#(Int(margin))" width="\#(Int(side))" height="\#(Int(side))" fill="none" stroke="gray"/>"#,
            #"<line x1="\#(x(0))" y1="\#(y(0))" x2="\#(x(1))" y2="\#(y(1))" stroke="silver" stroke-dasharray="4 4"/>"#,
        ]
        for tick in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
            let label = String(format: "%.1f", tick)
            lines.append(
                #"<text x="\#(x(tick))" y="\#(number(side + margin + 16))" text-anchor="middle">\#(label)</text>"#)
            lines.append(
                #"<text x="\#(number(margin - 6))" y="\#(number(place(tick) + 4))" text-anchor="end">\#(label)</text>"#)
        }
        lines.append(
            #"<text x="\#(whole / 2)" y="\#(whole - 8)" text-anchor="middle">probability of the likeliest option</text>"#
        )
        lines.append(
            #"<text x="14" y="\#(whole / 2)" text-anchor="middle" transform="rotate(-90 14 \#(whole / 2))">share that was right</text>"#
        )
        lines += curve(before, color: "firebrick", name: "before", row: 0)
        lines += curve(after, color: "steelblue", name: "after", row: 1)
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private static func curve(_ reliability: Reliability, color: String, name: String, row: Int) -> [String] {
        let bins = reliability.bins.filter { $0.count > 0 }
        let points = bins.map { "\(x($0.confidence)),\(y($0.accuracy))" }.joined(separator: " ")
        let error = String(format: "%.3f", reliability.calibrationError)
        var lines = [#"<polyline points="\#(points)" fill="none" stroke="\#(color)" stroke-width="2"/>"#]
        for bin in bins {
            // The area of a dot is that of the bin's share.
            let radius = 2 + 8 * (Double(bin.count) / Double(max(1, reliability.count))).squareRoot()
            lines.append(
                #"<circle cx="\#(x(bin.confidence))" cy="\#(y(bin.accuracy))" r="\#(number(radius))" fill="\#(color)"><title>\#(bin.count)</title></circle>"#
            )
        }
        lines.append(
            #"<text x="\#(number(margin + 8))" y="\#(number(margin + 18 + 16 * Double(row)))" fill="\#(color)">\#(name): ECE \#(error)</text>"#
        )
        return lines
    }

    private static func x(_ value: Double) -> String { number(margin + side * value) }
    private static func y(_ value: Double) -> String { number(place(value)) }
    private static func place(_ value: Double) -> Double { margin + side * (1 - value) }
    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func escaped(_ text: String) -> String {
        String(
            text.unicodeScalars.flatMap { scalar -> [Character] in
                switch scalar {
                case "&": Array("&amp;")
                case "<": Array("&lt;")
                case ">": Array("&gt;")
                case _ where scalar.value < 0x20: [" "]
                default: [Character(scalar)]
                }
            })
    }
}
