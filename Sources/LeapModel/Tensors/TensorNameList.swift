import LeapBase
import LeapGGUF

/// The names of a file's tensors in few lines, for a message: those of layers once, with the layers that have them.
enum TensorNameList {
    /// Lines of a list, at most.
    static let lineMax = 40
    /// Numbers of layers of a line, at most.
    private static let numberMax = 64

    private struct Group {
        let name: String
        let shape: [Int]
        var layers: [Int]
    }

    /// A line of heading, and one for each name, in the order of the file.
    static func text(_ tensors: some Sequence<GGUFTensor>) -> String {
        let groups = groups(tensors)
        guard !groups.isEmpty else { return "the file has no such tensors" }
        let isCut = groups.count > lineMax - 1
        var lines = ["the file has:"]
        lines += groups.prefix(isCut ? lineMax - 2 : lineMax - 1).map(line)
        if isCut { lines.append("and \(groups.count - (lineMax - 2)) more") }
        return lines.joined(separator: "\n")
    }

    private static func groups(_ tensors: some Sequence<GGUFTensor>) -> [Group] {
        var groups: [Group] = []
        var places: [String: Int] = [:]
        for tensor in tensors {
            let (name, layer) = split(tensor.name)
            if let place = places[name] {
                if let layer { groups[place].layers.append(layer) }
            } else {
                places[name] = groups.count
                groups.append(Group(name: name, shape: tensor.shape, layers: layer.map { [$0] } ?? []))
            }
        }
        return groups
    }

    /// The name with N in place of the number of a layer, and that number.
    private static func split(_ name: String) -> (name: String, layer: Int?) {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard let place = parts.firstIndex(of: "blk").map({ $0 + 1 }), place < parts.count,
            let layer = Int(parts[place])
        else { return (name, nil) }
        parts[place] = "N"
        return (parts.joined(separator: "."), layer)
    }

    private static func line(_ group: Group) -> String {
        let shape = group.shape.map(String.init).joined(separator: ", ")
        let numbers = group.layers.prefix(numberMax).map(String.init).joined(separator: ", ")
        let rest = group.layers.count > numberMax ? ", …" : ""
        return "\(ShownText.of(group.name)) [\(shape)]" + (numbers.isEmpty ? "" : " in layers \(numbers)\(rest)")
    }
}
