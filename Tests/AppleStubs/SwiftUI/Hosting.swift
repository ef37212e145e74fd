// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

#if canImport(UIKit)
    public import UIKit

    open class UIHostingController<Content: View>: UIViewController {
        public var rootView: Content
        public init(rootView: Content) {
            self.rootView = rootView
            super.init(nibName: nil, bundle: nil)
        }
        public init?(coder aDecoder: NSCoder, rootView: Content) {
            self.rootView = rootView
            super.init(coder: aDecoder)
        }
        public required dynamic init?(coder aDecoder: NSCoder) { nil }
    }

    @MainActor @preconcurrency
    public protocol UIViewControllerRepresentable: View where Body == Never {
        associatedtype UIViewControllerType: UIViewController
        typealias Context = UIViewControllerRepresentableContext<Self>
        @MainActor func makeUIViewController(context: Context) -> UIViewControllerType
        @MainActor func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    }
    extension UIViewControllerRepresentable {
        public var body: Never { preconditionFailure("a primitive view has no body") }
    }
    public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {}
#elseif canImport(AppKit)
    import AppKit

    open class NSHostingController<Content: View>: NSViewController {
        public var rootView: Content
        public init(rootView: Content) {
            self.rootView = rootView
            super.init(nibName: nil, bundle: nil)
        }
        public init?(coder: NSCoder, rootView: Content) {
            self.rootView = rootView
            super.init(coder: coder)
        }
        public required dynamic init?(coder: NSCoder) { nil }
    }

    @MainActor @preconcurrency
    public protocol NSViewControllerRepresentable: View where Body == Never {
        associatedtype NSViewControllerType: NSViewController
        typealias Context = NSViewControllerRepresentableContext<Self>
        @MainActor func makeNSViewController(context: Context) -> NSViewControllerType
        @MainActor func updateNSViewController(_ nsViewController: NSViewControllerType, context: Context)
    }
    extension NSViewControllerRepresentable {
        public var body: Never { preconditionFailure("a primitive view has no body") }
    }
    public struct NSViewControllerRepresentableContext<Representable: NSViewControllerRepresentable> {}
#endif
