/** About a kilometre: enough for a city, too little for an address. */
fun coarse(location: Location) = "%.2f,%.2f".format(Locale.ROOT, location.latitude, location.longitude)
