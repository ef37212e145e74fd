import LeapGGUF

/// The blocks of `LeapGGUF.md`.
func ggufSnippets() throws {
    let file = try GGUFFile.open(path: "LFM2-1.2B-Q4_K_M.gguf")
    let layers = try file.metadata.uint("lfm2.block_count")
    if let tensor = file.tensor("token_embd.weight") {
        print(tensor.type, tensor.shape)  // Q6_K [2048, 65536]: rows of 2,048 elements, 65,536 of them
    }
    _ = layers
}
