override fun isValidFragment(name: String): Boolean = name in setOf(
    DisplayFragment::class.java.name,
    NoticeFragment::class.java.name,
)
