fun onAgree(version: Int) {
    Consent.save(this, version, System.currentTimeMillis())
    (application as App).startSdks()
}
fun onWithdraw() {
    Consent.clear(this)
    AppWarden.withdraw()
}
