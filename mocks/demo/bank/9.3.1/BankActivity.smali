# Weakness: screens with account data may be captured.
.class public abstract Lcn/example/pocketbank/BankActivity;
.super Lcn/example/pocketbank/BankScreen;

.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Lcn/example/pocketbank/BankScreen;-><init>()V
    return-void
.end method
