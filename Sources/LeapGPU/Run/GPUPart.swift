import LeapBase
import LeapCompute
package import LeapModel

/// A stack of layers, the last of which a GPU is to compute.
package struct GPUPart {
    /// The use of a stack.
    package enum Role {
        case languageModel
        case audioDecoder
        case imageEncoder

        /// A clause on what happens when the device fails.
        var fallback: String {
            switch self {
            case .languageModel: "the processor computes all layers from here on"
            case .audioDecoder: "the processor runs the audio decoder from here on"
            case .imageEncoder: "the processor runs the encoder of pictures from here on"
            }
        }

        /// A clause on batches for whose pages there is no room.
        ///
        /// - Parameter positions: what there is room for.
        func overflow(positions: Int) -> String {
            guard positions > 0 else {
                return "it has no memory for keys and values: the processor computes all layers"
            }
            return switch self {
            case .languageModel, .audioDecoder:
                "its pages for the keys and values of \(positions) positions are full: the processor computes the other positions"
            case .imageEncoder:
                "it has room for pictures of \(positions) patches: the processor encodes larger ones"
            }
        }
    }

    let role: Role
    let stack: LayerStack
    /// The output head; nil where there is none, or it stays with the processor.
    let head: OutputHead?
    /// The layers that the device computes, one at least.
    let split: GPUSplit
    /// The pages to have room for, fewer of which there are where they do not fit.
    let pageCount: Int

    package init(role: Role, stack: LayerStack, head: OutputHead? = nil, split: GPUSplit, pageCount: Int) {
        (self.role, self.stack, self.split, self.pageCount) = (role, stack, split, pageCount)
        self.head = split.computesHead ? head : nil
    }

    /// Pages for conversations of a model.
    ///
    /// - Parameter contextSize: the maximum number of positions of any sequence.
    package static func pages(contextSize: Int) -> Int {
        let pages = (contextSize + StatePage.length - 1) / StatePage.length
        return pages.multipliedReportingOverflow(by: DevicePages.sequences).partialValue
    }
}
