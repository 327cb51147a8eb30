# No screen of the app is captured, and none takes a touch that goes through another window.
.class public abstract Lcn/example/pocketbank/BankActivity;
.super Lcn/example/pocketbank/BankScreen;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankScreen;-><init>()V
    return-void
.end method

.method protected onCreate(Landroid/os/Bundle;)V
    .locals 2
    invoke-super {p0, p1}, Lcn/example/pocketbank/BankScreen;->onCreate(Landroid/os/Bundle;)V
    invoke-virtual {p0}, Lcn/example/pocketbank/BankActivity;->getWindow()Landroid/view/Window;
    move-result-object v0
    const/16 v1, 0x2000
    invoke-virtual {v0, v1, v1}, Landroid/view/Window;->setFlags(II)V
    invoke-virtual {v0}, Landroid/view/Window;->getDecorView()Landroid/view/View;
    move-result-object v0
    const/4 v1, 0x1
    invoke-virtual {v0, v1}, Landroid/view/View;->setFilterTouchesWhenObscured(Z)V
    return-void
.end method
