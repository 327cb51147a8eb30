# The start of a process in the order of Android: ActivityThread.handleBindApplication, LoadedApk and installProvider of Android 5.0 to 15, with the
# names of members that loaders of code know. An application is loaded from the file `code` by a loader of its own. Facts (device.smali): `application`,
# `factory`, `providers` (names with commas), `activity`, `SDK_INT`; with `names` the first Application is asked for its package name by another thread
# when it is the initial one, and by the main thread after onCreate. Left out is what no test needs: resources, instrumentation of tests, restricted modes.

.class public Landroid/content/ContextWrapper;
.super Landroid/content/Context;
.field mBase:Landroid/content/Context;
.method public constructor <init>(Landroid/content/Context;)V
    .locals 0
    invoke-direct {p0}, Landroid/content/Context;-><init>()V
    iput-object p1, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    return-void
.end method
.method protected attachBaseContext(Landroid/content/Context;)V
    .locals 2
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    if-eqz v0, :first
    new-instance v0, Ljava/lang/IllegalStateException;
    const-string v1, "Base context already set"
    invoke-direct {v0, v1}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v0
    :first
    iput-object p1, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    return-void
.end method
.method public getBaseContext()Landroid/content/Context;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    return-object v0
.end method
.method public getPackageName()Ljava/lang/String;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method public getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    move-result-object v0
    return-object v0
.end method
.method public getPackageManager()Landroid/content/pm/PackageManager;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getPackageManager()Landroid/content/pm/PackageManager;
    move-result-object v0
    return-object v0
.end method
.method public getApplicationContext()Landroid/content/Context;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getApplicationContext()Landroid/content/Context;
    move-result-object v0
    return-object v0
.end method
.method public getClassLoader()Ljava/lang/ClassLoader;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    return-object v0
.end method
.method public getCodeCacheDir()Ljava/io/File;
    .locals 1
    iget-object v0, p0, Landroid/content/ContextWrapper;->mBase:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getCodeCacheDir()Ljava/io/File;
    move-result-object v0
    return-object v0
.end method


.class public Landroid/app/Application;
.super Landroid/content/ContextWrapper;
.method public constructor <init>()V
    .locals 1
    const/4 v0, 0x0
    invoke-direct {p0, v0}, Landroid/content/ContextWrapper;-><init>(Landroid/content/Context;)V
    return-void
.end method
.method final attach(Landroid/content/Context;)V
    .locals 0
    invoke-virtual {p0, p1}, Landroid/app/Application;->attachBaseContext(Landroid/content/Context;)V
    return-void
.end method
.method public onCreate()V
    .locals 0
    return-void
.end method


.class public Landroid/app/ContextImpl;
.super Landroid/content/Context;
.field final mMainThread:Landroid/app/ActivityThread;
.field final mPackageInfo:Landroid/app/LoadedApk;
.field private mOuterContext:Landroid/content/Context;
.method constructor <init>(Landroid/app/ActivityThread;Landroid/app/LoadedApk;)V
    .locals 0
    invoke-direct {p0}, Landroid/content/Context;-><init>()V
    iput-object p1, p0, Landroid/app/ContextImpl;->mMainThread:Landroid/app/ActivityThread;
    iput-object p2, p0, Landroid/app/ContextImpl;->mPackageInfo:Landroid/app/LoadedApk;
    iput-object p0, p0, Landroid/app/ContextImpl;->mOuterContext:Landroid/content/Context;
    return-void
.end method
.method final setOuterContext(Landroid/content/Context;)V
    .locals 0
    iput-object p1, p0, Landroid/app/ContextImpl;->mOuterContext:Landroid/content/Context;
    return-void
.end method
.method public final getOuterContext()Landroid/content/Context;
    .locals 1
    iget-object v0, p0, Landroid/app/ContextImpl;->mOuterContext:Landroid/content/Context;
    return-object v0
.end method
.method public getApplicationContext()Landroid/content/Context;
    .locals 1
    iget-object v0, p0, Landroid/app/ContextImpl;->mPackageInfo:Landroid/app/LoadedApk;
    iget-object v0, v0, Landroid/app/LoadedApk;->mApplication:Landroid/app/Application;
    return-object v0
