// A development tool: renders templates from the command line, many at a time, and times them.
//
//   leap-template-tool render - --messages FILE --chat-template FILE [--tools FILE] [--documents FILE]
//       [--no-generation-prompt] [--set name=value]...
//   leap-template-tool batch < cases.jsonl > results.jsonl
//   leap-template-tool bench < cases.jsonl
//   leap-template-tool probe TEMPLATE...

import Foundation
import LeapTemplate

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "render": exit(RenderCommand.run(Array(arguments.dropFirst())))
case "batch": exit(BatchCommand.run(measuring: false))
case "bench": exit(BatchCommand.run(measuring: true))
case "probe":
    for path in arguments.dropFirst() {
        do {
            let template = try ChatTemplate(source: String(contentsOfFile: path, encoding: .utf8))
            print(path, template.capabilities(bosToken: "<|bos|>", eosToken: "<|eos|>"))
        } catch {
            print(path, "error: \(error)")
        }
    }
default:
    try? FileHandle.standardError.write(contentsOf: Data("usage: leap-template-tool render|batch|bench|probe\n".utf8))
    exit(64)
}
