extension GGUFByteReader {
    /// Checks that the data of every tensor is aligned, inside the file and apart from every other's.
    ///
    /// The reader stands at the tensor table, which is read a second time.
    mutating func validateData(count: Int, dataOffset: Int, alignment: Int) throws {
        var end = 0
        var ascends = true
        let tableStart = offset
        for index in 0..<count {
            let info = try readTensorInfo(index)
            let extent = try extent(of: info, dataOffset: dataOffset, alignment: alignment)
            if extent.lowerBound < end { ascends = false }
            end = max(end, extent.upperBound)
        }
        if !ascends {
            offset = tableStart
            try requireNoOverlap(count: count, dataOffset: dataOffset, alignment: alignment)
        }
    }

    /// Where a tensor's data is, from the start of the data section; empty when its type is not known.
    private func extent(of info: GGUFTensorInfo, dataOffset: Int, alignment: Int) throws -> Range<Int> {
        guard info.dataOffset & UInt64(alignment - 1) == 0 else {
            let name = GGUFText.printable(bytes(info.name))
            throw malformed(
                "the data of tensor '\(name)' begins at offset \(info.dataOffset), which is not a multiple of the "
                    + "file's alignment, \(alignment).", field: name)
        }
        let room = fileSize - dataOffset
        guard room >= info.byteCount, info.dataOffset <= UInt64(room - info.byteCount) else {
            let name = GGUFText.printable(bytes(info.name))
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
    private mutating func requireNoOverlap(count: Int, dataOffset: Int, alignment: Int) throws {
        var extents: [Range<Int>] = []
        extents.reserveCapacity(count)
        for index in 0..<count {
            let extent = try extent(of: readTensorInfo(index), dataOffset: dataOffset, alignment: alignment)
            // What has no known size overlaps nothing.
            if !extent.isEmpty { extents.append(extent) }
        }
        extents.sort { $0.lowerBound < $1.lowerBound }
        for (first, second) in zip(extents, extents.dropFirst()) where second.lowerBound < first.upperBound {
            throw malformed(
                "two tensors share bytes: one's data is at offsets \(first.lowerBound) to \(first.upperBound) of the data "
                    + "section, another's begins at \(second.lowerBound).")
        }
    }
}
