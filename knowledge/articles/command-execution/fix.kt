fun ping(host: String): Boolean {
    require(host.matches(Regex("[A-Za-z0-9][A-Za-z0-9.-]{0,252}")))
    val process = ProcessBuilder("ping", "-c", "1", "-W", "3", "--", host).redirectErrorStream(true).start()
    return try { process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0 } finally { process.destroy() }
}
