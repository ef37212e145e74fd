// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

// What the sources call of Apple's C library and the C library of Linux does not have. Only for Scripts/check-apple.
// Types that both have are those of Linux here, so that differences between them are not seen.
@_exported import CDispatch
@_exported import Glibc

// MARK: Locks and threads

public struct os_unfair_lock_s {
    private var value: UInt32 = 0
    public init() {}
}
public typealias os_unfair_lock = os_unfair_lock_s
public func os_unfair_lock_lock(_ lock: UnsafeMutablePointer<os_unfair_lock_s>) {}
public func os_unfair_lock_unlock(_ lock: UnsafeMutablePointer<os_unfair_lock_s>) {}

public struct qos_class_t: Sendable {}
public let QOS_CLASS_USER_INITIATED = qos_class_t()
@discardableResult
public func pthread_set_qos_class_self_np(_ qos: qos_class_t, _ priority: Int32) -> Int32 { 0 }
@discardableResult
public func pthread_setname_np(_ name: UnsafePointer<CChar>) -> Int32 { 0 }
public func pthread_get_stackaddr_np(_ thread: pthread_t) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
}
public func pthread_get_stacksize_np(_ thread: pthread_t) -> Int { 0 }
@discardableResult
public func pthread_cond_timedwait_relative_np(
    _ condition: UnsafeMutablePointer<pthread_cond_t>, _ mutex: UnsafeMutablePointer<pthread_mutex_t>,
    _ time: UnsafePointer<timespec>?
) -> Int32 { 0 }
// Apple's hands the start routine an argument that is never NULL.
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

// MARK: Programs and the system

public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldSize: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 { -1 }

public func _NSGetExecutablePath(_ path: UnsafeMutablePointer<CChar>!, _ size: UnsafeMutablePointer<UInt32>!) -> Int32 {
    -1
}

public struct Dl_info {
    public var dli_fname: UnsafePointer<CChar>!
    public init() {}
}
public func dladdr(_ address: UnsafeRawPointer!, _ info: UnsafeMutablePointer<Dl_info>!) -> Int32 { 0 }

public let F_FULLFSYNC: Int32 = 51
extension stat {
    public var st_mtimespec: timespec { st_mtim }
}

// MARK: Starting programs, whose actions and attributes are pointers

@discardableResult
public func posix_spawn_file_actions_init(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_destroy(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 {
    0
}
@discardableResult
public func posix_spawn_file_actions_addopen(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ path: UnsafePointer<CChar>!,
    _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }
@discardableResult
public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ new: Int32
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_destroy(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setflags(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ flags: Int16) -> Int32 {
    0
}
@discardableResult
public func posix_spawnattr_setsigmask(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
@discardableResult
public func posix_spawnattr_setsigdefault(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }
public func posix_spawnp(
    _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { -1 }
public func posix_spawn(
    _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { -1 }

// MARK: Sockets, whose kinds are plain numbers

public let SOCK_STREAM: Int32 = 1
public let SOCK_DGRAM: Int32 = 2
public let SO_NOSIGPIPE: Int32 = 0x1022
public func getpeereid(
    _ descriptor: Int32, _ user: UnsafeMutablePointer<uid_t>!, _ group: UnsafeMutablePointer<gid_t>!
) -> Int32 { -1 }

// MARK: Mach

public typealias natural_t = UInt32
public typealias integer_t = Int32
public typealias kern_return_t = Int32
public typealias mach_port_t = UInt32
public typealias mach_msg_type_number_t = natural_t
public typealias task_flavor_t = natural_t
public typealias task_info_t = UnsafeMutablePointer<integer_t>
public let KERN_SUCCESS: Int32 = 0
public let TASK_VM_INFO: Int32 = 22

public struct task_vm_info_data_t {
    public var resident_size: UInt64 = 0
    public var resident_size_peak: UInt64 = 0
    public var phys_footprint: UInt64 = 0
    public init() {}
}
public func task_info(
    _ task: mach_port_t, _ flavor: task_flavor_t, _ info: task_info_t!,
    _ count: UnsafeMutablePointer<mach_msg_type_number_t>!
) -> kern_return_t { KERN_SUCCESS }

// CLeapKernels.h declares it where __APPLE__ is defined, which it is not for the Swift compiler of Linux.
public func leap_mach_task_self() -> mach_port_t { 0 }
