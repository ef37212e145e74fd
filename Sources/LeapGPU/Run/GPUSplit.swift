package import LeapCompute
package import LeapModel

/// The split of a stack's layers between the processor and a GPU.
package struct GPUSplit {
    /// The first layer that the GPU computes; as many as the stack has where it computes none.
    package let firstLayer: Int
    package let totalCount: Int
    /// True if it computes the output head too.
    package let computesHead: Bool
    /// The reason why it computes less than was asked for; nil if it computes all of it.
    package let obstacle: String?

    /// - Parameters:
    ///   - head: the output head; nil where there is none.
    ///   - layerCount: how many of the last layers are asked for; as many as there are or more mean all of them and the
    ///     head.
    ///   - readLayerCount: how many of the first layers stay with the processor, because a draft model
    ///     reads what lies behind them.
    ///   - isTower: whether the stack encodes pictures.
    package init(
        _ stack: LayerStack, head: OutputHead? = nil, layerCount: Int = .max, readLayerCount: Int = 0,
        keyValueType: KeyValueType, isTower: Bool = false
    ) {
        totalCount = stack.layers.count
        let asked = max(0, totalCount - min(layerCount, totalCount))
        var (first, reason): (Int, String?) = (totalCount, nil)
        if GPULayer.hasKernel(stack.outputNorm) {
            while first > asked {
                reason = GPULayer.obstacle(
                    stack.layers[first - 1], of: stack, keyValueType: keyValueType, isTower: isTower)
                if let found = reason {
                    reason = "layer \(first) of \(totalCount) stays on the CPU, like those before it: \(found)"
                    break
                }
                first -= 1
            }
        } else {
            reason = "the norm after the layers has no kernel"
        }
        if !stack.layers[first...].contains(where: { $0.mixer != nil }), first < totalCount {
            reason = "the last \(totalCount - first) layers stay on the CPU: they have feed-forward networks only"
            first = totalCount
        }
        if first < stack.additionCount, first < totalCount {
            first = min(stack.additionCount, totalCount)
            reason = "the first \(stack.additionCount) layers stay on the CPU: pictures add to their outputs"
        }
        if first < readLayerCount, first < totalCount {
            first = min(readLayerCount, totalCount)
            reason = "the first \(readLayerCount) layers stay on the CPU: the draft model reads their outputs"
        }
        firstLayer = first
        var headObstacle: String?
        if let head, layerCount >= totalCount, first < totalCount {
            headObstacle = GPULayer.obstacle([head.matrix])
            computesHead = headObstacle == nil
        } else {
            computesHead = false
        }
        obstacle = reason ?? headObstacle.map { "the output head stays on the CPU: \($0)" }
    }
}
