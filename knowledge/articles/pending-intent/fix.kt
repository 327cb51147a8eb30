val open = PendingIntent.getActivity(
    context, orderId, Intent(context, OrderActivity::class.java),
    PendingIntent.FLAG_IMMUTABLE or PendingIntent.FLAG_UPDATE_CURRENT,
)
