.class public final Lcn/example/pocketbank/TransferActivity;
.super Lcn/example/pocketbank/BankActivity;
.implements Landroid/view/View$OnClickListener;

.field private amount:Landroid/widget/EditText;
.field private payee:Landroid/widget/EditText;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankActivity;-><init>()V
    return-void
.end method

.method protected onCreate(Landroid/os/Bundle;)V
    .locals 4
    invoke-super {p0, p1}, Lcn/example/pocketbank/BankActivity;->onCreate(Landroid/os/Bundle;)V
    const v0, 0x7f020005
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/TransferActivity;->column(I)Landroid/widget/LinearLayout;
    move-result-object v0
    const v1, 0x7f020006
    const v2, 0x80002
    invoke-virtual {p0, v0, v1, v2}, Lcn/example/pocketbank/TransferActivity;->field(Landroid/widget/LinearLayout;II)Landroid/widget/EditText;
    move-result-object v3
    iput-object v3, p0, Lcn/example/pocketbank/TransferActivity;->payee:Landroid/widget/EditText;
    const v1, 0x7f020007
    const/16 v2, 0x2002
    invoke-virtual {p0, v0, v1, v2}, Lcn/example/pocketbank/TransferActivity;->field(Landroid/widget/LinearLayout;II)Landroid/widget/EditText;
    move-result-object v3
    iput-object v3, p0, Lcn/example/pocketbank/TransferActivity;->amount:Landroid/widget/EditText;
    const v1, 0x7f020008
    invoke-virtual {p0, v0, v1, p0}, Lcn/example/pocketbank/TransferActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    return-void
.end method

.method public onClick(Landroid/view/View;)V
    .locals 7
    iget-object v0, p0, Lcn/example/pocketbank/TransferActivity;->payee:Landroid/widget/EditText;
    invoke-static {v0}, Lcn/example/pocketbank/TransferActivity;->typed(Landroid/widget/EditText;)Ljava/lang/String;
    move-result-object v0
    iget-object v1, p0, Lcn/example/pocketbank/TransferActivity;->amount:Landroid/widget/EditText;
    invoke-static {v1}, Lcn/example/pocketbank/TransferActivity;->typed(Landroid/widget/EditText;)Ljava/lang/String;
    move-result-object v1
    invoke-static {v1}, Lcn/example/pocketbank/Money;->parse(Ljava/lang/String;)J
    move-result-wide v1
    const-wide/16 v3, 0x0
    cmp-long v5, v1, v3
    if-lez v5, :wrong
    invoke-virtual {v0}, Ljava/lang/String;->length()I
    move-result v3
    const/16 v4, 0x10
    if-ge v3, v4, :send
    :wrong
    const v0, 0x7f02000f
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/TransferActivity;->say(I)V
    return-void
    :send
    new-instance v3, Landroid/content/Intent;
    const-class v4, Lcn/example/pocketbank/PaymentService;
    invoke-direct {v3, p0, v4}, Landroid/content/Intent;-><init>(Landroid/content/Context;Ljava/lang/Class;)V
    const-string v4, "payee"
    invoke-virtual {v3, v4, v0}, Landroid/content/Intent;->putExtra(Ljava/lang/String;Ljava/lang/String;)Landroid/content/Intent;
    const-string v4, "cents"
    invoke-virtual {v3, v4, v1, v2}, Landroid/content/Intent;->putExtra(Ljava/lang/String;J)Landroid/content/Intent;
    invoke-virtual {p0, v3}, Lcn/example/pocketbank/TransferActivity;->startService(Landroid/content/Intent;)Landroid/content/ComponentName;
    const v0, 0x7f02000e
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/TransferActivity;->say(I)V
    invoke-virtual {p0}, Lcn/example/pocketbank/TransferActivity;->finish()V
    return-void
.end method
