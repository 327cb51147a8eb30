import UIKit

func copySecret(_ text: String) {
    UIPasteboard.general.setItems(
        [["public.utf8-plain-text": text]],
        options: [.localOnly: true, .expirationDate: Date().addingTimeInterval(60)])
}
