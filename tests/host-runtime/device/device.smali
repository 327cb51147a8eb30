# A made-up phone: the classes of Android that the checks of a reinforced package ask, and the start of a process as Android does it. What the
# phone says comes as arguments `name=value` of Device.main, which are kept as system properties.

# `name`, or the other text where it was not given.
.class public final Ldevice/Facts;
.super Ljava/lang/Object;
.method public static text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-static {p0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :given
    return-object p1
    :given
    return-object v0
.end method
.method public static number(Ljava/lang/String;Ljava/lang/String;)I
    .locals 1
    invoke-static {p0, p1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v0
    return v0
.end method


.class public Landroid/content/Context;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public getPackageName()Ljava/lang/String;
    .locals 2
    const-string v0, "package"
    const-string v1, "org.maker.app"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method public getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    .locals 1
    new-instance v0, Landroid/content/pm/ApplicationInfo;
    invoke-direct {v0}, Landroid/content/pm/ApplicationInfo;-><init>()V
    return-object v0
.end method
.method public getPackageManager()Landroid/content/pm/PackageManager;
    .locals 1
    new-instance v0, Landroid/content/pm/PackageManager;
    invoke-direct {v0}, Landroid/content/pm/PackageManager;-><init>()V
    return-object v0
.end method
.method public getApplicationContext()Landroid/content/Context;
    .locals 1
    const/4 v0, 0x0
    return-object v0
.end method
.method public getClassLoader()Ljava/lang/ClassLoader;
    .locals 1
    const/4 v0, 0x0
    return-object v0
.end method
.method public createDeviceProtectedStorageContext()Landroid/content/Context;
    .locals 0
    return-object p0
.end method
.method public getCodeCacheDir()Ljava/io/File;
    .locals 2
    const-string v0, "codeCache"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/io/File;
    invoke-direct {v1, v0}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    return-object v1
.end method
.method public getNoBackupFilesDir()Ljava/io/File;
    .locals 2
    const-string v0, "noBackup"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    new-instance v1, Ljava/io/File;
    invoke-direct {v1, v0}, Ljava/io/File;-><init>(Ljava/lang/String;)V
    return-object v1
.end method
.method public getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    .locals 1
    const-string v0, "preferences"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :process
    invoke-static {v0, p1}, Ldevice/StoredPreferences;->of(Ljava/lang/String;Ljava/lang/String;)Ldevice/StoredPreferences;
    move-result-object v0
    return-object v0
    :process
    new-instance v0, Ldevice/Preferences;
    invoke-direct {v0}, Ldevice/Preferences;-><init>()V
    return-object v0
.end method
.method public getSystemService(Ljava/lang/String;)Ljava/lang/Object;
    .locals 1
    const-string v0, "connectivity"
    invoke-virtual {v0, p1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :known
    const/4 v0, 0x0
    return-object v0
    :known
    new-instance v0, Landroid/net/ConnectivityManager;
    invoke-direct {v0}, Landroid/net/ConnectivityManager;-><init>()V
    return-object v0
.end method


.class public interface abstract Landroid/content/SharedPreferences;
.super Ljava/lang/Object;
.method public abstract getAll()Ljava/util/Map;
.end method
.method public abstract getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
.end method
.method public abstract getStringSet(Ljava/lang/String;Ljava/util/Set;)Ljava/util/Set;
.end method
.method public abstract getInt(Ljava/lang/String;I)I
.end method
.method public abstract getLong(Ljava/lang/String;J)J
.end method
.method public abstract getFloat(Ljava/lang/String;F)F
.end method
.method public abstract getBoolean(Ljava/lang/String;Z)Z
.end method
.method public abstract contains(Ljava/lang/String;)Z
.end method
.method public abstract edit()Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract registerOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
.end method
.method public abstract unregisterOnSharedPreferenceChangeListener(Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;)V
.end method


.class public interface abstract Landroid/content/SharedPreferences$OnSharedPreferenceChangeListener;
.super Ljava/lang/Object;
.method public abstract onSharedPreferenceChanged(Landroid/content/SharedPreferences;Ljava/lang/String;)V
.end method


.class public interface abstract Landroid/content/SharedPreferences$Editor;
.super Ljava/lang/Object;
.method public abstract putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract putStringSet(Ljava/lang/String;Ljava/util/Set;)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract putInt(Ljava/lang/String;I)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract putLong(Ljava/lang/String;J)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract putFloat(Ljava/lang/String;F)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract putBoolean(Ljava/lang/String;Z)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract remove(Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract clear()Landroid/content/SharedPreferences$Editor;
.end method
.method public abstract commit()Z
.end method
.method public abstract apply()V
.end method


# What the checks keep, for the time of this process; `kept.NAME` is there already. Preferences of files: preferences.smali.
.class public final Ldevice/Preferences;
.super Ljava/lang/Object;
.implements Landroid/content/SharedPreferences;
.implements Landroid/content/SharedPreferences$Editor;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public getString(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    const-string v0, "kept."
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0, p2}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method public edit()Landroid/content/SharedPreferences$Editor;
    .locals 0
    return-object p0
.end method
.method public putString(Ljava/lang/String;Ljava/lang/String;)Landroid/content/SharedPreferences$Editor;
    .locals 1
    const-string v0, "kept."
    invoke-virtual {v0, p1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0, p2}, Ljava/lang/System;->setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    return-object p0
.end method
.method public commit()Z
    .locals 1
    const/4 v0, 0x1
    return v0
.end method


# Flags 11: letters of URLs, no lines, no padding.
.class public Landroid/util/Base64;
.super Ljava/lang/Object;
.method public static encodeToString([BI)Ljava/lang/String;
    .locals 1
    invoke-static {p0}, Lhostruntime/Files;->base64([B)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method public static decode(Ljava/lang/String;I)[B
    .locals 1
    invoke-static {p0}, Lhostruntime/Files;->fromBase64(Ljava/lang/String;)[B
    move-result-object v0
    return-object v0
.end method


.class public Landroid/content/pm/ApplicationInfo;
.super Ljava/lang/Object;
.field public dataDir:Ljava/lang/String;
.field public sourceDir:Ljava/lang/String;
.field public packageName:Ljava/lang/String;
.field public className:Ljava/lang/String;
.field public nativeLibraryDir:Ljava/lang/String;
.field public flags:I
.field public targetSdkVersion:I
.method public constructor <init>()V
    .locals 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    const-string v0, "targetSdkVersion"
    const-string v1, "33"
    invoke-static {v0, v1}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    iput v0, p0, Landroid/content/pm/ApplicationInfo;->targetSdkVersion:I
    const-string v0, "flags"
    const-string v1, "0"
    invoke-static {v0, v1}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    iput v0, p0, Landroid/content/pm/ApplicationInfo;->flags:I
    const-string v0, "package"
    const-string v1, "org.maker.app"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Landroid/content/pm/ApplicationInfo;->packageName:Ljava/lang/String;
    const-string v0, "/data/app/~~bGlzdA==/org.maker.app-bWFwcw==/lib/x86_64"
    iput-object v0, p0, Landroid/content/pm/ApplicationInfo;->nativeLibraryDir:Ljava/lang/String;
    const-string v0, "application"
    const-string v1, "android.app.Application"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Landroid/content/pm/ApplicationInfo;->className:Ljava/lang/String;
    const-string v0, "dataDir"
    const-string v1, "/data/user/0/org.maker.app"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Landroid/content/pm/ApplicationInfo;->dataDir:Ljava/lang/String;
    const-string v0, "sourceDir"
    const-string v1, "/data/app/~~bGlzdA==/org.maker.app-bWFwcw==/base.apk"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    iput-object v0, p0, Landroid/content/pm/ApplicationInfo;->sourceDir:Ljava/lang/String;
    return-void
.end method


.class public Landroid/content/pm/PackageManager;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public getPackageInfo(Ljava/lang/String;I)Landroid/content/pm/PackageInfo;
    .locals 1
    new-instance v0, Landroid/content/pm/PackageInfo;
    invoke-direct {v0, p2}, Landroid/content/pm/PackageInfo;-><init>(I)V
    return-object v0
.end method
.method public getPackagesForUid(I)[Ljava/lang/String;
    .locals 3
    const-string v0, "uidPackage"
    const-string v1, "org.maker.app"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const/4 v1, 0x1
    new-array v1, v1, [Ljava/lang/String;
    const/4 v2, 0x0
    aput-object v0, v1, v2
    return-object v1
.end method


.class public Landroid/content/pm/PackageInfo;
.super Ljava/lang/Object;
.field public versionName:Ljava/lang/String;
.field public signatures:[Landroid/content/pm/Signature;
.field public signingInfo:Landroid/content/pm/SigningInfo;
# Version 28 and later answer 0x08000000 with SigningInfo, all answer 0x40 with signatures.
.method public constructor <init>(I)V
    .locals 2
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    const-string v0, "2.1"
    iput-object v0, p0, Landroid/content/pm/PackageInfo;->versionName:Ljava/lang/String;
    const/16 v0, 0x40
    if-ne p1, v0, :newer
    invoke-static {}, Landroid/content/pm/Signature;->installed()[Landroid/content/pm/Signature;
    move-result-object v0
    iput-object v0, p0, Landroid/content/pm/PackageInfo;->signatures:[Landroid/content/pm/Signature;
    return-void
    :newer
    sget v0, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v1, 0x1c
    if-lt v0, v1, :end
    const/high16 v0, 0x8000000
    if-ne p1, v0, :end
    new-instance v0, Landroid/content/pm/SigningInfo;
    invoke-direct {v0}, Landroid/content/pm/SigningInfo;-><init>()V
    iput-object v0, p0, Landroid/content/pm/PackageInfo;->signingInfo:Landroid/content/pm/SigningInfo;
    :end
    return-void
.end method


.class public Landroid/content/pm/SigningInfo;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public getApkContentsSigners()[Landroid/content/pm/Signature;
    .locals 1
    invoke-static {}, Landroid/content/pm/Signature;->installed()[Landroid/content/pm/Signature;
    move-result-object v0
    return-object v0
.end method


# The certificate of the installed package, from the file `certificate`.
.class public Landroid/content/pm/Signature;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public static installed()[Landroid/content/pm/Signature;
    .locals 3
    const/4 v0, 0x1
    new-array v0, v0, [Landroid/content/pm/Signature;
    new-instance v1, Landroid/content/pm/Signature;
    invoke-direct {v1}, Landroid/content/pm/Signature;-><init>()V
    const/4 v2, 0x0
    aput-object v1, v0, v2
    return-object v0
.end method
.method public toByteArray()[B
    .locals 1
    const-string v0, "certificate"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    invoke-static {v0}, Lhostruntime/Files;->read(Ljava/lang/String;)[B
    move-result-object v0
    return-object v0
.end method


.class public Landroid/os/Build;
.super Ljava/lang/Object;
.field public static final FINGERPRINT:Ljava/lang/String;
.field public static final HARDWARE:Ljava/lang/String;
.field public static final PRODUCT:Ljava/lang/String;
.field public static final MODEL:Ljava/lang/String;
.field public static final MANUFACTURER:Ljava/lang/String;
.field public static final BRAND:Ljava/lang/String;
.field public static final DEVICE:Ljava/lang/String;
.method static constructor <clinit>()V
    .locals 2
    const-string v0, "FINGERPRINT"
    const-string v1, "Xiaomi/venus/venus:13/TKQ1.220829.002/V14.0.5.0.TKBCNXM:user/release-keys"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->FINGERPRINT:Ljava/lang/String;
    const-string v0, "HARDWARE"
    const-string v1, "qcom"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->HARDWARE:Ljava/lang/String;
    const-string v0, "PRODUCT"
    const-string v1, "venus"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->PRODUCT:Ljava/lang/String;
    const-string v0, "MODEL"
    const-string v1, "M2011K2C"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->MODEL:Ljava/lang/String;
    const-string v0, "MANUFACTURER"
    const-string v1, "Xiaomi"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->MANUFACTURER:Ljava/lang/String;
    const-string v0, "BRAND"
    const-string v1, "Xiaomi"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->BRAND:Ljava/lang/String;
    const-string v0, "DEVICE"
    const-string v1, "venus"
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    sput-object v0, Landroid/os/Build;->DEVICE:Ljava/lang/String;
    return-void
.end method


.class public Landroid/os/Build$VERSION;
.super Ljava/lang/Object;
.field public static final SDK_INT:I
.field public static final RELEASE:Ljava/lang/String; = "13"
.method static constructor <clinit>()V
    .locals 2
    const-string v0, "SDK_INT"
    const-string v1, "33"
    invoke-static {v0, v1}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    sput v0, Landroid/os/Build$VERSION;->SDK_INT:I
    return-void
.end method


# System calls; `prctl` says that this one is refused.
.class public final Landroid/system/Os;
.super Ljava/lang/Object;
.method public static prctl(IJJJJ)I
    .locals 2
    const-string v0, "prctl"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :refused
    invoke-static {p0, p1, p2}, Lhostruntime/Files;->control(IJ)I
    move-result v0
    if-ltz v0, :refused
    return v0
    :refused
    new-instance v0, Landroid/system/ErrnoException;
    const-string v1, "prctl"
    invoke-direct {v0, v1}, Landroid/system/ErrnoException;-><init>(Ljava/lang/String;)V
    throw v0
.end method
.method public static readlink(Ljava/lang/String;)Ljava/lang/String;
    .locals 1
    invoke-static {p0}, Lhostruntime/Files;->link(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :read
    new-instance v0, Landroid/system/ErrnoException;
    invoke-direct {v0, p0}, Landroid/system/ErrnoException;-><init>(Ljava/lang/String;)V
    throw v0
    :read
    return-object v0
.end method
.method public static stat(Ljava/lang/String;)Landroid/system/StructStat;
    .locals 4
    invoke-static {p0}, Lhostruntime/Files;->node(Ljava/lang/String;)J
    move-result-wide v0
    const-wide/16 v2, 0x0
    cmp-long v2, v0, v2
    if-gez v2, :there
    new-instance v2, Landroid/system/ErrnoException;
    invoke-direct {v2, p0}, Landroid/system/ErrnoException;-><init>(Ljava/lang/String;)V
    throw v2
    :there
    new-instance v2, Landroid/system/StructStat;
    invoke-direct {v2, v0, v1}, Landroid/system/StructStat;-><init>(J)V
    return-object v2
.end method


.class public final Landroid/system/StructStat;
.super Ljava/lang/Object;
.field public final st_ino:J
.method public constructor <init>(J)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-wide p1, p0, Landroid/system/StructStat;->st_ino:J
    return-void
.end method


.class public final Landroid/system/ErrnoException;
.super Ljava/lang/Exception;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0, p1}, Ljava/lang/Exception;-><init>(Ljava/lang/String;)V
    return-void
.end method


.class public final Landroid/os/Debug;
.super Ljava/lang/Object;
.method public static isDebuggerConnected()Z
    .locals 2
    const-string v0, "debugger"
    const-string v1, "0"
    invoke-static {v0, v1}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method


.class public Landroid/os/Process;
.super Ljava/lang/Object;
.method public static myPid()I
    .locals 2
    const-string v0, "pid"
    const-string v1, "4096"
    invoke-static {v0, v1}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method
.method public static myUid()I
    .locals 2
    const-string v0, "uid"
    const-string v1, "10123"
    invoke-static {v0, v1}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v0
    return v0
.end method
# SIGKILL.
.method public static killProcess(I)V
    .locals 1
    const/16 v0, 0x89
    invoke-static {v0}, Ljava/lang/System;->exit(I)V
    return-void
.end method


.class public final Landroid/os/Looper;
.super Ljava/lang/Object;
.field static final main:Landroid/os/Looper;
.field final thread:Ljava/lang/Thread;
.field final waiting:Ljava/util/ArrayList;
.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Landroid/os/Looper;
    invoke-direct {v0}, Landroid/os/Looper;-><init>()V
    sput-object v0, Landroid/os/Looper;->main:Landroid/os/Looper;
    return-void
.end method
.method private constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Landroid/os/Looper;->waiting:Ljava/util/ArrayList;
    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;
    move-result-object v0
    iput-object v0, p0, Landroid/os/Looper;->thread:Ljava/lang/Thread;
    return-void
.end method
.method public getThread()Ljava/lang/Thread;
    .locals 1
    iget-object v0, p0, Landroid/os/Looper;->thread:Ljava/lang/Thread;
    return-object v0
.end method
.method public static getMainLooper()Landroid/os/Looper;
    .locals 1
    sget-object v0, Landroid/os/Looper;->main:Landroid/os/Looper;
    return-object v0
.end method
.method public static myLooper()Landroid/os/Looper;
    .locals 3
    sget-object v0, Landroid/os/Looper;->main:Landroid/os/Looper;
    iget-object v1, v0, Landroid/os/Looper;->thread:Ljava/lang/Thread;
    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;
    move-result-object v2
    if-eq v1, v2, :main
    const/4 v0, 0x0
    :main
    return-object v0
.end method
# Runs what waits.
.method public static turn()V
    .locals 3
    sget-object v0, Landroid/os/Looper;->main:Landroid/os/Looper;
    iget-object v0, v0, Landroid/os/Looper;->waiting:Ljava/util/ArrayList;
    const/4 v1, 0x0
    :next
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v2
    if-ge v1, v2, :end
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v2
    check-cast v2, Ljava/lang/Runnable;
    invoke-interface {v2}, Ljava/lang/Runnable;->run()V
    add-int/lit8 v1, v1, 0x1
    goto :next
    :end
    return-void
.end method


.class public Landroid/os/Handler;
.super Ljava/lang/Object;
.field private final looper:Landroid/os/Looper;
.method public constructor <init>(Landroid/os/Looper;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Landroid/os/Handler;->looper:Landroid/os/Looper;
    return-void
.end method
.method public final post(Ljava/lang/Runnable;)Z
    .locals 1
    iget-object v0, p0, Landroid/os/Handler;->looper:Landroid/os/Looper;
    iget-object v0, v0, Landroid/os/Looper;->waiting:Ljava/util/ArrayList;
    invoke-virtual {v0, p1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    move-result v0
    return v0
.end method


.class public Landroid/widget/Toast;
.super Ljava/lang/Object;
.field private final text:Ljava/lang/CharSequence;
.method private constructor <init>(Ljava/lang/CharSequence;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Landroid/widget/Toast;->text:Ljava/lang/CharSequence;
    return-void
.end method
.method public static makeText(Landroid/content/Context;Ljava/lang/CharSequence;I)Landroid/widget/Toast;
    .locals 1
    new-instance v0, Landroid/widget/Toast;
    invoke-direct {v0, p1}, Landroid/widget/Toast;-><init>(Ljava/lang/CharSequence;)V
    return-object v0
.end method
.method public show()V
    .locals 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "toast:"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    iget-object v1, p0, Landroid/widget/Toast;->text:Ljava/lang/CharSequence;
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/Object;)V
    return-void
.end method


.class public Landroid/net/ConnectivityManager;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public getDefaultProxy()Landroid/net/ProxyInfo;
    .locals 2
    const-string v0, "networkProxy"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-nez v0, :set
    const/4 v1, 0x0
    return-object v1
    :set
    new-instance v1, Landroid/net/ProxyInfo;
    invoke-direct {v1, v0}, Landroid/net/ProxyInfo;-><init>(Ljava/lang/String;)V
    return-object v1
.end method


.class public Landroid/net/ProxyInfo;
.super Ljava/lang/Object;
.field private final host:Ljava/lang/String;
.method public constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Landroid/net/ProxyInfo;->host:Ljava/lang/String;
    return-void
.end method
.method public getHost()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Landroid/net/ProxyInfo;->host:Ljava/lang/String;
    return-object v0
.end method


# The start of a process, in the order of Android (framework.smali); the main thread then runs what waits for it.
.class public final Ldevice/Device;
.super Ljava/lang/Object;
.method public static main([Ljava/lang/String;)V
    .locals 5
    const/4 v0, 0x0
    :next
    array-length v1, p0
    if-ge v0, v1, :given
    aget-object v1, p0, v0
    const/16 v2, 0x3d
    invoke-virtual {v1, v2}, Ljava/lang/String;->indexOf(I)I
    move-result v2
    const/4 v3, 0x0
    invoke-virtual {v1, v3, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    add-int/lit8 v2, v2, 0x1
    invoke-virtual {v1, v2}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v2
    invoke-static {v3, v2}, Ljava/lang/System;->setProperty(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    add-int/lit8 v0, v0, 0x1
    goto :next
    :given
    const-string v0, "library"
    invoke-static {v0}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    if-eqz v0, :plain
    invoke-static {v0}, Ljava/lang/System;->load(Ljava/lang/String;)V
    :plain
    # Made on the main thread.
    invoke-static {}, Landroid/os/Looper;->getMainLooper()Landroid/os/Looper;
    new-instance v0, Landroid/app/ActivityThread;
    invoke-direct {v0}, Landroid/app/ActivityThread;-><init>()V
    invoke-virtual {v0}, Landroid/app/ActivityThread;->handleBindApplication()V
    const-string v1, "wait"
    const-string v2, "0"
    invoke-static {v1, v2}, Ldevice/Facts;->number(Ljava/lang/String;Ljava/lang/String;)I
    move-result v1
    int-to-long v2, v1
    invoke-static {v2, v3}, Ljava/lang/Thread;->sleep(J)V
    invoke-static {}, Landroid/os/Looper;->turn()V
    const-string v1, "activity"
    invoke-static {v1}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :shown
    invoke-virtual {v0, v1}, Landroid/app/ActivityThread;->performLaunchActivity(Ljava/lang/String;)V
    :shown
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "given"
    invoke-static {v1}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :wiped
    const-string v1, "arrays given:"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    invoke-static {}, Lhostruntime/Given;->count()I
    move-result v1
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V
    const-string v1, "not wiped:"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    invoke-static {}, Lhostruntime/Given;->left()I
    move-result v1
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(I)V
    :wiped
    const-string v1, "dumpable"
    invoke-static {v1}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    if-eqz v1, :forbidden
    # PR_GET_DUMPABLE
    const/4 v1, 0x3
    const-wide/16 v2, 0x0
    invoke-static {v1, v2, v3}, Lhostruntime/Files;->control(IJ)I
    move-result v1
    if-eqz v1, :forbidden
    const-string v1, "dumps are allowed"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    :forbidden
    # Names, each with a comma behind it, of what the app keeps.
    const-string v1, "says"
    const-string v2, ""
    invoke-static {v1, v2}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    :kept
    const/16 v2, 0x2c
    invoke-virtual {v1, v2}, Ljava/lang/String;->indexOf(I)I
    move-result v2
    if-ltz v2, :said
    const/4 v3, 0x0
    invoke-virtual {v1, v3, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    add-int/lit8 v2, v2, 0x1
    invoke-virtual {v1, v2}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v1
    const-string v2, "kept."
    invoke-virtual {v2, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    const-string v2, ""
    invoke-static {v3, v2}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v4
    const-string v2, "="
    invoke-virtual {v3, v2}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v3, v4}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v3
    invoke-virtual {v0, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    goto :kept
    :said
    const-string v1, "running"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method


# An application as Kotlin compiles one: final.
.class public final Lorg/maker/app/App;
.super Landroid/app/Application;
.field static instance:Lorg/maker/app/App;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Application;-><init>()V
    return-void
.end method
.method protected attachBaseContext(Landroid/content/Context;)V
    .locals 2
    sput-object p0, Lorg/maker/app/App;->instance:Lorg/maker/app/App;
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "attached"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    invoke-super {p0, p1}, Landroid/app/Application;->attachBaseContext(Landroid/content/Context;)V
    return-void
.end method
.method public onCreate()V
    .locals 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "created"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
# Says whether a context leads to this very application.
.method static say(Ljava/lang/String;Landroid/content/Context;)V
    .locals 3
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v0, p0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    sget-object v1, Lorg/maker/app/App;->instance:Lorg/maker/app/App;
    const-string v2, "  in another application"
    if-ne v1, p1, :said
    const-string v2, "  in its application"
    :said
    invoke-virtual {v0, v2}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method


.class public Lorg/maker/app/Store;
.super Landroid/content/ContentProvider;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/content/ContentProvider;-><init>()V
    return-void
.end method
.method public onCreate()Z
    .locals 2
    const-string v0, "provider"
    invoke-virtual {p0}, Landroid/content/ContentProvider;->getContext()Landroid/content/Context;
    move-result-object v1
    invoke-static {v0, v1}, Lorg/maker/app/App;->say(Ljava/lang/String;Landroid/content/Context;)V
    const-string v0, "provider, application context"
    invoke-virtual {v1}, Landroid/content/Context;->getApplicationContext()Landroid/content/Context;
    move-result-object v1
    invoke-static {v0, v1}, Lorg/maker/app/App;->say(Ljava/lang/String;Landroid/content/Context;)V
    const/4 v0, 0x1
    return v0
.end method


.class public Lorg/maker/app/Main;
.super Landroid/app/Activity;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Activity;-><init>()V
    return-void
.end method
.method protected onCreate()V
    .locals 2
    const-string v0, "activity"
    invoke-virtual {p0}, Landroid/app/Activity;->getApplication()Landroid/app/Application;
    move-result-object v1
    invoke-static {v0, v1}, Lorg/maker/app/App;->say(Ljava/lang/String;Landroid/content/Context;)V
    const-string v0, "activity, outer context"
    invoke-virtual {v1}, Landroid/app/Application;->getBaseContext()Landroid/content/Context;
    move-result-object v1
    check-cast v1, Landroid/app/ContextImpl;
    invoke-virtual {v1}, Landroid/app/ContextImpl;->getOuterContext()Landroid/content/Context;
    move-result-object v1
    invoke-static {v0, v1}, Lorg/maker/app/App;->say(Ljava/lang/String;Landroid/content/Context;)V
    return-void
.end method


# A factory of the app's own.
.class public Lorg/maker/app/Parts;
.super Landroid/app/AppComponentFactory;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/AppComponentFactory;-><init>()V
    return-void
.end method
.method public instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    .locals 2
    sget-object v0, Ljava/lang/System;->out:Ljava/io/PrintStream;
    const-string v1, "made by its own factory"
    invoke-virtual {v0, v1}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    invoke-super {p0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    move-result-object v0
    return-object v0
.end method
