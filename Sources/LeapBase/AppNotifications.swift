/// Names that UIKit gives notifications about the app: so apps without UIKit, and other systems, need none of it.
package enum AppNotifications {
    package static let didEnterBackground = "UIApplicationDidEnterBackgroundNotification"
    package static let willEnterForeground = "UIApplicationWillEnterForegroundNotification"
}
