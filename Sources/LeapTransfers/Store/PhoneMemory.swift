/// The memory that iOS lets an app use on an iPhone, by the memory of the phone.
///
/// Apple publishes no figures. These are what apps measured with `os_proc_available_memory`, and differ between devices
/// and versions of iOS; `docs/Memory.md` lists the sources.
public struct PhoneMemory: Sendable, Hashable, Codable {
    /// Gigabytes of memory that the phone has.
    public var gigabytes: Int
    /// Bytes that an app may use.
    public var limitBytes: Int64
    /// Bytes that an app may use with the entitlement `com.apple.developer.kernel.increased-memory-limit`.
    public var increasedLimitBytes: Int64

    /// Creates a phone.
    ///
    /// - Parameters:
    ///   - gigabytes: gigabytes of memory that the phone has.
    ///   - limitBytes: bytes that an app may use.
    ///   - increasedLimitBytes: bytes that an app with the entitlement may use.
    public init(gigabytes: Int, limitBytes: Int64, increasedLimitBytes: Int64) {
        self.gigabytes = gigabytes
        self.limitBytes = limitBytes
        self.increasedLimitBytes = increasedLimitBytes
    }

    /// The phones whose figures are known, approximately, those with the least memory first.
    public static let known = [
        PhoneMemory(gigabytes: 4, limitBytes: 2_100_000_000, increasedLimitBytes: 2_400_000_000),
        PhoneMemory(gigabytes: 6, limitBytes: 3_120_000_000, increasedLimitBytes: 4_200_000_000),
        PhoneMemory(gigabytes: 8, limitBytes: 3_000_000_000, increasedLimitBytes: 6_000_000_000),
        PhoneMemory(gigabytes: 12, limitBytes: 3_300_000_000, increasedLimitBytes: 6_000_000_000),
    ]
}

extension ModelFit {
    /// Returns whether an app on a phone can hold the model: all of its memory, within nine tenths of the app's limit.
    ///
    /// Weights are counted, though a system counts pages of a mapped file only while the GPU uses them. The result is
    /// on the safe side.
    ///
    /// - Parameters:
    ///   - phone: the phone.
    ///   - hasIncreasedLimit: whether the app has the entitlement of the increased limit.
    public func fitsPhone(_ phone: PhoneMemory, hasIncreasedLimit: Bool) -> Bool {
        memoryBytes <= (hasIncreasedLimit ? phone.increasedLimitBytes : phone.limitBytes) / 10 * 9
    }
}
