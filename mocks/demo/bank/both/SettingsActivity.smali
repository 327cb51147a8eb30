.class public final Lcn/example/pocketbank/SettingsActivity;
.super Lcn/example/pocketbank/BankActivity;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankActivity;-><init>()V
    return-void
.end method

.method protected onCreate(Landroid/os/Bundle;)V
    .locals 5
    invoke-super {p0, p1}, Lcn/example/pocketbank/BankActivity;->onCreate(Landroid/os/Bundle;)V
    const v0, 0x7f020009
    invoke-virtual {p0, v0}, Lcn/example/pocketbank/SettingsActivity;->column(I)Landroid/widget/LinearLayout;
    move-result-object v0
    invoke-static {}, Lcn/example/pocketbank/BuildConfig;->label()Ljava/lang/String;
    move-result-object v1
    invoke-virtual {p0, v0, v1}, Lcn/example/pocketbank/SettingsActivity;->text(Landroid/widget/LinearLayout;Ljava/lang/CharSequence;)V
    const-class v1, Lcn/example/pocketbank/HelpActivity;
    const-string v2, "help"
    new-instance v3, Lcn/example/pocketbank/OpenScreen;
    invoke-direct {v3, p0, v1, v2}, Lcn/example/pocketbank/OpenScreen;-><init>(Landroid/app/Activity;Ljava/lang/Class;Ljava/lang/String;)V
    const v4, 0x7f02000a
    invoke-virtual {p0, v0, v4, v3}, Lcn/example/pocketbank/SettingsActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    const-string v2, "privacy-policy"
    new-instance v3, Lcn/example/pocketbank/OpenScreen;
    invoke-direct {v3, p0, v1, v2}, Lcn/example/pocketbank/OpenScreen;-><init>(Landroid/app/Activity;Ljava/lang/Class;Ljava/lang/String;)V
    const v4, 0x7f02000b
    invoke-virtual {p0, v0, v4, v3}, Lcn/example/pocketbank/SettingsActivity;->button(Landroid/widget/LinearLayout;ILandroid/view/View$OnClickListener;)V
    return-void
.end method
