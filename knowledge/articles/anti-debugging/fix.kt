fun tracerPid(): Int = File("/proc/self/status").useLines { lines ->
    lines.firstOrNull { it.startsWith("TracerPid:") }?.substringAfter(':')?.trim()?.toIntOrNull() ?: 0
}
