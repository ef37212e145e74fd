import LeapBase

extension GGUFSummary {
    /// The summary as aligned lines for a terminal, without the tensor list; ends without a newline.
    package var text: String {
        var rows: [(String, String)] = [("file", ShownText.of(path, limit: 4096))]
        func add(_ label: String, _ value: String?) {
            if let value { rows.append((label, value)) }
        }
        add("format", "GGUF version \(version)" + (partCount > 1 ? ", \(partCount) files" : ""))
        add("size", Self.size(byteCount))
        add("name", name.map { ShownText.of($0) })
        add("license", license.map { ShownText.of($0) })
        add("architecture", architecture.map { ShownText.of($0) })
        add(
            "type",
            adapter.map { Self.text($0) } ?? projector.map { Self.text($0) }
                ?? speechDecoder.map { _ in "audio decoder (vocoder) of LFM2.5-Audio, for use with its model" })
        add("parameters", Self.scaled(parameterCount))
        add("quantisation", quantisation)
        add("context", contextLength.map { "\(Self.grouped($0)) tokens" })
        add("layers", layers)
        add("embedding", embeddingLength.map { Self.grouped($0) })
        add("feed-forward", Self.uniform(feedForwardLengths))
        add("heads", heads)
        add("experts", expertCount.map { "\($0)" + (expertUsedCount.map { ", \($0) per token" } ?? "") })
        add("tokenizer", tokenizer)
        add("vocabulary", vocabularySize.map { "\(Self.grouped($0)) tokens" })
        if let projector {
            add("patches", Self.patches(projector))
            add("vectors", projector.outputLength.map { "\(Self.grouped($0)) elements, as the model takes them" })
            add("pictures", pictures)
            add("sound", Self.sound(projector))
        }
        if let speechDecoder {
            add("codes", Self.codes(speechDecoder))
            // Files with encoders have lines of the other names already.
            add(
                projector == nil ? "sound" : "speech",
                "\(speechDecoder.audioLayerCount) layers of length \(Self.grouped(speechDecoder.audioLength)), "
                    + "\(Self.grouped(GGUFSpeechDecoder.sampleRate)) samples per second")
            if projector == nil {
                add("vectors", "\(Self.grouped(speechDecoder.inputLength)) elements, as the model gives them")
            }
        }
        if adapter == nil, projector == nil, speechDecoder == nil { add("chat template", chatTemplate) }
        add(
            "decisions",
            decisionType.map {
                "decision model (\(ShownText.of($0))): a probability for every option of yes/no, choice and score questions"
            })
        for warning in warnings { add("warning", warning) }
        return Self.aligned(rows)
    }

    /// The tensor list as aligned lines; ends without a newline.
    package var tensorText: String {
        let shapes = tensors.map { $0.shape.map(String.init).joined(separator: " × ") }
        let nameWidth = tensors.map { ShownText.of($0.name).count }.max() ?? 0
        let typeWidth = tensors.map(\.type.name.count).max() ?? 0
        let shapeWidth = shapes.map(\.count).max() ?? 0
        return zip(tensors, shapes).map { tensor, shape in
            let columns = [
                Self.padded(ShownText.of(tensor.name), nameWidth), Self.padded(tensor.type.name, typeWidth),
                Self.padded(shape, shapeWidth), Self.scaledBytes(tensor.byteCount),
            ]
            return columns.joined(separator: "  ") + (partCount > 1 ? "  file \(tensor.part + 1)" : "")
        }.joined(separator: "\n")
    }

    /// The mix of types: file type, bits per weight, and what is stored as what.
    package var quantisation: String {
        let mix = types.map { "\($0.tensorCount) × \($0.type)" }.joined(separator: ", ")
        let known = types.filter(\.type.isKnown)
        let elements = known.reduce(0.0) { $0 + Double($1.elementCount) }
        let bits = known.reduce(0.0) { $0 + Double($1.byteCount) } * 8
        guard elements > 0 else { return mix.isEmpty ? "no tensors (vocabulary only)" : mix }
        return (fileType.map { "\($0), " } ?? "") + "\(Self.fixed(bits / elements, 2)) bits per weight (\(mix))"
    }

    private static func text(_ adapter: Adapter) -> String {
        var parts = ["adapter (\(adapter.type.map { ShownText.of($0) } ?? "of an unknown kind"))"]
        if let rank = uniform(adapter.ranks) { parts.append("rank \(rank)") }
        if let alpha = adapter.alpha { parts.append("alpha \(Int(exactly: alpha).map { "\($0)" } ?? "\(alpha)")") }
        parts.append("changes \(adapter.tensorCount) tensor\(adapter.tensorCount == 1 ? "" : "s") of its model")
        return parts.joined(separator: ", ")
    }

    private static func text(_ projector: GGUFProjector) -> String {
        func shown(_ kind: String?) -> String { "(\(kind.map { ShownText.of($0) } ?? "of an unknown kind"))" }
        var parts: [(what: String, kind: String?)] = []
        if projector.hasVision { parts.append(("pictures", projector.visionKind)) }
        if projector.hasAudio { parts.append(("sound", projector.audioKind)) }
        if projector.hasGenerator { parts.append(("speech that it generates", projector.generatorKind)) }
        // Where there is one part, its kind is the file's.
        guard parts.count > 1 else {
            guard let part = parts.first else { return "projector \(shown(projector.kind)) of unknown input" }
            return "projector \(shown(part.kind)) of \(part.what)"
        }
        let all = parts.map { "\($0.what) \(shown($0.kind))" }
        return "projector of " + all.dropLast().joined(separator: ", ") + " and " + (all.last ?? "")
    }