.end method
.method public getApplicationInfo()Landroid/content/pm/ApplicationInfo;
    .locals 1
    iget-object v0, p0, Landroid/app/ContextImpl;->mPackageInfo:Landroid/app/LoadedApk;
    iget-object v0, v0, Landroid/app/LoadedApk;->mApplicationInfo:Landroid/content/pm/ApplicationInfo;
    return-object v0
.end method
.method public getClassLoader()Ljava/lang/ClassLoader;
    .locals 1
    iget-object v0, p0, Landroid/app/ContextImpl;->mPackageInfo:Landroid/app/LoadedApk;
    invoke-virtual {v0}, Landroid/app/LoadedApk;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    return-object v0
.end method


.class public Landroid/content/Intent;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


.class public abstract Landroid/content/BroadcastReceiver;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


.class public abstract Landroid/app/Service;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method


.class public abstract Landroid/content/ContentProvider;
.super Ljava/lang/Object;
.field private mContext:Landroid/content/Context;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public abstract onCreate()Z
.end method
.method public final getContext()Landroid/content/Context;
    .locals 1
    iget-object v0, p0, Landroid/content/ContentProvider;->mContext:Landroid/content/Context;
    return-object v0
.end method
.method public attachInfo(Landroid/content/Context;)V
    .locals 0
    iput-object p1, p0, Landroid/content/ContentProvider;->mContext:Landroid/content/Context;
    invoke-virtual {p0}, Landroid/content/ContentProvider;->onCreate()Z
    return-void
.end method


.class public Landroid/app/Activity;
.super Landroid/content/ContextWrapper;
.field private mApplication:Landroid/app/Application;
.method public constructor <init>()V
    .locals 1
    const/4 v0, 0x0
    invoke-direct {p0, v0}, Landroid/content/ContextWrapper;-><init>(Landroid/content/Context;)V
    return-void
.end method
.method final attach(Landroid/app/Application;)V
    .locals 1
    iput-object p1, p0, Landroid/app/Activity;->mApplication:Landroid/app/Application;
    invoke-virtual {p1}, Landroid/app/Application;->getBaseContext()Landroid/content/Context;
    move-result-object v0
    invoke-virtual {p0, v0}, Landroid/app/Activity;->attachBaseContext(Landroid/content/Context;)V
    return-void
.end method
.method public getLocalClassName()Ljava/lang/String;
    .locals 3
    invoke-virtual {p0}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->getName()Ljava/lang/String;
    move-result-object v0
    const/16 v1, 0x2e
    invoke-virtual {v0, v1}, Ljava/lang/String;->lastIndexOf(I)I
    move-result v1
    add-int/lit8 v1, v1, 0x1
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
.method public getPreferences(I)Landroid/content/SharedPreferences;
    .locals 1
    invoke-virtual {p0}, Landroid/app/Activity;->getLocalClassName()Ljava/lang/String;
    move-result-object v0
    invoke-virtual {p0, v0, p1}, Landroid/app/Activity;->getSharedPreferences(Ljava/lang/String;I)Landroid/content/SharedPreferences;
    move-result-object v0
    return-object v0
.end method
.method public final getApplication()Landroid/app/Application;
    .locals 1
    iget-object v0, p0, Landroid/app/Activity;->mApplication:Landroid/app/Application;
    return-object v0
.end method
.method protected onCreate()V
    .locals 0
    return-void
.end method


# From Android 9 on; class loaders from Android 10 on.
.class public Landroid/app/AppComponentFactory;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public instantiateClassLoader(Ljava/lang/ClassLoader;Landroid/content/pm/ApplicationInfo;)Ljava/lang/ClassLoader;
    .locals 0
    return-object p1
