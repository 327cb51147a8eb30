# The Application of a package whose code is encrypted, as Android before 10 makes it: the code becomes loadable, then the app's own Application
# takes its place. The order is that of ActivityThread.handleBindApplication of Android 5.0 to 9: the Application is made and attached, becomes the
# process's initial one, providers are installed, and onCreate is called.
.class public Lappwarden/shell/ShellApplication;
.super Landroid/app/Application;

# The app's own: from the time when its code is there until it takes this one's place, and until its onCreate begins.
.field private waiting:Landroid/app/Application;
.field private real:Landroid/app/Application;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Application;-><init>()V
    return-void
.end method

.method protected attachBaseContext(Landroid/content/Context;)V
    .locals 1
    invoke-super {p0, p1}, Landroid/app/Application;->attachBaseContext(Landroid/content/Context;)V
    invoke-static {p1}, Lappwarden/shell/Loader;->attach(Landroid/content/Context;)Ljava/lang/Class;
    move-result-object v0
    # Makes it and attaches it.
    invoke-static {v0, p1}, Landroid/app/Instrumentation;->newApplication(Ljava/lang/Class;Landroid/content/Context;)Landroid/app/Application;
    move-result-object v0
    iput-object v0, p0, Lappwarden/shell/ShellApplication;->waiting:Landroid/app/Application;
    iput-object v0, p0, Lappwarden/shell/ShellApplication;->real:Landroid/app/Application;
    return-void
.end method

# ActivityThread.installProvider asks for it first, on the main thread and before onCreate, to choose the context of the provider; with an empty name it
# takes the initial Application, which is the app's own then. All others get the name.
.method public getPackageName()Ljava/lang/String;
    .locals 2
    iget-object v0, p0, Lappwarden/shell/ShellApplication;->real:Landroid/app/Application;
    if-eqz v0, :name
    invoke-static {}, Landroid/os/Looper;->getMainLooper()Landroid/os/Looper;
    move-result-object v0
    invoke-virtual {v0}, Landroid/os/Looper;->getThread()Ljava/lang/Thread;
    move-result-object v0
    invoke-static {}, Ljava/lang/Thread;->currentThread()Ljava/lang/Thread;
    move-result-object v1
    if-eq v0, v1, :made
    :name
    invoke-super {p0}, Landroid/app/Application;->getPackageName()Ljava/lang/String;
    move-result-object v0
    return-object v0
    :made
    invoke-direct {p0}, Lappwarden/shell/ShellApplication;->giveWay()V
    const-string v0, ""
    return-object v0
.end method

.method public onCreate()V
    .locals 2
    invoke-direct {p0}, Lappwarden/shell/ShellApplication;->giveWay()V
    iget-object v0, p0, Lappwarden/shell/ShellApplication;->real:Landroid/app/Application;
    const/4 v1, 0x0
    iput-object v1, p0, Lappwarden/shell/ShellApplication;->real:Landroid/app/Application;
    invoke-virtual {v0}, Landroid/app/Application;->onCreate()V
    return-void
.end method

.method private giveWay()V
    .locals 2
    iget-object v0, p0, Lappwarden/shell/ShellApplication;->waiting:Landroid/app/Application;
    if-eqz v0, :gone
    const/4 v1, 0x0
    iput-object v1, p0, Lappwarden/shell/ShellApplication;->waiting:Landroid/app/Application;
    invoke-virtual {p0}, Landroid/app/Application;->getBaseContext()Landroid/content/Context;
    move-result-object v1
    invoke-static {v1, p0, v0}, Lappwarden/shell/Loader;->replace(Landroid/content/Context;Landroid/app/Application;Landroid/app/Application;)V
    :gone
    return-void
.end method
