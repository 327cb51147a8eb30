context.sendBroadcast(
    Intent("com.example.app.SYNC_DONE").setPackage("com.example.companion"),
    "com.example.app.permission.SYNC",
)
