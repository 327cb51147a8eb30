# Sends one payment; its number makes a second try the same payment.
.class public final Lcn/example/pocketbank/PaymentJob;
.super Ljava/lang/Object;
.implements Ljava/lang/Runnable;

.field private final cents:J
.field private final payee:Ljava/lang/String;
.field private final service:Lcn/example/pocketbank/PaymentService;

.method public constructor <init>(Lcn/example/pocketbank/PaymentService;Ljava/lang/String;J)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lcn/example/pocketbank/PaymentJob;->service:Lcn/example/pocketbank/PaymentService;
    iput-object p2, p0, Lcn/example/pocketbank/PaymentJob;->payee:Ljava/lang/String;
    iput-wide p3, p0, Lcn/example/pocketbank/PaymentJob;->cents:J
    return-void
.end method

.method public run()V
    .locals 4
    :try_start
    new-instance v0, Lorg/json/JSONObject;
    invoke-direct {v0}, Lorg/json/JSONObject;-><init>()V
    const-string v1, "payee"
    iget-object v2, p0, Lcn/example/pocketbank/PaymentJob;->payee:Ljava/lang/String;
    invoke-virtual {v0, v1, v2}, Lorg/json/JSONObject;->put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;
    const-string v1, "cents"
    iget-wide v2, p0, Lcn/example/pocketbank/PaymentJob;->cents:J
    invoke-virtual {v0, v1, v2, v3}, Lorg/json/JSONObject;->put(Ljava/lang/String;J)Lorg/json/JSONObject;
    const-string v1, "order"
    invoke-static {}, Lcn/example/pocketbank/OrderNumber;->nonce()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v0, v1, v2}, Lorg/json/JSONObject;->put(Ljava/lang/String;Ljava/lang/Object;)Lorg/json/JSONObject;
    const-string v1, "payments"
    invoke-virtual {v0}, Lorg/json/JSONObject;->toString()Ljava/lang/String;
    move-result-object v2
    invoke-static {v1, v2}, Lcn/example/pocketbank/ApiClient;->post(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;
    :try_end
    .catch Ljava/lang/Exception; {:try_start .. :try_end} :failed
    goto :done
    :failed
    move-exception v0
    const-string v1, "PocketBank"
    const-string v2, "payment not sent"
    invoke-static {v1, v2, v0}, Landroid/util/Log;->w(Ljava/lang/String;Ljava/lang/String;Ljava/lang/Throwable;)I
    :done
    iget-object v0, p0, Lcn/example/pocketbank/PaymentJob;->service:Lcn/example/pocketbank/PaymentService;
    invoke-virtual {v0}, Lcn/example/pocketbank/PaymentService;->stopSelf()V
    return-void
.end method