    private static func sound(_ projector: GGUFProjector) -> String? {
        // Other kinds have other frames.
        switch projector.audioKind {
        case GGUFProjector.conformerKind, GGUFProjector.causalAudioKind:
            return projector.bandCount.map { "\($0) bands every 10 ms, 8 frames per vector" }
        case GGUFProjector.gemmaAudioKind:
            return projector.bandCount.map { "\($0) bands every 10 ms, 4 frames per vector" }
        case GGUFProjector.gemmaSamplesKind:
            return projector.audioLength.map { "\($0) samples per vector" }
        default: return nil
        }
    }

    private static func codes(_ decoder: GGUFSpeechDecoder) -> String {
        "\(decoder.codeLayerCount) layers of length \(grouped(decoder.codeLength)), \(decoder.codebookCount) codebooks of "
            + "\(grouped(decoder.codeCount)) codes"
    }

    private static func patches(_ projector: GGUFProjector) -> String? {
        guard let size = projector.patchSize else { return nil }
        return "\(size) × \(size) pixels"
            + (projector.downsampling.map { ", \($0) × \($0) patches per vector" } ?? "")
            + (projector.imageSize.map { ", positions for \($0) × \($0) pixels" } ?? "")
    }

    private var layers: String? {
        guard let layerCount else { return nil }
        guard let draftLayerCount else { return mixers(layerCount) }
        let own = tensors.contains { $0.name.hasSuffix(".nextn.eh_proj.weight") }
        let place = own ? "the last \(draftLayerCount) of them" : "\(draftLayerCount) more, not in this file,"
        return "\(mixers(layerCount)); \(place) to predict further tokens"
    }

    private func mixers(_ layerCount: Int) -> String {
        // Hybrid models give one number per layer, and 0 where a layer has no attention.
        guard keyValueHeadCounts.count > 1 else { return "\(layerCount)" }
        let attention = keyValueHeadCounts.count(where: { $0 > 0 })
        return attention == keyValueHeadCounts.count ? "\(layerCount)" : "\(layerCount), \(attention) with attention"
    }

    private var heads: String? {
        guard let heads = Self.uniform(headCounts) else { return nil }
        return heads + (Self.uniform(keyValueHeadCounts.filter { $0 > 0 }).map { ", \($0) for keys and values" } ?? "")
    }

    private var tokenizer: String? {
        guard let tokenizerModel else { return nil }
        return ShownText.of(tokenizerModel)
            + (tokenizerPre.map { ", pre-tokenizer \(ShownText.of($0))" } ?? "")
            + (mergeCount.map { ", \(Self.grouped($0)) merges" } ?? "")
    }

    private var chatTemplate: String {
        guard let chatTemplateByteCount else { return "none" }
        let names = chatTemplateNames.map { ShownText.of($0) }.joined(separator: ", ")
        return "\(Self.grouped(chatTemplateByteCount)) bytes" + (names.isEmpty ? "" : "; also: \(names)")
    }

    /// One number if all are the same, else the range.
    private static func uniform(_ values: [Int]) -> String? {
        guard let least = values.min(), let most = values.max() else { return nil }
        return least == most ? grouped(least) : "\(grouped(least)) to \(grouped(most))"
    }

    private static func aligned(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { padded($0.0, width) + "  " + $0.1 }.joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// `1234567` as `1,234,567`.
    private static func grouped(_ value: Int) -> String {
        var result = ""
        let digits = String(value.magnitude)
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return (value < 0 ? "-" : "") + result
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1000 ? "\(bytes) bytes" : "\(scaledBytes(bytes)) (\(grouped(bytes)) bytes)"
    }

    private static func scaledBytes(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: "\(bytes) B"
        case ..<1_000_000: "\(fixed(Double(bytes) / 1e3, 1)) kB"
        case ..<1_000_000_000: "\(fixed(Double(bytes) / 1e6, 1)) MB"
        default: "\(fixed(Double(bytes) / 1e9, 2)) GB"
        }
    }

    /// A count with the letters model names use: `1.17 B`.
    private static func scaled(_ count: Int) -> String {
        switch count {
        case ..<1_000: "\(count)"
        case ..<1_000_000: "\(fixed(Double(count) / 1e3, 1)) K"
        case ..<1_000_000_000: "\(fixed(Double(count) / 1e6, 1)) M"
        default: "\(fixed(Double(count) / 1e9, 2)) B"
        }
    }

    /// A number with so many digits after the point, rounded half up.
    private static func fixed(_ value: Double, _ digits: Int) -> String {
        let factor = digits == 1 ? 10 : 100
        let scaled = Int((min(value, 1e15) * Double(factor)).rounded())
        let fraction = String(scaled % factor)
        return "\(scaled / factor).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }
}
