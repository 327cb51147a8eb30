# Method handles, method types and call sites as constants, called directly.
.class public Lprograms/Handles;
.super Ljava/lang/Object;

.method public static join(Ljava/lang/String;I)Ljava/lang/String;
    .locals 1
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0, p0}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Resolves a call site: always the handle of join.
.method public static bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    .locals 2
    const-string v0, "bootstrap"
    invoke-static {v0, p1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-method-handle v0, invoke-static@Lprograms/Handles;->join(Ljava/lang/String;I)Ljava/lang/String;
    new-instance v1, Ljava/lang/invoke/ConstantCallSite;
    invoke-direct {v1, v0}, Ljava/lang/invoke/ConstantCallSite;-><init>(Ljava/lang/invoke/MethodHandle;)V
    return-object v1
.end method

.method public static main([Ljava/lang/String;)V
    .locals 6
    const-string v5, "value"
    const-method-handle v0, invoke-static@Lprograms/Handles;->join(Ljava/lang/String;I)Ljava/lang/String;
    const-string v1, "exact"
    const/4 v2, 0x7
    invoke-polymorphic {v0, v1, v2}, Ljava/lang/invoke/MethodHandle;->invokeExact([Ljava/lang/Object;)Ljava/lang/Object;, (Ljava/lang/String;I)Ljava/lang/String;
    move-result-object v3
    invoke-static {v5, v3}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-polymorphic/range {v0 .. v2}, Ljava/lang/invoke/MethodHandle;->invokeExact([Ljava/lang/Object;)Ljava/lang/Object;, (Ljava/lang/String;I)Ljava/lang/String;
    move-result-object v3
    invoke-static {v5, v3}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-method-type v3, (Ljava/lang/String;I)Ljava/lang/String;
    invoke-virtual {v3}, Ljava/lang/Object;->getClass()Ljava/lang/Class;
    move-result-object v3
    invoke-static {v5, v3}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const/4 v3, 0x2
    :again
    const-string v1, "site"
    invoke-custom {v1, v3}, site("named", (Ljava/lang/String;I)Ljava/lang/String;)@Lprograms/Handles;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    move-result-object v4
    invoke-static {v5, v4}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    add-int/lit8 v3, v3, -0x1
    if-nez v3, :again
    invoke-custom/range {v1 .. v2}, range("other", (Ljava/lang/String;I)Ljava/lang/String;)@Lprograms/Handles;->bootstrap(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;
    move-result-object v4
    invoke-static {v5, v4}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method
