extension CommandError {
    /// Makes the error of a batch's file that a call of the file system failed with.
    package init(batch error: FileSystemError) {
        let isFull = error.code == .noSpace || error.number == EFBIG
        let advice = ": free some space and run the same command again, which continues where it stopped"
        self.init(isFull ? "\(error)\(advice)" : "\(error)", field: error.path)
    }
}
