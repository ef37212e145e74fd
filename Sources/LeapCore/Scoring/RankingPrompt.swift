import LeapChat
import LeapEngine
import LeapModel
import LeapTokenizer

/// Makes what a model reads of a query and a document.
struct RankingPrompt: Sendable {
    /// A query and a document as tokens.
    struct Pair {
        var tokens: [TokenID]
        /// The index of the first token of the second text; nil where one text holds the query and the document.
        var secondText: Int?
        /// True if the document's end is left out.
        var isTruncated = false
    }

    private enum Piece: Sendable {
        case text(String)
        case query
        case document
    }

    /// The placeholders of the texts in templates.
    private static let places: [(name: String, piece: Piece)] = [("{query}", .query), ("{document}", .document)]

    private let tokenizer: Tokenizer
    private let controlTokens: ControlTokenTable
    /// The template in pieces; nil for two texts with a separator between them.
    private let pieces: [Piece]?

    init(_ method: RankingMethod, tokenizer: Tokenizer, controlTokens: ControlTokenTable) {
        self.tokenizer = tokenizer
        self.controlTokens = controlTokens
        pieces = method.template.map { Self.pieces(of: $0) }
    }

    /// The tokens of a query and a document.
    ///
    /// - Parameter limit: the most tokens where `truncate` says that the document may be cut at its end. Where the rest
    ///   alone has more, nothing is cut.
    func pair(query: String, document: String, limit: Int, truncate: Bool) -> Pair {
        guard let pieces else { return joined(query, document, limit: truncate ? limit : .max) }
        let whole = filled(pieces, query: query, document: document)
        guard truncate, whole.count > limit else { return Pair(tokens: whole) }
        // Tokens reach across the places where texts meet, so what is cut off is found by trying.
        let characters = Array(document.unicodeScalars)
        var best: [TokenID]?
        var (low, high) = (0, characters.count - 1)
        while low <= high {
            let middle = (low + high) / 2
            var start = String.UnicodeScalarView()
            start.append(contentsOf: characters[..<middle])
            let tokens = filled(pieces, query: query, document: String(start))
            if tokens.count <= limit {
                best = tokens
                low = middle + 1
            } else {
                high = middle - 1
            }
        }
        return best.map { Pair(tokens: $0, isTruncated: true) } ?? Pair(tokens: whole)
    }

    /// Two texts, each with the token behind it that ends texts.
    private func joined(_ query: String, _ document: String, limit: Int) -> Pair {
        var tokens: [TokenID] = []
        if tokenizer.addsBOS, let start = tokenizer.bosToken { tokens.append(start) }
        tokens += tokenizer.encode(query, addSpecial: false)
        let end = tokenizer.textEnd ?? tokenizer.separatorToken
        if let end { tokens.append(end) }
        if tokenizer.separatesTwice, let separator = tokenizer.separatorToken ?? end { tokens.append(separator) }
        let second = tokens.count
        var rest = tokenizer.encode(document, addSpecial: false)
        let room = limit - second - (end == nil ? 0 : 1)
        let isTruncated = rest.count > room && room >= 0
        if isTruncated { rest.removeLast(rest.count - room) }
        tokens += rest
        if let end { tokens.append(end) }
        return Pair(tokens: tokens, secondText: second, isTruncated: isTruncated)
    }

    /// The template with both texts in it.
    ///
    /// Control tokens that they spell are text; only those of the template itself are tokens.
    private func filled(_ pieces: [Piece], query: String, document: String) -> [TokenID] {
        var bytes: [UInt8] = []
        var literalStarts: Set<Int> = []
        for piece in pieces {
            let text: String
            switch piece {
            case .text(let own):
                bytes += own.utf8
                continue
            case .query: text = query
            case .document: text = document
            }
            for start in controlTokens.occurrences(in: text, except: []) { literalStarts.insert(bytes.count + start) }
            bytes += text.utf8
        }
        return tokenizer.encode(utf8: bytes, addSpecial: false, literalStarts: literalStarts)
    }

    /// A template, cut at the places for the two texts.
    private static func pieces(of template: String) -> [Piece] {
        var pieces: [Piece] = []
        var text = ""
        var rest = template[...]
        while !rest.isEmpty {
            guard let place = places.first(where: { rest.hasPrefix($0.name) }) else {
                text.append(rest.removeFirst())
                continue
            }
            pieces += [.text(text), place.piece]
            text = ""
            rest.removeFirst(place.name.count)
        }
        return pieces + [.text(text)]
    }
}
