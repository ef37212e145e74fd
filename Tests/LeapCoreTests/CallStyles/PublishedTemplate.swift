import Foundation
import Testing

/// A chat template that was published for a model.
struct PublishedTemplate: Sendable {
    /// The name of its file, as llama.cpp's repository has it.
    let name: String
    /// The style of its calls.
    let style: String
    /// The architecture of its models; nil where calls are no part of it.
    let architecture: String?
    /// The mark that begins its models' reasoning, where they reason.
    let reasoning: String?
    /// True if a prompt that asks for reasoning ends inside of it.
    let opensReasoning: Bool

    private init(
        _ name: String, _ style: String, of architecture: String?, reasoning: String? = nil,
        opensReasoning: Bool = false
    ) {
        (self.name, self.style, self.architecture) = (name, style, architecture)
        (self.reasoning, self.opensReasoning) = (reasoning, opensReasoning)
    }

    /// A folder that `LEAP_TEMPLATES` names, such as `models/templates` of llama.cpp's repository, or
    /// `../shared/templates`.
    static let folder: URL? = {
        if let path = ProcessInfo.processInfo.environment["LEAP_TEMPLATES"] { return URL(fileURLWithPath: path) }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.deletingLastPathComponent().appending(path: "shared/templates")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// Its file; nil where the folder does not have it.
    var file: URL? {
        guard let file = Self.folder?.appending(path: name + ".jinja"),
            FileManager.default.fileExists(atPath: file.path)
        else { return nil }
        return file
    }

    static let all = [
        PublishedTemplate("HuggingFaceTB-SmolLM3-3B", "hermes", of: "smollm3", reasoning: "<think>"),
        PublishedTemplate("LFM2-8B-A1B", "lfm", of: "lfm2moe"),
        PublishedTemplate("LFM2.5-8B-A1B", "lfm", of: "lfm2moe", reasoning: "<think>"),
        PublishedTemplate("LFM2.5-Instruct", "lfm", of: "lfm2", reasoning: "<think>"),
        PublishedTemplate(
            "NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "xml", of: "nemotron_h_moe", reasoning: "<think>",
            opensReasoning: true),
        PublishedTemplate(
            "NVIDIA-Nemotron-Nano-v2", "nemotron", of: "nemotron_h", reasoning: "<think>", opensReasoning: true),
        PublishedTemplate("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "hermes", of: "llama"),
        PublishedTemplate("NousResearch-Hermes-3-Llama-3.1-8B-tool_use", "hermes", of: "llama"),
        PublishedTemplate("Qwen-QwQ-32B", "hermes", of: "qwen2", reasoning: "<think>", opensReasoning: true),
        PublishedTemplate("Qwen-Qwen2.5-7B-Instruct", "hermes", of: "qwen2"),
        PublishedTemplate("Qwen-Qwen3-0.6B", "hermes", of: "qwen3", reasoning: "<think>"),
        PublishedTemplate("Qwen3-Coder", "xml", of: "qwen3moe"),
        PublishedTemplate("Qwen3.5-4B", "xml", of: "qwen35", reasoning: "<think>", opensReasoning: true),
        PublishedTemplate(
            "deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "deepseek", of: "llama", reasoning: "<think>",
            opensReasoning: true),
        PublishedTemplate(
            "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "deepseek", of: "qwen2", reasoning: "<think>",
            opensReasoning: true),
        PublishedTemplate("google-gemma-2-2b-it", "hermes", of: nil),
        PublishedTemplate("google-gemma-4-31B-it", "gemma4", of: "gemma4", reasoning: "<|channel>thought"),
        PublishedTemplate("google-gemma-4-31B-it-interleaved", "gemma4", of: "gemma4", reasoning: "<|channel>thought"),
        PublishedTemplate("ibm-granite-granite-3.3-2B-Instruct", "granite", of: "granite", reasoning: "<think>"),
        PublishedTemplate("ibm-granite-granite-4.0", "hermes", of: "granitehybrid"),
        PublishedTemplate("ibm-granite-granite-4.1", "hermes", of: "granite"),
        PublishedTemplate("meta-llama-Llama-3.1-8B-Instruct", "llama3", of: "llama"),
        PublishedTemplate("meta-llama-Llama-3.2-3B-Instruct", "llama3", of: "llama"),
        PublishedTemplate("meta-llama-Llama-3.3-70B-Instruct", "llama3", of: "llama"),
        PublishedTemplate("microsoft-Phi-3.5-mini-instruct", "hermes", of: nil),
        PublishedTemplate("mistralai-Ministral-3-14B-Reasoning-2512", "mistral", of: "mistral3", reasoning: "[THINK]"),
        PublishedTemplate("mistralai-Mistral-Nemo-Instruct-2407", "mistral", of: "llama"),
        PublishedTemplate("Mistral-Small-3.2-24B-Instruct-2506", "mistral", of: "llama"),
        PublishedTemplate("unsloth-mistral-Devstral-Small-2507", "mistral", of: "llama"),
        PublishedTemplate("openai-gpt-oss-120b", "harmony", of: "gpt-oss"),
    ]

    /// Those that the folder has.
    static let here = all.filter { $0.file != nil }
}

extension PublishedTemplate: CustomTestStringConvertible {
    var testDescription: String { name }
}
