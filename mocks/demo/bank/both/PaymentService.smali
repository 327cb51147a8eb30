.class public final Lcn/example/pocketbank/PaymentService;
.super Landroid/app/Service;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Landroid/app/Service;-><init>()V
    return-void
.end method

.method public onBind(Landroid/content/Intent;)Landroid/os/IBinder;
    .locals 1
    const/4 v0, 0x0
    return-object v0
.end method

.method public onStartCommand(Landroid/content/Intent;II)I
    .locals 6
    const/4 v0, 0x2
    if-nez p1, :ordered
    return v0
    :ordered
    const-string v1, "payee"
    invoke-virtual {p1, v1}, Landroid/content/Intent;->getStringExtra(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v2, "cents"
    const-wide/16 v3, 0x0
    invoke-virtual {p1, v2, v3, v4}, Landroid/content/Intent;->getLongExtra(Ljava/lang/String;J)J
    move-result-wide v2
    new-instance v4, Lcn/example/pocketbank/PaymentJob;
    invoke-direct {v4, p0, v1, v2, v3}, Lcn/example/pocketbank/PaymentJob;-><init>(Lcn/example/pocketbank/PaymentService;Ljava/lang/String;J)V
    new-instance v5, Ljava/lang/Thread;
    const-string v1, "payment"
    invoke-direct {v5, v4, v1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    invoke-virtual {v5}, Ljava/lang/Thread;->start()V
    return v0
.end method
