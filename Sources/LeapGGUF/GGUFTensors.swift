/// The tensors of a model in file order, over all files of a split model.
///
/// The tensor table is decoded when the file is opened; a tensor's name is read from the file on access.
public struct GGUFTensors: Sendable, RandomAccessCollection {
    private let parts: [GGUFHeader]
    /// The number of tensors before each part, and in all.
    private let starts: [Int]

    init(parts: [GGUFHeader]) {
        self.parts = parts
        var starts = [0]
        for part in parts { starts.append(starts[starts.count - 1] + part.tensorInfos.count) }
        self.starts = starts
    }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of tensors.
    public var endIndex: Int { starts[starts.count - 1] }

    /// The tensor at `index`.
    public subscript(index: Int) -> GGUFTensor {
        precondition(index >= 0 && index < endIndex, "index \(index) is outside a table of \(endIndex) tensors")
        var part = 0
        var last = parts.count - 1
        while part < last {
            let middle = (part + last + 1) / 2
            if starts[middle] <= index { part = middle } else { last = middle - 1 }
        }
        return parts[part].tensor(at: index - starts[part], part: part)
    }

    /// The tensor with this name.
    public subscript(name: String) -> GGUFTensor? {
        for (part, header) in parts.enumerated() {
            if let index = header.tensorTable.index(of: name, in: header.storage) {
                return header.tensor(at: index, part: part)
            }
        }
        return nil
    }
}
