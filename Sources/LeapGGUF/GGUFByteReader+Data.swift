import LeapBase

extension GGUFByteReader {
    /// Checks that the data of every tensor is aligned, inside the file and apart from every other's.
    func validateData(of tensors: [GGUFTensorInfo], dataOffset: Int, alignment: Int) throws {
        var end = 0
        var ascends = true
        for tensor in tensors {
            let extent = try extent(of: tensor, dataOffset: dataOffset, alignment: alignment)
            if extent.lowerBound < end { ascends = false }
            end = max(end, extent.upperBound)
        }
        // Almost every file has its data in the order of the table, which needs no sorting.
        if !ascends { try requireNoOverlap(tensors, dataOffset: dataOffset, alignment: alignment) }
    }

    /// Returns the range of a tensor's data, from the start of the data section; empty when its type is not known.
    private func extent(of info: GGUFTensorInfo, dataOffset: Int, alignment: Int) throws -> Range<Int> {
        guard info.dataOffset & UInt64(alignment - 1) == 0 else {
            let name = ShownText.of(bytes(info.name))
            throw malformed(
                "the data of tensor '\(name)' begins at offset \(info.dataOffset), which is not a multiple of the "
                    + "file's alignment, \(alignment).", field: name)
        }
        let room = fileSize - dataOffset
        guard room >= info.byteCount, info.dataOffset <= UInt64(room - info.byteCount) else {
            let name = ShownText.of(bytes(info.name))
            throw GGUFError(
                .truncated, path: path, field: name, offset: fileSize,
                message:
                    "the data of tensor '\(name)' (\(info.byteCount) bytes at offset \(info.dataOffset) of the "
                    + "data section, which begins at byte \(dataOffset)) reaches past the end of the file at byte "
                    + "\(fileSize). The file is truncated or damaged: download or copy it again.")
        }
        return Int(info.dataOffset)..<Int(info.dataOffset) + info.byteCount
    }

    /// The check for files whose data is not in the order of the table.
    private func requireNoOverlap(_ tensors: [GGUFTensorInfo], dataOffset: Int, alignment: Int) throws {
        var extents = try tensors.map { try extent(of: $0, dataOffset: dataOffset, alignment: alignment) }
        // What has no known size overlaps nothing.
        extents.removeAll { $0.isEmpty }
        extents.sort { $0.lowerBound < $1.lowerBound }
        for (first, second) in zip(extents, extents.dropFirst()) where second.lowerBound < first.upperBound {
            throw malformed(
                "two tensors share bytes: one's data is at offsets \(first.lowerBound) to \(first.upperBound) of the data "
                    + "section, another's begins at \(second.lowerBound).")
        }
    }
}
