class EntryActivity : Activity() {
    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val id = try { intent.getStringExtra("order") } catch (broken: RuntimeException) { null }
        if (id != null && id.matches(Regex("[0-9]{1,18}")) && Session.isSignedIn()) {
            startActivity(Intent(this, OrderActivity::class.java).putExtra("order", id))
        }
        finish()
    }
}
