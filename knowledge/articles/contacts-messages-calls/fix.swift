import ContactsUI

func choose(from screen: UIViewController & CNContactPickerDelegate) {
    let picker = CNContactPickerViewController()     // needs no permission: only the chosen contact is given
    picker.delegate = screen
    screen.present(picker, animated: true)
}
