extension OpenAI {
    /// The type of a part of a message's content, in chat completions and in responses.
    package enum PartType: String, Sendable, Hashable, CaseIterable {
        case text
        case inputText = "input_text"
        case outputText = "output_text"
        case refusal
        case imageURL = "image_url"
        case inputImage = "input_image"
        case inputAudio = "input_audio"
        /// The frames of a video with their times; a type of this project.
        case video
        /// A video by its address; vLLM's type.
        case videoURL = "video_url"

        /// True if the part is text in its member `text`.
        package var isText: Bool { self == .text || self == .inputText || self == .outputText }
    }
}
