/// A token: its index in the vocabulary.
public typealias TokenID = Int32

/// The kind of a vocabulary entry.
public enum TokenKind: UInt8, Sendable, Hashable {
    /// A piece of text.
    case normal = 1
    /// The token for text that the vocabulary cannot express.
    case unknown = 2
    /// A structural mark, such as the end of a turn; never part of the text.
    case control = 3
    /// A piece of text added to the vocabulary, matched before any other rule applies.
    case userDefined = 4
    /// An unused entry.
    case unused = 5
    /// One byte.
    case byte = 6
}
