# Makes the encrypted code of the package loadable. The entry: HMAC-SHA-256 (32 bytes) of all that follows, initial counter (16), and AES-256-CTR of a zlib
# stream: number of dex files, then each with its length (32 bits, big endian). Keys are HMACs of the numbers 1 (cipher) and 2 (integrity) under
# HMAC(salt of the build, SHA-256 of the certificate); that of 0 shows that it is the right certificate.
.class final Lappwarden/shell/Loader;
.super Ljava/lang/Object;

# Constants of the build, which the engine writes.
# 64 hexadecimal digits each.
.field static salt:Ljava/lang/String; = ""
.field static shown:Ljava/lang/String; = ""
# The entry of the package that holds the code.
.field static entry:Ljava/lang/String; = ""
# Class names: the app's own Application and factory (empty without one), and the Application of the manifest.
.field static application:Ljava/lang/String; = ""
.field static factory:Ljava/lang/String; = ""
.field static stub:Ljava/lang/String; = ""

# The loader that Android made, and the one that finds the app's classes.
.field static base:Ljava/lang/ClassLoader;
.field static loader:Ljava/lang/ClassLoader;

.method private constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method

# Android 10 and later: a loader of its own below the given one, so that ART may verify the classes beside the app; Android asks again for the same package.
.method static declared-synchronized open(Ljava/lang/ClassLoader;Landroid/content/pm/ApplicationInfo;)Ljava/lang/ClassLoader;
    .locals 6
    sget-object v0, Lappwarden/shell/Loader;->base:Ljava/lang/ClassLoader;
    if-ne v0, p0, :first
    sget-object v0, Lappwarden/shell/Loader;->loader:Ljava/lang/ClassLoader;
    return-object v0
    :first
    invoke-static {}, Lappwarden/shell/Loader;->system()Landroid/content/Context;
    move-result-object v0
    invoke-static {v0, p1}, Lappwarden/shell/Loader;->unpack(Landroid/content/Context;Landroid/content/pm/ApplicationInfo;)[[B
    move-result-object v0
    array-length v1, v0
    new-array v2, v1, [Ljava/nio/ByteBuffer;
    const/4 v3, 0x0
    :next
    if-ge v3, v1, :wrapped
    aget-object v4, v0, v3
    invoke-static {v4}, Ljava/nio/ByteBuffer;->wrap([B)Ljava/nio/ByteBuffer;
    move-result-object v4
    aput-object v4, v2, v3
    add-int/lit8 v3, v3, 0x1
    goto :next
    :wrapped
    invoke-static {p1}, Lappwarden/shell/Loader;->libraries(Landroid/content/pm/ApplicationInfo;)Ljava/lang/String;
    move-result-object v3
    new-instance v4, Ldalvik/system/InMemoryDexClassLoader;
    invoke-direct {v4, v2, v3, p0}, Ldalvik/system/InMemoryDexClassLoader;-><init>([Ljava/nio/ByteBuffer;Ljava/lang/String;Ljava/lang/ClassLoader;)V
    sput-object p0, Lappwarden/shell/Loader;->base:Ljava/lang/ClassLoader;
    sput-object v4, Lappwarden/shell/Loader;->loader:Ljava/lang/ClassLoader;
    # ART has a copy.
    :wipe
    if-lez v1, :wiped
    add-int/lit8 v1, v1, -0x1
    aget-object v2, v0, v1
    invoke-static {v2}, Lappwarden/shell/Loader;->wipe([B)V
    goto :wipe
    :wiped
    return-object v4
.end method

# Before Android 10: the dex files join those of the loader that Android made. Answers the class of the app's own Application.
.method static attach(Landroid/content/Context;)Ljava/lang/Class;
    .locals 8
    const-class v0, Lappwarden/shell/Loader;
    invoke-virtual {v0}, Ljava/lang/Class;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    sget-object v1, Lappwarden/shell/Loader;->loader:Ljava/lang/ClassLoader;
    if-nez v1, :there
    invoke-virtual {v0}, Ljava/lang/ClassLoader;->getParent()Ljava/lang/ClassLoader;
    move-result-object v2
    invoke-virtual {p0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v3
    invoke-static {p0, v3}, Lappwarden/shell/Loader;->unpack(Landroid/content/Context;Landroid/content/pm/ApplicationInfo;)[[B
    move-result-object v3
    const/4 v4, 0x0
    :next
    array-length v5, v3
    if-ge v4, v5, :joined
    sget v5, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v6, 0x1a
    if-ge v5, v6, :memory
    # The folder that is there before the user unlocks the phone for the first time.
    const/16 v6, 0x18
    move-object v7, p0
    if-lt v5, v6, :folder
    invoke-virtual {p0}, Landroid/content/Context;->createDeviceProtectedStorageContext()Landroid/content/Context;
    move-result-object v7
    :folder
    invoke-virtual {v7}, Landroid/content/Context;->getCodeCacheDir()Ljava/io/File;
    move-result-object v5
    aget-object v6, v3, v4
    invoke-static {v5, v4, v6}, Lappwarden/shell/Loader;->store(Ljava/io/File;I[B)Ljava/lang/String;
    move-result-object v6
    # ART writes a file with the name of the dex file into the folder that it gets.
    new-instance v7, Ljava/io/File;
    const-string v1, "o"
    invoke-direct {v7, v5, v1}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-virtual {v7}, Ljava/io/File;->mkdirs()Z
    invoke-virtual {v7}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v5
    new-instance v7, Ldalvik/system/DexClassLoader;
    const/4 v1, 0x0
    invoke-direct {v7, v6, v5, v1, v2}, Ldalvik/system/DexClassLoader;-><init>(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/ClassLoader;)V
    goto :made
    :memory
    aget-object v6, v3, v4
    invoke-static {v6}, Ljava/nio/ByteBuffer;->wrap([B)Ljava/nio/ByteBuffer;
    move-result-object v6
    new-instance v7, Ldalvik/system/InMemoryDexClassLoader;
    invoke-direct {v7, v6, v2}, Ldalvik/system/InMemoryDexClassLoader;-><init>(Ljava/nio/ByteBuffer;Ljava/lang/ClassLoader;)V
    :made
    invoke-static {v0, v7}, Lappwarden/shell/Loader;->join(Ljava/lang/ClassLoader;Ljava/lang/ClassLoader;)V
    aget-object v6, v3, v4
    invoke-static {v6}, Lappwarden/shell/Loader;->wipe([B)V
    add-int/lit8 v4, v4, 0x1
    goto :next
    :joined
    sput-object v0, Lappwarden/shell/Loader;->base:Ljava/lang/ClassLoader;
    sput-object v0, Lappwarden/shell/Loader;->loader:Ljava/lang/ClassLoader;
    :there
    sget-object v1, Lappwarden/shell/Loader;->application:Ljava/lang/String;
    invoke-virtual {v0, v1}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    return-object v0
.end method

# Keys and plain code that are not needed any more.
.method static wipe([B)V
    .locals 1
    const/4 v0, 0x0
    invoke-static {p0, v0}, Ljava/util/Arrays;->fill([BB)V
    return-void
.end method

# What ActivityThread and LoadedApk keep of the first Application becomes the other one.
.method static replace(Landroid/content/Context;Landroid/app/Application;Landroid/app/Application;)V
    .locals 5
    const-string v0, "android.app.ContextImpl"
    const-string v1, "mOuterContext"
    invoke-static {v0, v1, p0, p2}, Lappwarden/shell/Loader;->set(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
    const-string v1, "mPackageInfo"
    invoke-static {v0, v1, p0}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v2
    const-string v1, "mMainThread"
    invoke-static {v0, v1, p0}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v3
    const-string v0, "android.app.LoadedApk"
    const-string v1, "mApplication"
    invoke-static {v0, v1, v2, p2}, Lappwarden/shell/Loader;->set(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
    const-string v0, "android.app.ActivityThread"
    const-string v1, "mInitialApplication"
    invoke-static {v0, v1, v3, p2}, Lappwarden/shell/Loader;->set(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
    const-string v1, "mAllApplications"
    invoke-static {v0, v1, v3}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Ljava/util/ArrayList;
    invoke-virtual {v0, p1}, Ljava/util/ArrayList;->indexOf(Ljava/lang/Object;)I
    move-result v1
    if-ltz v1, :named
    invoke-virtual {v0, v1, p2}, Ljava/util/ArrayList;->set(ILjava/lang/Object;)Ljava/lang/Object;
    :named
    invoke-virtual {p0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v0
    sget-object v1, Lappwarden/shell/Loader;->application:Ljava/lang/String;
    iput-object v1, v0, Landroid/content/pm/ApplicationInfo;->className:Ljava/lang/String;
    return-void
.end method

.method static get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    .locals 2
    invoke-static {p0}, Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0, p1}, Ljava/lang/Class;->getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;
    move-result-object v0
    const/4 v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/reflect/AccessibleObject;->setAccessible(Z)V
    invoke-virtual {v0, p2}, Ljava/lang/reflect/Field;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    return-object v0
.end method

.method static set(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
    .locals 2
    invoke-static {p0}, Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0, p1}, Ljava/lang/Class;->getDeclaredField(Ljava/lang/String;)Ljava/lang/reflect/Field;
    move-result-object v0
    const/4 v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/reflect/AccessibleObject;->setAccessible(Z)V
    invoke-virtual {v0, p2, p3}, Ljava/lang/reflect/Field;->set(Ljava/lang/Object;Ljava/lang/Object;)V
    return-void
.end method

# ART finds classes by the elements of a loader's path list. The other loader never finds one itself: a dex file belongs to the first that does.
.method static join(Ljava/lang/ClassLoader;Ljava/lang/ClassLoader;)V
    .locals 9
    const-string v0, "dalvik.system.BaseDexClassLoader"
    const-string v1, "pathList"
    invoke-static {v0, v1, p0}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v2
    invoke-static {v0, v1, p1}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v3
    const-string v0, "dalvik.system.DexPathList"
    const-string v1, "dexElements"
    invoke-static {v0, v1, v2}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v4
    check-cast v4, [Ljava/lang/Object;
    invoke-static {v0, v1, v3}, Lappwarden/shell/Loader;->get(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v5
    check-cast v5, [Ljava/lang/Object;
    array-length v6, v4
    array-length v7, v5
    add-int/2addr v7, v6
    invoke-virtual {v4}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v3
    invoke-virtual {v3}, Ljava/lang/Class;->getComponentType()Ljava/lang/Class;
    move-result-object v3
    invoke-static {v3, v7}, Ljava/lang/reflect/Array;->newInstance(Ljava/lang/Class;I)Ljava/lang/Object;
    move-result-object v3
    const/4 v8, 0x0
    invoke-static {v4, v8, v3, v8, v6}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    array-length v7, v5
    invoke-static {v5, v8, v3, v6, v7}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    invoke-static {v0, v1, v2, v3}, Lappwarden/shell/Loader;->set(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Object;)V
    return-void
.end method

# Before Android 8 code is loaded from files alone. One that is there is used only if it has this content; another process may write it at the same time.
.method static store(Ljava/io/File;I[B)Ljava/lang/String;
    .locals 5
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    sget-object v1, Lappwarden/shell/Loader;->shown:Ljava/lang/String;
    const/4 v2, 0x0
    const/16 v3, 0x10
    invoke-virtual {v1, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    const-string v1, ".dex"
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    new-instance v1, Ljava/io/File;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v2
    invoke-direct {v1, p0, v2}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-static {v1, p2}, Lappwarden/shell/Loader;->holds(Ljava/io/File;[B)Z
    move-result v2
    if-nez v2, :there
    invoke-virtual {v1}, Ljava/io/File;->getName()Ljava/lang/String;
    move-result-object v2
    invoke-static {p0, v2}, Lappwarden/shell/Loader;->clear(Ljava/io/File;Ljava/lang/String;)V
    invoke-static {}, Landroid/os/Process;->myPid()I
    move-result v2
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    new-instance v2, Ljava/io/File;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v3
    invoke-direct {v2, p0, v3}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-static {v2, p2}, Lappwarden/shell/Loader;->write(Ljava/io/File;[B)V
    invoke-virtual {v2, v1}, Ljava/io/File;->renameTo(Ljava/io/File;)Z
    move-result v3
    if-eqz v3, :failed
    :there
    invoke-virtual {v1}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v1
    return-object v1
    :failed
    invoke-virtual {v2}, Ljava/io/File;->delete()Z
    const-string v0, "The code cannot be stored"
    invoke-static {v0}, Lappwarden/shell/Loader;->refuse(Ljava/lang/String;)Ljava/lang/RuntimeException;
    move-result-object v0
    throw v0
.end method

# What cannot be written whole does not stay.
.method static write(Ljava/io/File;[B)V
    .locals 2
    new-instance v0, Ljava/io/FileOutputStream;
    invoke-direct {v0, p0}, Ljava/io/FileOutputStream;-><init>(Ljava/io/File;)V
    :writing
    invoke-virtual {v0, p1}, Ljava/io/OutputStream;->write([B)V
    invoke-virtual {v0}, Ljava/io/OutputStream;->close()V
    :written
    return-void
    :failed
    move-exception v1
    :closing
    invoke-virtual {v0}, Ljava/io/OutputStream;->close()V
    :closed
    goto :delete
    :lost
    move-exception v0
    :delete
    invoke-virtual {p0}, Ljava/io/File;->delete()Z
    throw v1
    .catchall {:writing .. :written} :failed
    .catchall {:closing .. :closed} :lost
.end method

# Deletes what processes left that ended while they wrote the file: the name of the file is followed by their number.
.method static clear(Ljava/io/File;Ljava/lang/String;)V
    .locals 6
    invoke-virtual {p0}, Ljava/io/File;->list()[Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :end
    const/4 v1, 0x0
    :next
    array-length v2, v0
    if-ge v1, v2, :end
    aget-object v2, v0, v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v2, p1}, Ljava/lang/String;->startsWith(Ljava/lang/String;)Z
    move-result v3
    if-eqz v3, :next
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v3
    invoke-virtual {v2, v3}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v3}, Ljava/lang/String;->isEmpty()Z
    move-result v4
    if-nez v4, :next
    new-instance v4, Ljava/io/File;
    const-string v5, "/proc/"
    invoke-virtual {v5, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-direct {v4, v3}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    invoke-virtual {v4}, Ljava/io/File;->exists()Z
    move-result v3
    if-nez v3, :next
    new-instance v4, Ljava/io/File;
    invoke-direct {v4, p0, v2}, Ljava/io/File;-><init>(Ljava/io/File;Ljava/lang/String;)V
    invoke-virtual {v4}, Ljava/io/File;->delete()Z
    goto :next
    :end
    return-void
.end method

.method static holds(Ljava/io/File;[B)Z
    .locals 5
    invoke-virtual {p0}, Ljava/io/File;->length()J
    move-result-wide v0
    array-length v2, p1
    int-to-long v3, v2
    cmp-long v0, v0, v3
    if-nez v0, :other
    new-instance v0, Ljava/io/FileInputStream;
    invoke-virtual {p0}, Ljava/io/File;->getPath()Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/io/FileInputStream;-><init>(Ljava/lang/String;)V
    invoke-static {v0, v2}, Lappwarden/shell/Loader;->read(Ljava/io/InputStream;I)[B
    move-result-object v1
    invoke-virtual {v0}, Ljava/io/InputStream;->close()V
    invoke-static {v1, p1}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v0
    return v0
    :other
    const/4 v0, 0x0
    return v0
.end method

# Before an Application is there Android's own context answers.
.method static system()Landroid/content/Context;
    .locals 5
    const-string v0, "android.app.ActivityThread"
    invoke-static {v0}, Ljava/lang/Class;->forName(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    const/4 v1, 0x0
    new-array v2, v1, [Ljava/lang/Class;
    new-array v3, v1, [Ljava/lang/Object;
    const-string v1, "currentActivityThread"
    invoke-virtual {v0, v1, v2}, Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v1
    const/4 v4, 0x0
    invoke-virtual {v1, v4, v3}, Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v4
    const-string v1, "getSystemContext"
    invoke-virtual {v0, v1, v2}, Ljava/lang/Class;->getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
    move-result-object v1
    invoke-virtual {v1, v4, v3}, Ljava/lang/reflect/Method;->invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/content/Context;
    return-object v0
.end method

# Where native libraries lie, as Android itself says it of the package: the folder of extracted ones, and those inside of the package.
.method static libraries(Landroid/content/pm/ApplicationInfo;)Ljava/lang/String;
    .locals 5
    iget-object v0, p0, Landroid/content/pm/ApplicationInfo;->nativeLibraryDir:Ljava/lang/String;
    if-eqz v0, :none
    const/16 v1, 0x2f
    invoke-virtual {v0, v1}, Ljava/lang/String;->lastIndexOf(I)I
    move-result v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v1
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2, v0}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    const-string v3, ":"
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    iget-object v4, p0, Landroid/content/pm/ApplicationInfo;->sourceDir:Ljava/lang/String;
    invoke-virtual {v2, v4}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v3, "!/lib/"
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v0, "arm64"
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    const-string v3, "arm64-v8a"
    if-nez v0, :named
    const-string v0, "arm"
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    move-object v3, v1
    if-eqz v0, :named
    const-string v0, "armeabi-v7a:"
    invoke-virtual {v2, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2, v4}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v3, "!/lib/armeabi"
    :named
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    :none
    return-object v0
.end method

.method static refuse(Ljava/lang/String;)Ljava/lang/RuntimeException;
    .locals 1
    new-instance v0, Ljava/lang/IllegalStateException;
    invoke-direct {v0, p0}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    return-object v0
.end method

# The dex files. Throws IllegalStateException where the package is signed by somebody else or its code was changed.
.method static unpack(Landroid/content/Context;Landroid/content/pm/ApplicationInfo;)[[B
    .locals 8
    invoke-static {p0, p1}, Lappwarden/shell/Loader;->secret(Landroid/content/Context;Landroid/content/pm/ApplicationInfo;)[B
    move-result-object v0
    new-instance v1, Ljava/util/zip/ZipFile;
    iget-object v2, p1, Landroid/content/pm/ApplicationInfo;->sourceDir:Ljava/lang/String;
    invoke-direct {v1, v2}, Ljava/util/zip/ZipFile;-><init>(Ljava/lang/String;)V
    sget-object v2, Lappwarden/shell/Loader;->entry:Ljava/lang/String;
    invoke-virtual {v1, v2}, Ljava/util/zip/ZipFile;->getEntry(Ljava/lang/String;)Ljava/util/zip/ZipEntry;
    move-result-object v2
    if-eqz v2, :changed
    invoke-virtual {v1, v2}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v3
    const/4 v4, 0x2
    invoke-static {v0, v4}, Lappwarden/shell/Loader;->derive([BI)[B
    move-result-object v4
    invoke-static {v3, v4}, Lappwarden/shell/Loader;->isWhole(Ljava/io/InputStream;[B)Z
    move-result v5
    invoke-static {v4}, Lappwarden/shell/Loader;->wipe([B)V
    move v4, v5
    invoke-virtual {v3}, Ljava/io/InputStream;->close()V
    if-eqz v4, :changed
    invoke-virtual {v1, v2}, Ljava/util/zip/ZipFile;->getInputStream(Ljava/util/zip/ZipEntry;)Ljava/io/InputStream;
    move-result-object v3
    const/16 v4, 0x20
    invoke-static {v3, v4}, Lappwarden/shell/Loader;->read(Ljava/io/InputStream;I)[B
    const/16 v4, 0x10
    invoke-static {v3, v4}, Lappwarden/shell/Loader;->read(Ljava/io/InputStream;I)[B
    move-result-object v4
    new-instance v5, Ljavax/crypto/spec/IvParameterSpec;
    invoke-direct {v5, v4}, Ljavax/crypto/spec/IvParameterSpec;-><init>([B)V
    const/4 v4, 0x1
    invoke-static {v0, v4}, Lappwarden/shell/Loader;->derive([BI)[B
    move-result-object v4
    new-instance v6, Ljavax/crypto/spec/SecretKeySpec;
    const-string v7, "AES"
    invoke-direct {v6, v4, v7}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    invoke-static {v4}, Lappwarden/shell/Loader;->wipe([B)V
    invoke-static {v0}, Lappwarden/shell/Loader;->wipe([B)V
    const-string v7, "AES/CTR/NoPadding"
    invoke-static {v7}, Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;
    move-result-object v7
    const/4 v4, 0x2
    invoke-virtual {v7, v4, v6, v5}, Ljavax/crypto/Cipher;->init(ILjava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V
    new-instance v4, Ljavax/crypto/CipherInputStream;
    invoke-direct {v4, v3, v7}, Ljavax/crypto/CipherInputStream;-><init>(Ljava/io/InputStream;Ljavax/crypto/Cipher;)V
    new-instance v3, Ljava/util/zip/InflaterInputStream;
    invoke-direct {v3, v4}, Ljava/util/zip/InflaterInputStream;-><init>(Ljava/io/InputStream;)V
    invoke-static {v3}, Lappwarden/shell/Loader;->number(Ljava/io/InputStream;)I
    move-result v4
    new-array v5, v4, [[B
    const/4 v6, 0x0
    :next
    if-ge v6, v4, :read
    invoke-static {v3}, Lappwarden/shell/Loader;->number(Ljava/io/InputStream;)I
    move-result v7
    invoke-static {v3, v7}, Lappwarden/shell/Loader;->read(Ljava/io/InputStream;I)[B
    move-result-object v7
    aput-object v7, v5, v6
    add-int/lit8 v6, v6, 0x1
    goto :next
    :read
    invoke-virtual {v3}, Ljava/io/InputStream;->close()V
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->close()V
    return-object v5
    :changed
    invoke-virtual {v1}, Ljava/util/zip/ZipFile;->close()V
    const-string v0, "The code of this package was changed"
    invoke-static {v0}, Lappwarden/shell/Loader;->refuse(Ljava/lang/String;)Ljava/lang/RuntimeException;
    move-result-object v0
    throw v0
.end method

# Whether the first 32 bytes are the HMAC of the others.
.method static isWhole(Ljava/io/InputStream;[B)Z
    .locals 5
    const/16 v0, 0x20
    invoke-static {p0, v0}, Lappwarden/shell/Loader;->read(Ljava/io/InputStream;I)[B
    move-result-object v0
    invoke-static {p1}, Lappwarden/shell/Loader;->mac([B)Ljavax/crypto/Mac;
    move-result-object v1
    const v2, 0x8000
    new-array v2, v2, [B
    const/4 v3, 0x0
    :more
    array-length v4, v2
    invoke-virtual {p0, v2, v3, v4}, Ljava/io/InputStream;->read([BII)I
    move-result v4
    if-lez v4, :end
    invoke-virtual {v1, v2, v3, v4}, Ljavax/crypto/Mac;->update([BII)V
    goto :more
    :end
    invoke-virtual {v1}, Ljavax/crypto/Mac;->doFinal()[B
    move-result-object v1
    invoke-static {v0, v1}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v0
    return v0
.end method

# What the keys are derived from: of the certificates that the package is signed with, the one that it was protected for.
.method static secret(Landroid/content/Context;Landroid/content/pm/ApplicationInfo;)[B
    .locals 7
    invoke-virtual {p0}, Landroid/content/Context;->getPackageManager()Landroid/content/pm/PackageManager;
    move-result-object v0
    iget-object v1, p1, Landroid/content/pm/ApplicationInfo;->packageName:Ljava/lang/String;
    sget v2, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v3, 0x1c
    if-lt v2, v3, :older
    const/high16 v2, 0x8000000
    invoke-virtual {v0, v1, v2}, Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/PackageInfo;->signingInfo:Landroid/content/pm/SigningInfo;
    invoke-virtual {v0}, Landroid/content/pm/SigningInfo;->getApkContentsSigners()[Landroid/content/pm/Signature;
    move-result-object v0
    goto :signers
    :older
    const/16 v2, 0x40
    invoke-virtual {v0, v1, v2}, Landroid/content/pm/PackageManager;->getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;
    move-result-object v0
    iget-object v0, v0, Landroid/content/pm/PackageInfo;->signatures:[Landroid/content/pm/Signature;
    :signers
    const-string v1, "SHA-256"
    invoke-static {v1}, Ljava/security/MessageDigest;->getInstance(Ljava/lang/String;)Ljava/security/MessageDigest;
    move-result-object v1
    sget-object v2, Lappwarden/shell/Loader;->salt:Ljava/lang/String;
    invoke-static {v2}, Lappwarden/shell/Loader;->bytes(Ljava/lang/String;)[B
    move-result-object v2
    sget-object v3, Lappwarden/shell/Loader;->shown:Ljava/lang/String;
    invoke-static {v3}, Lappwarden/shell/Loader;->bytes(Ljava/lang/String;)[B
    move-result-object v3
    const/4 v4, 0x0
    :next
    array-length v5, v0
    if-ge v4, v5, :none
    aget-object v5, v0, v4
    invoke-virtual {v5}, Landroid/content/pm/Signature;->toByteArray()[B
    move-result-object v5
    invoke-virtual {v1, v5}, Ljava/security/MessageDigest;->digest([B)[B
    move-result-object v5
    invoke-static {v2}, Lappwarden/shell/Loader;->mac([B)Ljavax/crypto/Mac;
    move-result-object v6
    invoke-virtual {v6, v5}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v5
    const/4 v6, 0x0
    invoke-static {v5, v6}, Lappwarden/shell/Loader;->derive([BI)[B
    move-result-object v6
    invoke-static {v6, v3}, Ljava/util/Arrays;->equals([B[B)Z
    move-result v6
    if-nez v6, :found
    add-int/lit8 v4, v4, 0x1
    goto :next
    :found
    invoke-static {v2}, Lappwarden/shell/Loader;->wipe([B)V
    return-object v5
    :none
    const-string v0, "This package is not signed with the certificate that it was protected for"
    invoke-static {v0}, Lappwarden/shell/Loader;->refuse(Ljava/lang/String;)Ljava/lang/RuntimeException;
    move-result-object v0
    throw v0
.end method

.method static mac([B)Ljavax/crypto/Mac;
    .locals 3
    const-string v0, "HmacSHA256"
    new-instance v1, Ljavax/crypto/spec/SecretKeySpec;
    invoke-direct {v1, p0, v0}, Ljavax/crypto/spec/SecretKeySpec;-><init>([BLjava/lang/String;)V
    invoke-static {v0}, Ljavax/crypto/Mac;->getInstance(Ljava/lang/String;)Ljavax/crypto/Mac;
    move-result-object v2
    invoke-virtual {v2, v1}, Ljavax/crypto/Mac;->init(Ljava/security/Key;)V
    return-object v2
.end method

.method static derive([BI)[B
    .locals 3
    const/4 v0, 0x1
    new-array v0, v0, [B
    const/4 v1, 0x0
    int-to-byte v2, p1
    aput-byte v2, v0, v1
    invoke-static {p0}, Lappwarden/shell/Loader;->mac([B)Ljavax/crypto/Mac;
    move-result-object v1
    invoke-virtual {v1, v0}, Ljavax/crypto/Mac;->doFinal([B)[B
    move-result-object v0
    return-object v0
.end method

# Of hexadecimal digits.
.method static bytes(Ljava/lang/String;)[B
    .locals 6
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v0
    shr-int/lit8 v0, v0, 0x1
    new-array v1, v0, [B
    const/4 v2, 0x0
    :next
    if-ge v2, v0, :end
    shl-int/lit8 v3, v2, 0x1
    add-int/lit8 v4, v3, 0x2
    invoke-virtual {p0, v3, v4}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    const/16 v5, 0x10
    invoke-static {v3, v5}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;I)I
    move-result v3
    int-to-byte v3, v3
    aput-byte v3, v1, v2
    add-int/lit8 v2, v2, 0x1
    goto :next
    :end
    return-object v1
.end method

.method static number(Ljava/io/InputStream;)I
    .locals 5
    const/4 v0, 0x4
    invoke-static {p0, v0}, Lappwarden/shell/Loader;->read(Ljava/io/InputStream;I)[B
    move-result-object v1
    const/4 v2, 0x0
    const/4 v3, 0x0
    :next
    if-ge v3, v0, :end
    shl-int/lit8 v2, v2, 0x8
    aget-byte v4, v1, v3
    and-int/lit16 v4, v4, 0xff
    or-int/2addr v2, v4
    add-int/lit8 v3, v3, 0x1
    goto :next
    :end
    return v2
.end method

# Exactly so many bytes.
.method static read(Ljava/io/InputStream;I)[B
    .locals 3
    new-array v0, p1, [B
    const/4 v1, 0x0
    :next
    if-ge v1, p1, :end
    sub-int v2, p1, v1
    invoke-virtual {p0, v0, v1, v2}, Ljava/io/InputStream;->read([BII)I
    move-result v2
    if-lez v2, :short
    add-int/2addr v1, v2
    goto :next
    :end
    return-object v0
    :short
    const-string v0, "The code of this package was changed"
    invoke-static {v0}, Lappwarden/shell/Loader;->refuse(Ljava/lang/String;)Ljava/lang/RuntimeException;
    move-result-object v0
    throw v0
.end method
