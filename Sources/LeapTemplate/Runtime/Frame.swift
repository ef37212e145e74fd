/// The variables of one run of a function.
final class Frame {
    var slots: [Value]
    let parent: Frame?
    /// True if the renderer holds on to the frame until the end, because a macro made in it may.
    var isKept = false

    init(slotCount: Int, parent: Frame?) {
        slots = [Value](repeating: .missing, count: slotCount)
        self.parent = parent
    }
}
