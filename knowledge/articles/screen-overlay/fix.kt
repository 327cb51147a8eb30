override fun onCreate(state: Bundle?) {
    super.onCreate(state)
    if (Build.VERSION.SDK_INT >= 31) window.setHideOverlayWindows(true)
    setContentView(R.layout.confirm)
    findViewById<View>(R.id.pay).filterTouchesWhenObscured = true
}
