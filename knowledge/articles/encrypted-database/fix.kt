System.loadLibrary("sqlcipher")
val database = Room.databaseBuilder(context, AppDatabase::class.java, "app.db")
    .openHelperFactory(SupportOpenHelperFactory(databasePassphrase(context)))
    .build()
