override fun onPermissionRequest(request: PermissionRequest) {
    val ours = request.origin.scheme == "https" && request.origin.host == "m.example.com"
    val camera = PermissionRequest.RESOURCE_VIDEO_CAPTURE
    if (!ours || camera !in request.resources) return request.deny()
    askUser { yes -> if (yes) request.grant(arrayOf(camera)) else request.deny() }
}
