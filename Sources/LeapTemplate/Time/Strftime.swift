/// `datetime.strftime` in the C locale, with the flags of the GNU library (`%-d`, `%_H`, `%^a`, `%05d`).
enum Strftime {
    private static let days = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// - Parameter renderer: whom to account to; nil for formats of our own.
    static func format(
        _ date: TemplateDate, _ format: Text, _ renderer: Renderer?
    ) throws(TemplateError) -> Text {
        try renderer?.touch(format, times: TextCost.decode)
        let source = format.bytes
        var out = [UInt8]()
        var i = 0
        while i < source.count {
            guard source[i] == 0x25, i + 1 < source.count else {
                out.append(source[i])
                i += 1
                continue
            }
            // A directive of two bytes becomes as many as its width says.
            try renderer?.step(16)
            try renderer?.checkSize(out.count)
            let start = i
            i += 1
            var flag: UInt8?
            var isUpper = false
            while i < source.count, [0x2D, 0x5F, 0x30, 0x5E, 0x23].contains(source[i]) {
                if source[i] == 0x5E || source[i] == 0x23 { isUpper = true } else { flag = source[i] }
                i += 1
            }
            var width = 0
            while i < source.count, source[i] >= 0x30, source[i] <= 0x39 {
                width = min(width * 10 + Int(source[i] - 0x30), 1024)
                i += 1
            }
            if i < source.count, source[i] == 0x45 || source[i] == 0x4F { i += 1 }
            guard i < source.count, let field = try field(source[i], date) else {
                // An unknown directive stays as it is.
                let end = min(i + 1, source.count)
                out += source[start..<end]
                i = end
                continue
            }
            i += 1
            var text = field.text(flag: flag, width: width)
            if isUpper { text = text.uppercased() }
            out += Array(text.utf8)
        }
        return Text(out)
    }

    private enum Field {
        case text(String)
        /// A number, the digits it is padded to, and with what.
        case number(Int, Int, Character)

        func text(flag: UInt8?, width: Int) -> String {
            switch self {
            case .text(let text):
                return String(repeating: flag == 0x30 ? "0" : " ", count: max(0, width - text.utf8.count)) + text
            case .number(let value, let digits, let padding):
                let shown = String(value)
                if flag == 0x2D { return shown }
                let fill: Character = flag == 0x5F ? " " : flag == 0x30 ? "0" : padding
                return String(repeating: fill, count: max(0, max(width, digits) - shown.utf8.count)) + shown
            }
        }
    }

    private static func field(_ directive: UInt8, _ date: TemplateDate) throws(TemplateError) -> Field? {
        func nested(_ format: Text) throws(TemplateError) -> Field {
            .text(try Self.format(date, format, nil).string)
        }
        let hour12 = date.hour % 12 == 0 ? 12 : date.hour % 12
        let month = months[(max(date.month, 1) - 1) % 12]
        switch directive {
        case 0x61: return .text(String(days[date.weekday].prefix(3)))  // a
        case 0x41: return .text(days[date.weekday])  // A
        case 0x62, 0x68: return .text(String(month.prefix(3)))  // b h
        case 0x42: return .text(month)  // B
        case 0x63: return try nested("%a %b %e %H:%M:%S %Y")  // c
        case 0x43: return .number(date.year / 100, 2, "0")  // C
        case 0x64: return .number(date.day, 2, "0")  // d
        case 0x44, 0x78: return try nested("%m/%d/%y")  // D x
        case 0x65: return .number(date.day, 2, " ")  // e
        case 0x46: return try nested("%Y-%m-%d")  // F
        case 0x66: return .number(date.microsecond, 6, "0")  // f
        case 0x67: return .number(date.isoWeek.year % 100, 2, "0")  // g
        case 0x47: return .number(date.isoWeek.year, 1, "0")  // G
        case 0x48: return .number(date.hour, 2, "0")  // H
        case 0x49: return .number(hour12, 2, "0")  // I
        case 0x6A: return .number(date.dayOfYear, 3, "0")  // j
        case 0x6B: return .number(date.hour, 2, " ")  // k
        case 0x6C: return .number(hour12, 2, " ")  // l
        case 0x6D: return .number(date.month, 2, "0")  // m
        case 0x4D: return .number(date.minute, 2, "0")  // M
        case 0x6E: return .text("\n")  // n
        case 0x70: return .text(date.hour < 12 ? "AM" : "PM")  // p
        case 0x50: return .text(date.hour < 12 ? "am" : "pm")  // P
        case 0x72: return try nested("%I:%M:%S %p")  // r
        case 0x52: return try nested("%H:%M")  // R
        case 0x73:
            return .number(date.daysSinceEpoch * 86400 + date.hour * 3600 + date.minute * 60 + date.second, 1, "0")
        case 0x53: return .number(date.second, 2, "0")  // S
        case 0x74: return .text("\t")  // t
        case 0x54, 0x58: return try nested("%H:%M:%S")  // T X
        case 0x75: return .number((date.weekday + 6) % 7 + 1, 1, "0")  // u
        case 0x55: return .number((date.dayOfYear + 6 - date.weekday) / 7, 2, "0")  // U
        case 0x56: return .number(date.isoWeek.week, 2, "0")  // V
        case 0x77: return .number(date.weekday, 1, "0")  // w
        case 0x57: return .number((date.dayOfYear + 6 - (date.weekday + 6) % 7) / 7, 2, "0")  // W
        case 0x79: return .number(date.year % 100, 2, "0")  // y
        case 0x59: return .number(date.year, 1, "0")  // Y
        case 0x7A, 0x5A: return .text("")  // z Z: a time without a zone has neither
        case 0x25: return .text("%")
        default: return nil
        }
    }
}
