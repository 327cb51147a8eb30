# What the accounts hold, as a text.
.class public final Lcn/example/pocketbank/StatementActivity;
.super Lcn/example/pocketbank/BankActivity;
.implements Ljava/lang/Runnable;

.field private lines:Ljava/util/List;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankActivity;-><init>()V
    return-void
.end method

.method protected onResume()V
    .locals 2
    invoke-super {p0}, Lcn/example/pocketbank/BankActivity;->onResume()V
    new-instance v0, Ljava/lang/Thread;
    const-string v1, "statement"
    invoke-direct {v0, p0, v1}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    invoke-virtual {v0}, Ljava/lang/Thread;->start()V
    return-void
.end method

.method public run()V
    .locals 3
    iget-object v0, p0, Lcn/example/pocketbank/StatementActivity;->lines:Ljava/util/List;
    if-eqz v0, :load
    const v1, 0x7f02000c
    invoke-virtual {p0, v1}, Lcn/example/pocketbank/StatementActivity;->column(I)Landroid/widget/LinearLayout;
    move-result-object v1
    const-string v2, "\n"
    invoke-static {v2, v0}, Landroid/text/TextUtils;->join(Ljava/lang/CharSequence;Ljava/lang/Iterable;)Ljava/lang/String;
    move-result-object v2
    invoke-virtual {p0, v1, v2}, Lcn/example/pocketbank/StatementActivity;->text(Landroid/widget/LinearLayout;Ljava/lang/CharSequence;)V
    return-void
    :load
    :try_start
    invoke-static {}, Lcn/example/pocketbank/AccountLoader;->load()Ljava/util/List;
    move-result-object v0
    iput-object v0, p0, Lcn/example/pocketbank/StatementActivity;->lines:Ljava/util/List;
    invoke-virtual {p0, p0}, Lcn/example/pocketbank/StatementActivity;->runOnUiThread(Ljava/lang/Runnable;)V
    :try_end
    .catch Ljava/lang/Exception; {:try_start .. :try_end} :failed
    return-void
    :failed
    move-exception v0
    invoke-virtual {p0}, Lcn/example/pocketbank/StatementActivity;->finish()V
    return-void
.end method
