package import LeapModel

/// Reads a model's weights for a device that takes them in another form than the file has them in, or checks what it
/// makes of them.
package protocol WeightReader {
    /// The rows of a matrix as they lie in the file.
    func bytes(of matrix: Matrix) -> UnsafeRawBufferPointer

    /// A row of a matrix as numbers, whatever type the file has them in.
    func row(_ row: Int, of matrix: Matrix) -> [Float]

    /// The elements of a vector as numbers, whatever type the file has them in.
    func elements(of vector: Vector) -> [Float]
}
