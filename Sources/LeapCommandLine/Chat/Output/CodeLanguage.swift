/// The marks and words of a language by which its code is coloured.
struct CodeLanguage {
    /// The marks that begin a comment which ends with its line.
    let lineComments: [[Character]]
    /// True if there are comments between `/*` and `*/`.
    let hasBlocks: Bool
    let quotes: Set<Character>
    private let keywords: Set<String>
    private let ignoresCase: Bool

    /// The language of this name, as fences of code have it; nil for none, and for text.
    init?(_ name: String) {
        let name = name.lowercased()
        guard !["", "text", "txt", "plain", "plaintext", "console", "markdown", "md", "diff"].contains(name) else {
            return nil
        }
        switch name {
        case "python", "py", "python3", "starlark":
            self.init(["#"], quotes: "\"'", Self.python)
        case "sh", "bash", "zsh", "shell", "fish", "make", "makefile", "dockerfile":
            self.init(["#"], quotes: "\"'", Self.shell)
        case "yaml", "yml", "toml", "ini", "conf": self.init(["#"], quotes: "\"'", Self.values)
        case "ruby", "rb", "perl", "pl", "r", "julia", "jl", "elixir", "ex":
            self.init(["#"], quotes: "\"'", Self.python.union(Self.cLike))
        case "sql": self.init(["--"], hasBlocks: true, quotes: "'\"", Self.sql, ignoresCase: true)
        case "lua", "haskell", "hs", "ada": self.init(["--"], quotes: "\"", Self.cLike.union(Self.python))
        case "json": self.init([], quotes: "\"", Self.values)
        case "html", "xml", "svg": self.init([], quotes: "\"", [])
        case "css", "scss": self.init([], hasBlocks: true, quotes: "\"'", [])
        case "rust", "rs", "swift", "ocaml", "ml", "haxe":
            // One quote is also a lifetime, or is none of a string's.
            self.init(["//"], hasBlocks: true, quotes: "\"", Self.cLike)
        case "php": self.init(["//", "#"], hasBlocks: true, quotes: "\"'", Self.cLike)
        default: self.init(["//"], hasBlocks: true, quotes: "\"'`", Self.cLike)
        }
    }

    private init(
        _ lineComments: [String], hasBlocks: Bool = false, quotes: String, _ keywords: Set<String>,
        ignoresCase: Bool = false
    ) {
        self.lineComments = lineComments.map { Array($0) }
        self.hasBlocks = hasBlocks
        self.quotes = Set(quotes)
        self.keywords = keywords
        self.ignoresCase = ignoresCase
    }

    /// Returns whether a word is one of the language's own.
    func isKeyword(_ word: String) -> Bool { keywords.contains(ignoresCase ? word.lowercased() : word) }

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }

    private static let values = words("true false null yes no on off")
    private static let python = words(
        """
        and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match \
        None nonlocal not or pass raise return True try while with yield case begin end then do module require
        """)
    private static let shell = words(
        """
        if then else elif fi for while until do done case esac in function return local export set unset exit echo cd source alias \
        FROM RUN COPY ADD CMD ENTRYPOINT ENV ARG WORKDIR EXPOSE USER VOLUME
        """)
    private static let sql = words(
        """
        select from where insert into values update set delete join left right inner outer on group by order limit offset having as and or \
        not null is in like between create table index view primary key foreign references drop alter add union all distinct case when then \
        else end with
        """)
    private static let cLike = words(
        """
        abstract actor any as async await auto bool boolean break byte case catch char chan class const constexpr continue default defer \
        delete do double else enum export extends extension extern false final finally float fn for from func function go guard if impl \
        implements import in init inline int interface internal is let long loop match mod mut namespace new nil none null nullptr open \
        operator override package private protected protocol pub public range return self short signed sizeof some static string struct \
        super switch template this throw throws trait true try type typedef typealias typename undefined union unsafe unsigned use using \
        var virtual void volatile where while yield
        """)
}
