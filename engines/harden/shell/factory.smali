# Chooses the class loader of the package on Android 10 and later, before any of its classes is needed, and makes components with the app's own factory
# where it has one. Android 9 knows the class, and asks it for components only.
.class public Lappwarden/shell/Factory;
.super Landroid/app/AppComponentFactory;

.field private own:Landroid/app/AppComponentFactory;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/AppComponentFactory;-><init>()V
    return-void
.end method

.method public instantiateClassLoader(Ljava/lang/ClassLoader;Landroid/content/pm/ApplicationInfo;)Ljava/lang/ClassLoader;
    .locals 1
    invoke-static {p1, p2}, Lappwarden/shell/Loader;->open(Ljava/lang/ClassLoader;Landroid/content/pm/ApplicationInfo;)Ljava/lang/ClassLoader;
    move-result-object p1
    invoke-direct {p0}, Lappwarden/shell/Factory;->own()Landroid/app/AppComponentFactory;
    move-result-object v0
    if-eqz v0, :plain
    invoke-virtual {v0, p1, p2}, Landroid/app/AppComponentFactory;->instantiateClassLoader(Ljava/lang/ClassLoader;Landroid/content/pm/ApplicationInfo;)Ljava/lang/ClassLoader;
    move-result-object p1
    :plain
    return-object p1
.end method

# The app's own factory; null where it has none, and before its code is there.
.method private own()Landroid/app/AppComponentFactory;
    .locals 2
    iget-object v0, p0, Lappwarden/shell/Factory;->own:Landroid/app/AppComponentFactory;
    if-nez v0, :made
    sget-object v1, Lappwarden/shell/Loader;->loader:Ljava/lang/ClassLoader;
    if-eqz v1, :made
    sget-object v0, Lappwarden/shell/Loader;->factory:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    if-nez v0, :none
    sget-object v0, Lappwarden/shell/Loader;->factory:Ljava/lang/String;
    invoke-virtual {v1, v0}, Ljava/lang/ClassLoader;->loadClass(Ljava/lang/String;)Ljava/lang/Class;
    move-result-object v0
    invoke-virtual {v0}, Ljava/lang/Class;->newInstance()Ljava/lang/Object;
    move-result-object v0
    check-cast v0, Landroid/app/AppComponentFactory;
    iput-object v0, p0, Lappwarden/shell/Factory;->own:Landroid/app/AppComponentFactory;
    :made
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method

# Restricted modes ask for android.app.Application by its name, which stays.
.method public instantiateApplication(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/app/Application;
    .locals 1
    sget-object v0, Lappwarden/shell/Loader;->loader:Ljava/lang/ClassLoader;
    if-eqz v0, :named
    sget-object v0, Lappwarden/shell/Loader;->stub:Ljava/lang/String;
    invoke-virtual {v0, p2}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :named
    sget-object p2, Lappwarden/shell/Loader;->application:Ljava/lang/String;
    :named
    invoke-direct {p0}, Lappwarden/shell/Factory;->own()Landroid/app/AppComponentFactory;
    move-result-object v0
    if-eqz v0, :plain
    invoke-virtual {v0, p1, p2}, Landroid/app/AppComponentFactory;->instantiateApplication(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/app/Application;
    move-result-object v0
    return-object v0
    :plain
    invoke-super {p0, p1, p2}, Landroid/app/AppComponentFactory;->instantiateApplication(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/app/Application;
    move-result-object v0
    return-object v0
.end method

.method public instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    .locals 1
    invoke-direct {p0}, Lappwarden/shell/Factory;->own()Landroid/app/AppComponentFactory;
    move-result-object v0
    if-eqz v0, :plain
    invoke-virtual {v0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    move-result-object v0
    return-object v0
    :plain
    invoke-super {p0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateActivity(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Activity;
    move-result-object v0
    return-object v0
.end method

.method public instantiateService(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Service;
    .locals 1
    invoke-direct {p0}, Lappwarden/shell/Factory;->own()Landroid/app/AppComponentFactory;
    move-result-object v0
    if-eqz v0, :plain
    invoke-virtual {v0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateService(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Service;
    move-result-object v0
    return-object v0
    :plain
    invoke-super {p0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateService(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/app/Service;
    move-result-object v0
    return-object v0
.end method

.method public instantiateReceiver(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/content/BroadcastReceiver;
    .locals 1
    invoke-direct {p0}, Lappwarden/shell/Factory;->own()Landroid/app/AppComponentFactory;
    move-result-object v0
    if-eqz v0, :plain
    invoke-virtual {v0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateReceiver(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/content/BroadcastReceiver;
    move-result-object v0
    return-object v0
    :plain
    invoke-super {p0, p1, p2, p3}, Landroid/app/AppComponentFactory;->instantiateReceiver(Ljava/lang/ClassLoader;Ljava/lang/String;Landroid/content/Intent;)Landroid/content/BroadcastReceiver;
    move-result-object v0
    return-object v0
.end method

.method public instantiateProvider(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/content/ContentProvider;
    .locals 1
    invoke-direct {p0}, Lappwarden/shell/Factory;->own()Landroid/app/AppComponentFactory;
    move-result-object v0
    if-eqz v0, :plain
    invoke-virtual {v0, p1, p2}, Landroid/app/AppComponentFactory;->instantiateProvider(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/content/ContentProvider;
    move-result-object v0
    return-object v0
    :plain
    invoke-super {p0, p1, p2}, Landroid/app/AppComponentFactory;->instantiateProvider(Ljava/lang/ClassLoader;Ljava/lang/String;)Landroid/content/ContentProvider;
    move-result-object v0
    return-object v0
.end method
