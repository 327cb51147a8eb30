override fun onCreate(state: Bundle?) {
    window.setFlags(WindowManager.LayoutParams.FLAG_SECURE, WindowManager.LayoutParams.FLAG_SECURE)
    super.onCreate(state)
    setContentView(R.layout.transfer)
}
