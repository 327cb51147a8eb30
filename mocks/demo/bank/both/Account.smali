.class public final Lcn/example/pocketbank/Account;
.super Ljava/lang/Object;

.field public final name:Ljava/lang/String;
.field public final number:Ljava/lang/String;
.field public final cents:J

.method public constructor <init>(Ljava/lang/String;Ljava/lang/String;J)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lcn/example/pocketbank/Account;->name:Ljava/lang/String;
    iput-object p2, p0, Lcn/example/pocketbank/Account;->number:Ljava/lang/String;
    iput-wide p3, p0, Lcn/example/pocketbank/Account;->cents:J
    return-void
.end method

.method public static read(Lorg/json/JSONObject;)Lcn/example/pocketbank/Account;
    .locals 5
    .annotation system Ldalvik/annotation/Throws;
        value = {
            Lorg/json/JSONException;
        }
    .end annotation
    const-string v0, "name"
    invoke-virtual {p0, v0}, Lorg/json/JSONObject;->getString(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v1
    const-string v0, "number"
    invoke-virtual {p0, v0}, Lorg/json/JSONObject;->getString(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v2
    const-string v0, "cents"
    invoke-virtual {p0, v0}, Lorg/json/JSONObject;->getLong(Ljava/lang/String;)J
    move-result-wide v3
    new-instance v0, Lcn/example/pocketbank/Account;
    invoke-direct {v0, v1, v2, v3, v4}, Lcn/example/pocketbank/Account;-><init>(Ljava/lang/String;Ljava/lang/String;J)V
    return-object v0
.end method

# The last four digits: no screen shows a whole number.
.method public masked()Ljava/lang/String;
    .locals 4
    iget-object v0, p0, Lcn/example/pocketbank/Account;->number:Ljava/lang/String;
    invoke-virtual {v0}, Ljava/lang/String;->length()I
    move-result v1
    const/4 v2, 0x4
    if-gt v1, v2, :long_enough
    return-object v0
    :long_enough
    sub-int/2addr v1, v2
    invoke-virtual {v0, v1}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v0
    const-string v3, "**** "
    invoke-virtual {v3, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

.method public toString()Ljava/lang/String;
    .locals 3
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    iget-object v1, p0, Lcn/example/pocketbank/Account;->name:Ljava/lang/String;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    const-string v1, "  "
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {p0}, Lcn/example/pocketbank/Account;->masked()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    iget-wide v1, p0, Lcn/example/pocketbank/Account;->cents:J
    invoke-static {v1, v2}, Lcn/example/pocketbank/Money;->format(J)Ljava/lang/String;
    move-result-object v1
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method
