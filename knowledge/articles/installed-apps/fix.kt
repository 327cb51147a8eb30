fun openPayment(context: Context, intent: Intent): Boolean = try {
    context.startActivity(intent)
    true
} catch (absent: ActivityNotFoundException) {
    false        // offer the web page instead
}
