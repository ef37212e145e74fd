// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Apple's Foundation brings along of CoreFoundation, over the classes that it is bridged to. Scripts/check-apple
// has the compiler import it in every file, as a module of the name Foundation is there already.
import Foundation

public typealias CFTypeRef = AnyObject
public typealias CFTypeID = UInt
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFDictionary = NSDictionary

public func CFGetTypeID(_ value: CFTypeRef!) -> CFTypeID { 0 }
public func CFBooleanGetTypeID() -> CFTypeID { 0 }
