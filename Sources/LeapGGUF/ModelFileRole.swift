/// The role of a file of a model, by its name and the folders that it is in.
///
/// A repository or a folder holds more than one model's weights: encoders, decoders, draft models, adapters, statistics
/// of quantizing.
package enum ModelFileRole: Sendable, Hashable {
    case model
    /// The encoder of pictures or sounds (mmproj).
    case projector
    /// The decoder of speech (vocoder).
    case audioDecoder
    case audioTokenizer
    /// A smaller model that proposes tokens for the model (mtp, draft, eagle, dspark, Gemma 4's assistants).
    case draft
    /// A low-rank adapter.
    case adapter
    /// The weights of numbers in quantizing (imatrix).
    case statistics

    private static let draftWords: Set<Substring> = [
        "mtp", "nextn", "draft", "drafts", "drafter", "speculator", "speculators", "eagle", "eagle1", "eagle2",
        "eagle3",
        "medusa", "dflash", "dspark",
    ]
    private static let adapterWords: Set<Substring> = ["lora", "loras", "dora", "adapter", "adapters"]

    /// - Parameters:
    ///   - path: the path within the repository or the folder.
    ///   - repository: the name of the repository: one that is of draft models has them as its models.
    package init(path: String, repository: String = "") {
        let parts = path.lowercased().split(separator: "/")
        let name = parts.last ?? ""
        let words = Set(parts.flatMap(Self.words))
        let own = Set(Self.words(repository.lowercased()[...]))
        if name.hasSuffix(".gguf"), parts.contains(where: { $0.contains("mmproj") }) {
            self = .projector
        } else if name.contains("vocoder") || (name.contains("audio") && name.contains("decoder")) {
            self = .audioDecoder
        } else if name.contains("tokenizer") {
            self = .audioTokenizer
        } else if !words.isDisjoint(with: Self.adapterWords), words.isDisjoint(with: ["merged", "fused"]) {
            self = .adapter
        } else if !words.intersection(Self.draftWords).isSubset(of: own)
            || ["mtp", "nextn", "draft"].contains(Self.words(name).first)
            // Models of other families are called assistants, too.
            || Set(Self.words(name)).isSuperset(of: ["gemma", "4", "assistant"])
        {
            self = .draft
        } else if name.hasPrefix("imatrix") || words.contains("imatrix") && !Self.holdsQuantization(name) {
            // Behind a model's name and with a quantization it is one that was quantized by such statistics.
            self = .statistics
        } else {
            self = .model
        }
    }

    private static func words(_ text: Substring) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }

    // MARK: Quantizations

    /// Returns whether a file is of a quantization: its name holds it as a word, in any case, or, where it holds none,
    /// the name of a folder that it is in.
    package static func has(_ quantization: String, _ path: String) -> Bool {
        var parts = path.split(separator: "/")
        let name = parts.popLast() ?? ""
        if holds(quantization, name) { return true }
        return Self.quantization(ofName: name) == nil && parts.contains { holds(quantization, $0) }
    }

    private static func holds(_ quantization: String, _ text: Substring) -> Bool {
        let (name, wanted) = (text.lowercased(), quantization.lowercased())
        guard !wanted.isEmpty else { return false }
        return name.ranges(of: wanted).contains { found in
            let before = found.lowerBound == name.startIndex ? "-" : name[name.index(before: found.lowerBound)]
            let after = found.upperBound == name.endIndex ? "." : name[found.upperBound]
            return "-._".contains(before) && "-.".contains(after)
        }
    }

    /// The quantization of a file, if one of its names looks like one: its own, else that of the nearest folder.
    package static func quantization(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.last.flatMap(quantization(ofName:)) ?? parts.dropLast().reversed().lazy.compactMap(word).first
    }

    private static func quantization(ofName name: Substring) -> String? {
        var words = (name.lowercased().hasSuffix(".gguf") ? name.dropLast(5) : name).split(separator: "-")
        // Of the parts of a model the number is behind it: -00001-of-00003.
        if words.count > 3, words[words.count - 2] == "of",
            [words[words.count - 1], words[words.count - 3]].allSatisfy({
                $0.utf8.count == 5 && $0.allSatisfy(\.isNumber)
            })
        {
            words.removeLast(3)
        }
        return words.last.flatMap(word)
    }

    /// The last word of a name, if that is how quantizations are called.
    private static func word(_ text: Substring) -> String? {
        let upper = (text.split { $0 == "-" || $0 == "." }.last ?? "").uppercased()
        return isQuantization(upper) ? upper : nil
    }

    private static func holdsQuantization(_ name: Substring) -> Bool {
        name.split { $0 == "-" || $0 == "." }.contains { isQuantization($0.uppercased()) }
    }

    private static func isQuantization(_ word: String) -> Bool {
        ["F16", "F32", "BF16", "FP16", "FP32", "MXFP4", "NVFP4"].contains(word)
            || ["Q", "IQ", "TQ", "INT"].contains {
                word.hasPrefix($0) && word.dropFirst($0.count).first?.isNumber == true
            }
    }
}
