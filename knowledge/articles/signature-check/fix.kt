private val trusted = setOf(
    "<SHA-256 of the release certificate>",
    "<SHA-256 of the one before the rotation>",
)

fun signedByUs(context: Context): Boolean {
    val info = context.packageManager.getPackageInfo(context.packageName, PackageManager.GET_SIGNING_CERTIFICATES)
    val signing = info.signingInfo ?: return false
    val all = if (signing.hasMultipleSigners()) signing.apkContentsSigners else signing.signingCertificateHistory
    return all.isNotEmpty() && all.all { sha256(it.toByteArray()) in trusted }
}
