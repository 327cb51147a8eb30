private val pickContact = registerForActivityResult(StartActivityForResult()) { result ->
    val uri = result.data?.data ?: return@registerForActivityResult
    contentResolver.query(uri, arrayOf(Phone.NUMBER), null, null, null)?.use { if (it.moveToFirst()) onNumber(it.getString(0)) }
}
fun choose() = pickContact.launch(Intent(Intent.ACTION_PICK, Phone.CONTENT_URI))