.end method
.method public instantiateApplication(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/app/Application;
    .locals 1
    invoke-virtual {p1, p2}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/app/Application;
    return-object v0
.end method
.method public instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    .locals 1
    invoke-virtual {p1, p2}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/app/Activity;
    return-object v0
.end method
.method public instantiateService(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Service;
    .locals 1
    invoke-virtual {p1, p2}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/app/Service;
    return-object v0
.end method
.method public instantiateReceiver(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/content/BroadcastReceiver;
    .locals 1
    invoke-virtual {p1, p2}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/content/BroadcastReceiver;
    return-object v0
.end method
.method public instantiateProvider(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/content/ContentProvider;
    .locals 1
    invoke-virtual {p1, p2}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/content/ContentProvider;
    return-object v0
.end method


.class public Landroid/app/Instrumentation;
.super Ljava/lang/Object;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    return-void
.end method
.method public static newApplication(Ljava/lang/Class;Landroid/content/Context;)Landroid/app/Application;
    .locals 1
    invoke-virtual {p0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/app/Application;
    invoke-virtual {v0, p1}, Landroid/app/Application;->attach(Landroid/content/Context;)V
    return-object v0
.end method
.method public callApplicationOnCreate(Landroid/app/Application;)V
    .locals 0
    invoke-virtual {p1}, Landroid/app/Application;->onCreate()V
    return-void
.end method


.class public final Landroid/app/LoadedApk;
.super Ljava/lang/Object;
.field private final mActivityThread:Landroid/app/ActivityThread;
.field mApplication:Landroid/app/Application;
.field mApplicationInfo:Landroid/content/pm/ApplicationInfo;
.field mAppComponentFactory:Landroid/app/AppComponentFactory;
.field private mClassLoader:Ljava/lang/ClassLoader;
.method constructor <init>(Landroid/app/ActivityThread;)V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Landroid/app/LoadedApk;->mActivityThread:Landroid/app/ActivityThread;
    new-instance v0, Landroid/content/pm/ApplicationInfo;
    invoke-direct {v0}, Landroid/content/pm/ApplicationInfo;-><init>()V
    iput-object v0, p0, Landroid/app/LoadedApk;->mApplicationInfo:Landroid/content/pm/ApplicationInfo;
    new-instance v0, Landroid/app/AppComponentFactory;
    invoke-direct {v0}, Landroid/app/AppComponentFactory;-><init>()V
    iput-object v0, p0, Landroid/app/LoadedApk;->mAppComponentFactory:Landroid/app/AppComponentFactory;
    return-void
.end method
.method public getClassLoader()Ljava/lang/ClassLoader;
    .locals 4
    iget-object v0, p0, Landroid/app/LoadedApk;->mClassLoader:Ljava/lang/ClassLoader;
    if-nez v0, :made
    new-instance v0, Ldalvik/system/PathClassLoader;
    const-string v1, "code"
    invoke-static {v1}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    invoke-static {}, Ljava/lang/ClassLoader;->getSystemClassLoader()Ljava/lang/ClassLoader;
    move-result-object v2
    invoke-direct {v0, v1, v2}, Ldalvik/system/PathClassLoader;-><init>(Ljava/lang/String;Ljava/lang/ClassLoader;)V
    iput-object v0, p0, Landroid/app/LoadedApk;->mClassLoader:Ljava/lang/ClassLoader;
    sget v1, Landroid/os/Build$VERSION;->SDK_INT:I
    const/16 v2, 0x1c
    if-lt v1, v2, :made
    const-string v2, "factory"
    invoke-static {v2}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    if-eqz v2, :usual
    invoke-virtual {v0, v2}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v2
    check-cast v2, Landroid/app/AppComponentFactory;
    iput-object v2, p0, Landroid/app/LoadedApk;->mAppComponentFactory:Landroid/app/AppComponentFactory;
    :usual
    const/16 v2, 0x1d
    if-lt v1, v2, :made
    # A copy.
    new-instance v1, Landroid/content/pm/ApplicationInfo;
    invoke-direct {v1}, Landroid/content/pm/ApplicationInfo;-><init>()V
    iget-object v2, p0, Landroid/app/LoadedApk;->mAppComponentFactory:Landroid/app/AppComponentFactory;
    invoke-virtual {v2, v0, v1}, Landroid/app/AppComponentFactory;->instantiateClassLoader(Ljava/lang/ClassLoader;Landroid/content/pm/ApplicationInfo;)Ljava/lang/ClassLoader;
    move-result-object v0
    iput-object v0, p0, Landroid/app/LoadedApk;->mClassLoader:Ljava/lang/ClassLoader;
    :made
    return-object v0
.end method
.method public makeApplication()Landroid/app/Application;
    .locals 5
    iget-object v0, p0, Landroid/app/LoadedApk;->mApplication:Landroid/app/Application;
    if-nez v0, :made
    invoke-virtual {p0}, Landroid/app/LoadedApk;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v0
    iget-object v1, p0, Landroid/app/LoadedApk;->mApplicationInfo:Landroid/content/pm/ApplicationInfo;
    iget-object v1, v1, Landroid/content/pm/ApplicationInfo;->className:Ljava/lang/String;
    iget-object v2, p0, Landroid/app/LoadedApk;->mActivityThread:Landroid/app/ActivityThread;
    new-instance v3, Landroid/app/ContextImpl;
    invoke-direct {v3, v2, p0}, Landroid/app/ContextImpl;-><init>(Landroid/app/ActivityThread;Landroid/app/LoadedApk;)V
    # Before Android 9 the factory is the usual one.
    iget-object v4, p0, Landroid/app/LoadedApk;->mAppComponentFactory:Landroid/app/AppComponentFactory;
    invoke-virtual {v4, v0, v1}, Landroid/app/AppComponentFactory;->instantiateApplication(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/app/Application;
    move-result-object v0
    invoke-virtual {v0, v3}, Landroid/app/Application;->attach(Landroid/content/Context;)V
    invoke-virtual {v3, v0}, Landroid/app/ContextImpl;->setOuterContext(Landroid/content/Context;)V
    iget-object v1, v2, Landroid/app/ActivityThread;->mAllApplications:Ljava/util/ArrayList;
    invoke-virtual {v1, v0}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    iput-object v0, p0, Landroid/app/LoadedApk;->mApplication:Landroid/app/Application;
    :made
    return-object v0
.end method


.class public final Ldevice/NameQuestion;
.super Ljava/lang/Thread;
.field private final asked:Landroid/content/Context;
.method public constructor <init>(Landroid/content/Context;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Thread;-><init>()V
    iput-object p1, p0, Ldevice/NameQuestion;->asked:Landroid/content/Context;
    return-void
.end method
.method public run()V
    .locals 2
    iget-object v0, p0, Ldevice/NameQuestion;->asked:Landroid/content/Context;
    invoke-virtual {v0}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v0
    sget-object v1, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method


.class public final Landroid/app/ActivityThread;
.super Ljava/lang/Object;
.field private static sCurrentActivityThread:Landroid/app/ActivityThread;
.field mInitialApplication:Landroid/app/Application;
.field final mAllApplications:Ljava/util/ArrayList;
.field private final info:Landroid/app/LoadedApk;
.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    sput-object p0, Landroid/app/ActivityThread;->sCurrentActivityThread:Landroid/app/ActivityThread;
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Landroid/app/ActivityThread;->mAllApplications:Ljava/util/ArrayList;
    new-instance v0, Landroid/app/LoadedApk;
    invoke-direct {v0, p0}, Landroid/app/LoadedApk;-><init>(Landroid/app/ActivityThread;)V
    iput-object v0, p0, Landroid/app/ActivityThread;->info:Landroid/app/LoadedApk;
    return-void
.end method
.method public static currentActivityThread()Landroid/app/ActivityThread;
    .locals 1
    sget-object v0, Landroid/app/ActivityThread;->sCurrentActivityThread:Landroid/app/ActivityThread;
    return-object v0
.end method
.method public getSystemContext()Landroid/app/ContextImpl;
    .locals 2
    new-instance v0, Landroid/app/ContextImpl;
    const/4 v1, 0x0
    invoke-direct {v0, p0, v1}, Landroid/app/ContextImpl;-><init>(Landroid/app/ActivityThread;Landroid/app/LoadedApk;)V
    return-object v0
.end method
.method public handleBindApplication()V
    .locals 4
    iget-object v0, p0, Landroid/app/ActivityThread;->info:Landroid/app/LoadedApk;
    invoke-virtual {v0}, Landroid/app/LoadedApk;->makeApplication()Landroid/app/Application;
    move-result-object v0
    iput-object v0, p0, Landroid/app/ActivityThread;->mInitialApplication:Landroid/app/Application;
    const-string v1, "names"
    invoke-static {v1}, Ljava/lang/System;->getProperty(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    new-instance v1, Ldevice/NameQuestion;
    invoke-direct {v1, v0}, Ldevice/NameQuestion;-><init>(Landroid/content/Context;)V
    if-eqz v2, :providers
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    invoke-virtual {v1}, Ljava/lang/Thread;->join()V
    :providers
    invoke-direct {p0, v0}, Landroid/app/ActivityThread;->installContentProviders(Landroid/content/Context;)V
    new-instance v3, Landroid/app/Instrumentation;
    invoke-direct {v3}, Landroid/app/Instrumentation;-><init>()V
    invoke-virtual {v3, v0}, Landroid/app/Instrumentation;->callApplicationOnCreate(Landroid/app/Application;)V
    if-eqz v2, :bound
    invoke-virtual {v1}, Ldevice/NameQuestion;->run()V
    :bound
    return-void
.end method
.method private installContentProviders(Landroid/content/Context;)V
    .locals 4
    const-string v0, "providers"
    const-string v1, ""
    invoke-static {v0, v1}, Ldevice/Facts;->text(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    const/4 v1, 0x0
    :next
    const/16 v2, 0x2c
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    if-ltz v2, :end
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    invoke-direct {p0, p1, v3}, Landroid/app/ActivityThread;->installProvider(Landroid/content/Context;Ljava/lang/String;)V
    add-int/lit8 v1, v2, 0x1
    goto :next
    :end
    return-void
.end method
.method private installProvider(Landroid/content/Context;Ljava/lang/String;)V
    .locals 4
    iget-object v0, p0, Landroid/app/ActivityThread;->info:Landroid/app/LoadedApk;
    iget-object v1, v0, Landroid/app/LoadedApk;->mApplicationInfo:Landroid/content/pm/ApplicationInfo;
    iget-object v1, v1, Landroid/content/pm/ApplicationInfo;->packageName:Ljava/lang/String;
    invoke-virtual {p1}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v2}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v2
    if-nez v2, :chosen
    iget-object p1, p0, Landroid/app/ActivityThread;->mInitialApplication:Landroid/app/Application;
    invoke-virtual {p1}, Landroid/content/Context;->getPackageName()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v1, v2}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v2
    if-nez v2, :chosen
    new-instance v2, Ljava/lang/IllegalStateException;
    const-string v3, "no context for the provider"
    invoke-direct {v2, v3}, Ljava/lang/IllegalStateException;-><init>(Ljava/lang/String;)V
    throw v2
    :chosen
    invoke-virtual {p1}, Landroid/content/Context;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v2
    iget-object v0, v0, Landroid/app/LoadedApk;->mAppComponentFactory:Landroid/app/AppComponentFactory;
    invoke-virtual {v0, v2, p2}, Landroid/app/AppComponentFactory;->instantiateProvider(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/content/ContentProvider;
    move-result-object v0
    invoke-virtual {v0, p1}, Landroid/content/ContentProvider;->attachInfo(Landroid/content/Context;)V
    return-void
.end method
.method public performLaunchActivity(Ljava/lang/String;)V
    .locals 4
    iget-object v0, p0, Landroid/app/ActivityThread;->info:Landroid/app/LoadedApk;
    invoke-virtual {v0}, Landroid/app/LoadedApk;->getClassLoader()Ljava/lang/ClassLoader;
    move-result-object v1
    iget-object v2, v0, Landroid/app/LoadedApk;->mAppComponentFactory:Landroid/app/AppComponentFactory;
    new-instance v3, Landroid/content/Intent;
    invoke-direct {v3}, Landroid/content/Intent;-><init>()V
    invoke-virtual {v2, v1, p1, v3}, Landroid/app/AppComponentFactory;->instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    move-result-object v1
    invoke-virtual {v0}, Landroid/app/LoadedApk;->makeApplication()Landroid/app/Application;
    move-result-object v0
    invoke-virtual {v1, v0}, Landroid/app/Activity;->attach(Landroid/app/Application;)V
    invoke-virtual {v1}, Landroid/app/Activity;->onCreate()V
    return-void
.end method
