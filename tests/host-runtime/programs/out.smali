# What the programs print with: a label, an equals sign and the value.
.class public final Lprograms/Out;
.super Ljava/lang/Object;

.method public static text(Ljava/lang/String;Ljava/lang/Object;)V
    .locals 2
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0, p0}, Ljava/lang/StringBuilder;-><init>(Ljava/lang/String;)V
    const/16 v1, 0x3d
    invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    sget-object v1, Ljava/lang/System;->out:Ljava/io/PrintStream;
    invoke-virtual {v1, v0}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method

.method public static number(Ljava/lang/String;I)V
    .locals 1
    invoke-static {p1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v0
    invoke-static {p0, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method

.method public static number(Ljava/lang/String;J)V
    .locals 1
    invoke-static {p1, p2}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
    move-result-object v0
    invoke-static {p0, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method

.method public static number(Ljava/lang/String;F)V
    .locals 1
    invoke-static {p1}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
    move-result-object v0
    invoke-static {p0, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method

.method public static number(Ljava/lang/String;D)V
    .locals 1
    invoke-static {p1, p2}, Ljava/lang/Double;->valueOf(D)Ljava/lang/Double;
    move-result-object v0
    invoke-static {p0, v0}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    return-void
.end method
