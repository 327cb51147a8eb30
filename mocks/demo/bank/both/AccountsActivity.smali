.class public final Lcn/example/pocketbank/AccountsActivity;
.super Lcn/example/pocketbank/BankActivity;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankActivity;-><init>()V
    return-void
.end method

.method protected onResume()V
    .locals 3
    invoke-super {p0}, Lcn/example/pocketbank/BankActivity;->onResume()V
    invoke-static {}, Lcn/example/pocketbank/Session;->isOpen()Z
    move-result v0
    if-nez v0, :open
    invoke-virtual {p0}, Lcn/example/pocketbank/AccountsActivity;->finish()V
    return-void
    :open
    new-instance v0, Lcn/example/pocketbank/AccountLoader;
    invoke-direct {v0, p0}, Lcn/example/pocketbank/AccountLoader;-><init>(Lcn/example/pocketbank/AccountsActivity;)V
    new-instance v1, Ljava/lang/Thread;
    const-string v2, "accounts"
    invoke-direct {v1, v0, v2}, Ljava/lang/Thread;-><init>(Ljava/lang/Runnable;Ljava/lang/String;)V
    invoke-virtual {v1}, Ljava/lang/Thread;->start()V
    return-void
.end method

.method public show(Ljava/util/List;)V
    .locals 5
    const v0, 0x7f020004
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/AccountsActivity;->column(I)Landroid/widget/LinearLayout;
    move-result-object v0
    invoke-interface {p1}, Ljava/util/List;->iterator()Ljava/util/Iterator;
    move-result-object v1
    :next
    invoke-interface {v1}, Ljava/util/Iterator;->hasNext()Z
    move-result v2
    if-eqz v2, :buttons
    invoke-interface {v1}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v2
    invoke-virtual {v2}, Ljava/lang/Object;->toString()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {p0, v0, v2}, Lcn/example/pocketbank/AccountsActivity;->text(Landroid/widget/LinearLayout;Ljava/lang/CharSequence;)V
    goto :next
    :buttons
    const-string v3, ""
    const-class v2, Lcn/example/pocketbank/TransferActivity;
    new-instance v4, Lcn/example/pocketbank/OpenScreen;
    invoke-direct {v4, p0, v2, v3}, Lcn/example/pocketbank/OpenScreen;-><init>(Landroid/app/Activity;Ljava/lang/Class;Ljava/lang/String;)V
    const v1, 0x7f020005
    invoke-virtual {p0, v0, v1, v4}, Lcn/example/pocketbank/AccountsActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    const-class v2, Lcn/example/pocketbank/StatementActivity;
    new-instance v4, Lcn/example/pocketbank/OpenScreen;
    invoke-direct {v4, p0, v2, v3}, Lcn/example/pocketbank/OpenScreen;-><init>(Landroid/app/Activity;Ljava/lang/Class;Ljava/lang/String;)V
    const v1, 0x7f02000c
    invoke-virtual {p0, v0, v1, v4}, Lcn/example/pocketbank/AccountsActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    const-class v2, Lcn/example/pocketbank/SettingsActivity;
    new-instance v4, Lcn/example/pocketbank/OpenScreen;
    invoke-direct {v4, p0, v2, v3}, Lcn/example/pocketbank/OpenScreen;-><init>(Landroid/app/Activity;Ljava/lang/Class;Ljava/lang/String;)V
    const v1, 0x7f020009
    invoke-virtual {p0, v0, v1, v4}, Lcn/example/pocketbank/AccountsActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    return-void
.end method
