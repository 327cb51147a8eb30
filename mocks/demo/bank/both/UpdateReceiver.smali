# A new version was installed: who was signed in signs in again.
.class public final Lcn/example/pocketbank/UpdateReceiver;
.super Landroid/content/BroadcastReceiver;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/content/BroadcastReceiver;-><init>()V
    return-void
.end method

.method public onReceive(Landroid/content/Context;Landroid/content/Intent;)V
    .locals 2
    const-string v0, "android.intent.action.MY_PACKAGE_REPLACED"
    invoke-virtual {p2}, Landroid/content/Intent;->getAction()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    if-eqz v0, :other
    invoke-static {}, Lcn/example/pocketbank/Session;->close()V
    invoke-static {p1}, Lcn/example/pocketbank/Vault;->clear(Landroid/content/Context;)V
    :other
    return-void
.end method
