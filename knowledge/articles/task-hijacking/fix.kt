// Second line of defence: the entry screen must be the root of its task and the task must be ours.
override fun onResume() {
    super.onResume()
    val base = (getSystemService(ACTIVITY_SERVICE) as ActivityManager)
        .appTasks.firstOrNull()?.taskInfo?.baseActivity
    if (base != null && base.packageName != packageName) finishAndRemoveTask()
}
