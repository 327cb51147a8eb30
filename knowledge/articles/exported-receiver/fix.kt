ContextCompat.registerReceiver(this, receiver, IntentFilter(ACTION_DONE), ContextCompat.RECEIVER_NOT_EXPORTED)

class BootReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        if (intent.action != Intent.ACTION_BOOT_COMPLETED) return
        Schedule.restore(context)
    }
}
