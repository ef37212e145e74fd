import ArgumentParser
import Foundation
import LeapTransfers

/// The completions that shells offer for a model: the embedded one, installed ones, and files.
enum ModelCompletion {
    /// Names that shells are given at most.
    private static let maxCount = 500

    static let kind = CompletionKind.custom { _, _, prefix in candidates(for: prefix) }

    /// Models as `leap list` shows them, for commands that take no other.
    static let installedKind = CompletionKind.custom { _, _, prefix in installed().filter { $0.hasPrefix(prefix) } }

    static func candidates(for prefix: String) -> [String] {
        var names = (EmbeddedModels.names + installed()).filter { $0.hasPrefix(prefix) }
        names += quantizations(prefix).filter { !names.contains($0) }
        return Array((names + files(prefix)).prefix(maxCount))
    }

    /// Usual texts behind the colon of a name that is not on this machine.
    private static let usual = [
        "Q4_K_M", "Q4_0", "Q5_K_M", "Q6_K", "Q8_0", "F16", "BF16", "Q2_K", "Q3_K_M", "Q4_K_S", "Q5_K_S", "IQ4_XS",
        "IQ4_NL",
    ]

    private static func quantizations(_ prefix: String) -> [String] {
        guard let colon = prefix.lastIndex(of: ":"), prefix[..<colon] != "hf", !prefix.contains("://") else {
            return []
        }
        return usual.map { prefix[...colon] + $0 }.filter { $0.hasPrefix(prefix) }
    }

    /// With their quantizations, as in LFM2-1.2B:Q4_K_M.
    private static func installed() -> [String] {
        ((try? ModelNames.store.list()) ?? []).map(\.name)
    }

    /// Files of models and folders, as far as the text goes.
    private static func files(_ prefix: String) -> [String] {
        FileCompletion.of(prefix).candidates.map(\.text).filter { name in
            name.hasSuffix("/") || [".gguf", ".bundle"].contains { name.lowercased().hasSuffix($0) }
        }
    }
}
