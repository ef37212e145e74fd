/// A token of the template.
struct Token {
    enum Kind: Equatable {
        case data, variableBegin, variableEnd, blockBegin, blockEnd
        case name, string, integer, float
        case add, sub, div, floordiv, mul, mod, pow, tilde
        case lbracket, rbracket, lparen, rparen, lbrace, rbrace
        case eq, ne, gt, gteq, lt, lteq, assign, dot, colon, pipe, comma, semicolon
        case eof

        /// The name of the kind in error messages, in Jinja's words.
        var description: String {
            switch self {
            case .data: "template data / text"
            case .variableBegin: "begin of print statement"
            case .variableEnd: "end of print statement"
            case .blockBegin: "begin of statement block"
            case .blockEnd: "end of statement block"
            case .name: "name"
            case .string: "string"
            case .integer: "integer"
            case .float: "float"
            case .eof: "end of template"
            default: Operators.text(of: self)
            }
        }
    }

    let kind: Kind
    /// The name, the unescaped string, the digits or the template text.
    let text: Text
    let line: Int

    func isName(_ name: Text) -> Bool { kind == .name && text == name }

    var description: String { kind == .name ? text.string : kind.description }
}

/// The operators, longest first.
enum Operators {
    static let all: [(text: [UInt8], kind: Token.Kind)] = {
        let pairs: [(String, Token.Kind)] = [
            ("//", .floordiv), ("**", .pow), ("==", .eq), ("!=", .ne), (">=", .gteq), ("<=", .lteq),
            ("+", .add), ("-", .sub), ("/", .div), ("*", .mul), ("%", .mod), ("~", .tilde), ("[", .lbracket),
            ("]", .rbracket), ("(", .lparen), (")", .rparen), ("{", .lbrace), ("}", .rbrace), (">", .gt),
            ("<", .lt), ("=", .assign), (".", .dot), (":", .colon), ("|", .pipe), (",", .comma), (";", .semicolon),
        ]
        return pairs.map { (Array($0.0.utf8), $0.1) }
    }()

    static func text(of kind: Token.Kind) -> String {
        all.first { $0.kind == kind }.map { String(decoding: $0.text, as: UTF8.self) } ?? "token"
    }
}
