import CLeapKernels
import LeapBase
import LeapGGUF
import LeapModel

/// The weights that kernels cannot use as a file stores them, in the form in which they take them; made when first
/// computed with.
///
/// Used by one thread at a time.
final class BoundValues {
    /// Vectors that are no aligned F32, by their tensors.
    private var vectors: [ObjectIdentifier: FloatVector] = [:]
    private var filters: [ObjectIdentifier: BoundFilters] = [:]
    /// Filters of recurrent layers, by their tensors.
    private var turned: [ObjectIdentifier: FloatVector] = [:]
    private var adapters: [ObjectIdentifier: (adapter: WeakAdapter, bound: BoundAdapter)] = [:]
    /// Keeps what the keys name: no other object can get the same name.
    private var owners: [AnyObject] = []

    private struct WeakAdapter {
        weak var value: Adapter?
    }

    /// The elements of a vector, where they lie or converted.
    func floats(_ vector: Vector) -> UnsafePointer<Float> {
        let tensor = vector.source.tensor
        // The binder has checked that the data is there.
        let base = tensor.data.baseAddress.unsafelyUnwrapped
        if tensor.type == .f32, Int(bitPattern: base) % MemoryLayout<Float>.alignment == 0 {
            return base.assumingMemoryBound(to: Float.self) + vector.start
        }
        let key = ObjectIdentifier(vector.source)
        if let known = vectors[key] { return known.pointer + vector.start }
        let all = FloatVector(Vector(vector.source, count: tensor.elementCount))
        vectors[key] = all
        owners.append(vector.source)
        return all.pointer + vector.start
    }

    /// The filters of a convolution, `[channels][taps]`, as the kernels take them, `[taps][channels]`.
    func turned(_ filters: Vector, taps: Int) -> FloatVector {
        let key = ObjectIdentifier(filters.source)
        if let known = turned[key] { return known }
        let given = floats(filters)
        let channels = filters.count / taps
        let made = FloatVector(count: filters.count) { out in
            for channel in 0..<channels {
                for tap in 0..<taps { out[tap * channels + channel] = given[channel * taps + tap] }
            }
        }
        turned[key] = made
        owners.append(filters.source)
        return made
    }

    /// Filters in the order of the kernels.
    func filters(_ filters: DepthwiseFilters) -> BoundFilters {
        let key = ObjectIdentifier(filters)
        if let known = self.filters[key] { return known }
        let bound = BoundFilters(filters, self)
        self.filters[key] = bound
        owners.append(filters)
        return bound
    }

    /// The matrices of an adapter, which is kept by whoever uses it.
    func adapter(_ adapter: Adapter) -> BoundAdapter {
        let key = ObjectIdentifier(adapter)
        if let known = adapters[key], known.adapter.value === adapter { return known.bound }
        adapters = adapters.filter { $0.value.adapter.value != nil }
        let bound = BoundAdapter(adapter)
        adapters[key] = (WeakAdapter(value: adapter), bound)
        return bound
    }
}

/// The filters of a convolution of each channel for itself, as the kernels take them.
struct BoundFilters {
    let taps: Int
    /// `[taps][channels]`.
    let weights: FloatVector
    let bias: FloatVector

    fileprivate init(_ filters: DepthwiseFilters, _ values: BoundValues) {
        let (taps, channels) = (filters.taps, filters.channels)
        let (given, bias) = (values.floats(filters.filters), values.floats(filters.bias))
        let (scale, shift) = (filters.scale.map(values.floats), filters.shift.map(values.floats))
        self.taps = taps
        weights = FloatVector(count: taps * channels) { out in
            for channel in 0..<channels {
                let factor = scale?[channel] ?? 1
                for tap in 0..<taps { out[tap * channels + channel] = factor * given[channel * taps + tap] }
            }
        }
        self.bias = FloatVector(count: channels) { out in
            for channel in 0..<channels {
                out[channel] = bias[channel] * (scale?[channel] ?? 1) + (shift?[channel] ?? 0)
            }
        }
    }
}
