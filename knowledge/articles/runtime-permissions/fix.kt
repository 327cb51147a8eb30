// Photos without any storage permission
private val pick = registerForActivityResult(ActivityResultContracts.PickVisualMedia()) { uri ->
    if (uri != null) upload(uri)
}
fun choose() = pick.launch(PickVisualMediaRequest(ActivityResultContracts.PickVisualMedia.ImageOnly))
