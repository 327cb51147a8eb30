# Shows the user that something was found, on the main thread.
.class final Lappwarden/runtime/Notice;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

# The operator's words; empty where there are none.
.field private final text:Ljava/lang/String;

.method constructor <init>(Ljava/lang/String;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/runtime/Notice;->text:Ljava/lang/String;
    return-void
.end method

.method static isChinese()Z
    .locals 2
    invoke-static {}, Ljava/util/Locale;->getDefault()Ljava/util/Locale;
    move-result-object v0
    invoke-virtual {v0}, Ljava/util/Locale;->getLanguage()Ljava/lang/String;
    move-result-object v0
    const-string v1, "zh"
    invoke-virtual {v1, v0}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v0
    return v0
.end method

.method public run()V
    .locals 3
    :try
    iget-object v1, p0, Lappwarden/runtime/Notice;->text:Ljava/lang/String;
    invoke-virtual {v1}, Ljava/lang/String;->isEmpty()Z
    move-result v0
    if-eqz v0, :show
    invoke-static {}, Lappwarden/runtime/Notice;->isChinese()Z
    move-result v0
    const-string v1, "当前运行环境存在安全风险"
    if-nez v0, :show
    const-string v1, "A security risk was found on this device"
    :show
    sget-object v0, Lappwarden/runtime/Checks;->context:Landroid/content/Context;
    const/4 v2, 0x1
    invoke-static {v0, v1, v2}, Landroid/widget/Toast;->makeText(Landroid/content/Context;Ljava/lang/CharSequence;I)Landroid/widget/Toast;
    move-result-object v0
    invoke-virtual {v0}, Landroid/widget/Toast;->show()V
    :try_end
    .catchall {:try .. :try_end} :failed
    return-void
    :failed
    move-exception v0
    return-void
.end method
