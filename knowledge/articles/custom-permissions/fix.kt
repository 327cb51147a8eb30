// In a method of the AIDL stub
val caller = packageManager.getPackagesForUid(Binder.getCallingUid())?.singleOrNull()
if (caller == null || packageManager.checkSignatures(packageName, caller) != PackageManager.SIGNATURE_MATCH)
    throw SecurityException("unknown caller")
