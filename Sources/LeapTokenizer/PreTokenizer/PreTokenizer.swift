/// The rule by which a byte-level BPE tokenizer cuts text into the pieces that merging never crosses.
struct PreTokenizer: Sendable, Equatable {
    /// The steps, the first one applied to the whole text.
    let stages: [SplitStage]

    /// The number of pieces of the first step that are cut before the other steps and the encoding get them.
    static let batch = 1024

    /// Cuts `text` from `start` on into pieces, a batch of them.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - start: Where the last batch ended.
    ///   - limit: Where the text ends.
    ///   - ends: Gets the ends of the pieces; what it held is lost.
    ///   - spare: Memory to work in.
    /// - Returns: Where the last piece ends.
    func cut(_ text: ScalarText, _ start: Int, _ limit: Int, into ends: PieceEnds, using spare: PieceEnds) -> Int {
        ends.removeAll()
        let end = stages[0].cut(text, start, limit, maximum: Self.batch, into: ends)
        guard stages.count > 1 else { return end }
        var (source, target) = (ends, spare)
        for stage in stages.dropFirst() {
            target.removeAll()
            var position = start
            for index in 0..<source.count {
                let end = source.pointer[index]
                _ = stage.cut(text, position, end, maximum: .max, into: target)
                position = end
            }
            swap(&source, &target)
        }
        if source !== ends {
            ends.removeAll()
            for index in 0..<source.count { ends.append(source.pointer[index]) }
        }
        return end
    }
}

extension PreTokenizer {
    private static let digits = SplitStage.runs(RunRule(set: .numbers, maximum: 1))
    private static let threeDigits = SplitStage.runs(RunRule(set: .asciiDigits, minimum: 3, maximum: 3))
    private static let lineBreaks = SplitStage.runs(RunRule(set: .lineBreaks, maximum: 1))

    /// The rule of GPT-2.
    static let gpt2 = PreTokenizer(stages: [.gpt2])
    /// Every digit alone, then GPT-2's rule: StarCoder and its relatives.
    static let starCoder = PreTokenizer(stages: [digits, .gpt2])
    /// The rule of Llama 3, which LFM2 uses too.
    static let llama3 = PreTokenizer(stages: [.words(WordRule())])
    /// The rule of Qwen 2: Llama 3's with every digit alone.
    static let qwen2 = PreTokenizer(stages: [.words(WordRule(maximumDigits: 1))])
    /// The rule of Qwen 3.5: marks belong to words.
    static let qwen35 = PreTokenizer(stages: [.words(WordRule(letters: .withMarks, maximumDigits: 1))])
    /// The rule of Qwen 2 without contractions.
    static let ufakzeka = PreTokenizer(stages: [.words(WordRule(contractions: .none, maximumDigits: 1))])
    /// The rule of Seed Coder: no line breaks with punctuation.
    static let seedCoder = PreTokenizer(stages: [.words(WordRule(maximumDigits: 1, tail: .none))])
    /// The rule of EXAONE MoE: words joined by single spaces.
    static let exaoneMoE = PreTokenizer(
        stages: [.words(WordRule(letters: .spaced, maximumDigits: 1, tail: .oneLineBreakOrSlash))])
    /// The rule of MiniCPM 5.
    static let miniCPM5 = PreTokenizer(
        stages: [.runs(RunRule(set: .numbers, maximum: 3)), .words(WordRule(maximumDigits: .max))])
    /// The rule of Laguna: lines first, then Qwen 2's rule.
    static let laguna = PreTokenizer(
        stages: [.runs(RunRule(set: .lineFeeds)), .words(WordRule(maximumDigits: 1))])
    /// The rule of GPT-4o.
    static let gpt4o = PreTokenizer(
        stages: [.words(WordRule(contractions: .trailing, letters: .cased, tail: .lineBreaksAndSlashes))])
    /// The rule of Tekken: GPT-4o's with every digit alone and no contractions.
    static let tekken = PreTokenizer(
        stages: [.words(WordRule(contractions: .none, letters: .cased, maximumDigits: 1, tail: .lineBreaksAndSlashes))])
    /// The rule of Kimi K2: GPT-4o's with Han characters apart.
    static let kimiK2 = PreTokenizer(stages: [.words(WordRule(contractions: .trailing, letters: .casedWithoutHan))])
    /// The rule of Tiny Aya: digits in threes from the right, then GPT-4o's rule.
    static let tinyAya = PreTokenizer(stages: [.thousands(ThousandsRule(needsBoundary: true))] + gpt4o.stages)
    /// The rule of SuperBPE: nothing but digits is cut.
    static let superBPE = PreTokenizer(
        stages: [.runs(RunRule(set: .numbers)), .thousands(ThousandsRule(needsBoundary: false))])
    /// The rule of DeepSeek LLM.
    static let deepSeekLLM = PreTokenizer(stages: [
        lineBreaks,
        .runs(RunRule(set: .deepSeekLetters, lead: .whitespace)),
        .runs(RunRule(set: .deepSeekPunctuation, lead: .whitespace)),
        .trailingWhitespace,
        .runs(RunRule(set: .deepSeekIdeographs)),
        digits,
    ])
    /// The rule of DeepSeek Coder.
    static let deepSeekCoder = PreTokenizer(stages: [
        lineBreaks,
        .runs(RunRule(set: .letters, lead: .whitespace)),
        .runs(RunRule(set: .punctuation, lead: .whitespace)),
        .runs(RunRule(set: .deepSeekIdeographs)),
        digits,
    ])
    /// The rule of DeepSeek V3.
    static let deepSeekV3 = PreTokenizer(stages: [
        .runs(RunRule(set: .numbers, maximum: 3)),
        .runs(RunRule(set: .hanAndKana)),
        .deepSeekWords,
    ])
    /// The rule of Falcon.
    static let falcon = PreTokenizer(stages: [
        .runs(RunRule(set: .punctuationSymbolsAndBacktick)), .gpt2, threeDigits,
    ])
    /// The rule of BLOOM.
    static let bloom = PreTokenizer(stages: [.runs(RunRule(set: .phrase, lead: .space))])
    /// The rule of Viking: BLOOM's with every digit alone.
    static let viking = PreTokenizer(stages: [.runs(RunRule(set: .phrase, lead: .space)), digits])
    /// llama.cpp's, for files that name none.
    static let standard = PreTokenizer(stages: [
        .runs(RunRule(set: .punctuationAndSymbols)), .gpt2, .runs(RunRule(set: .numbers)), threeDigits,
    ])
}
