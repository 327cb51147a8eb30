# Begins every process of the app: no session is open yet.
.class public Lcn/example/pocketbank/BankApplication;
.super Landroid/app/Application;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Application;-><init>()V
    return-void
.end method

.method public onCreate()V
    .locals 0
    invoke-super {p0}, Landroid/app/Application;->onCreate()V
    invoke-static {}, Lcn/example/pocketbank/Session;->close()V
    return-void
.end method
