import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let cover = UIVisualEffectView(effect: UIBlurEffect(style: .regular))
    func sceneWillResignActive(_ scene: UIScene) {
        guard let window else { return }
        cover.frame = window.bounds
        window.addSubview(cover)
    }
    func sceneDidBecomeActive(_ scene: UIScene) { cover.removeFromSuperview() }
}
