import LeapBase
import LeapCompute
import LeapHashing
import LeapTokenizer

/// The name of a page's file: the key of the prefix before the page, the tokens in it, and the key of the prefix to its
/// end.
///
/// The key of the empty prefix is the model's identity, so the names in a folder are the trees of all prefixes of all
/// models. Keys are SHA-256 hashes cut to 128 bits: two prompts of one key cannot be constructed.
struct PageName: Hashable, Sendable {
    let parent: StableHash
    /// 1 to 64 tokens; a page that is not full has no children.
    let length: Int
    let key: StableHash

    /// The page that follows a prefix.
    init(after parent: StableHash, _ tokens: ArraySlice<TokenID>) {
        var hash = SHA256()
        withUnsafeBytes(of: (parent.low.littleEndian, parent.high.littleEndian)) { hash.update($0) }
        tokens.withUnsafeBytes { hash.update($0) }
        self.parent = parent
        length = tokens.count
        key = StableHash(digest: hash.finalize())
    }

    /// The page that a file name tells of, or nil.
    init?(fileName: String) {
        let parts = fileName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasSuffix(Self.suffix), let parent = StableHash(text: parts[0]),
            let length = Int(parts[1]), (1...StatePage.length).contains(length),
            let key = StableHash(text: parts[2].dropLast(Self.suffix.count))
        else { return nil }
        self.parent = parent
        self.length = length
        self.key = key
    }

    private static let suffix = ".page"

    /// The name of its file.
    var fileName: String { "\(parent.text)-\(length)-\(key.text)\(Self.suffix)" }

    /// The pages of a sequence in order, the last of which may not be full.
    static func chain(of tokens: ArraySlice<TokenID>, after root: StableHash) -> [PageName] {
        var pages: [PageName] = []
        var parent = root
        var rest = tokens
        while !rest.isEmpty {
            let page = PageName(after: parent, rest.prefix(StatePage.length))
            pages.append(page)
            parent = page.key
            rest = rest.dropFirst(page.length)
        }
        return pages
    }
}

extension StableHash {
    /// The first 128 bits of a digest.
    fileprivate init(digest: [UInt8]) {
        func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(low: word(digest[8..<16]), high: word(digest[..<8]))
    }
}
