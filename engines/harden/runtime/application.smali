# The Application of a reinforced package. Its superclass becomes the package's own Application, so that the checks run in every process, before
# that class sees a context and before any provider, and the app still gets the class that it expects.
.class public Lappwarden/runtime/ReinforcedApplication;
.super Landroid/app/Application;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Application;-><init>()V
    return-void
.end method

.method public attachBaseContext(Landroid/content/Context;)V
    .locals 0
    invoke-static {p1}, Lappwarden/runtime/Checks;->start(Landroid/content/Context;)V
    invoke-super {p0, p1}, Landroid/app/Application;->attachBaseContext(Landroid/content/Context;)V
    return-void
.end method
