# Strings: constants of both kinds, building, searching, encodings.
.class public Lprograms/Text;
.super Ljava/lang/Object;
.field private static final CONSTANT:Ljava/lang/String; = "constant \u6587"

.method public static main([Ljava/lang/String;)V
    .locals 6
    const-string v0, "value"
    sget-object v1, Lprograms/Text;->CONSTANT:Ljava/lang/String;
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string/jumbo v1, "jumbo \u00e9 \u4e2d\u6587 \ud83d\ude00 \"quoted\" \\ \t|"
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-virtual {v1}, Ljava/lang/String;->length()I
    move-result v2
    invoke-static {v0, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-virtual {v1}, Ljava/lang/String;->hashCode()I
    move-result v2
    invoke-static {v0, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    # To bytes and back, as text encryption does.
    const-string v2, "UTF-8"
    invoke-virtual {v1, v2}, Ljava/lang/String;->getBytes(Ljava/lang/String;)[B
    move-result-object v2
    array-length v3, v2
    invoke-static {v0, v3}, Lprograms/Out;->number(Ljava/lang/String;I)V
    new-instance v3, Ljava/lang/String;
    sget-object v4, Ljava/nio/charset/StandardCharsets;->UTF_8:Ljava/nio/charset/Charset;
    invoke-direct {v3, v2, v4}, Ljava/lang/String;-><init>([BLjava/nio/charset/Charset;)V
    invoke-virtual {v1, v3}, Ljava/lang/String;->equals(Ljava/lang/Object;)Z
    move-result v4
    invoke-static {v0, v4}, Lprograms/Out;->number(Ljava/lang/String;I)V
    invoke-virtual {v3}, Ljava/lang/String;->intern()Ljava/lang/String;
    move-result-object v4
    const/4 v5, 0x0
    if-ne v4, v1, :other
    const/4 v5, 0x1
    :other
    invoke-static {v0, v5}, Lprograms/Out;->number(Ljava/lang/String;I)V
    new-instance v3, Ljava/lang/String;
    invoke-virtual {v1}, Ljava/lang/String;->toCharArray()[C
    move-result-object v4
    const/4 v2, 0x6
    const/4 v5, 0x4
    invoke-direct {v3, v4, v2, v5}, Ljava/lang/String;-><init>([CII)V
    invoke-static {v0, v3}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v2, "\u4e2d"
    invoke-virtual {v1, v2}, Ljava/lang/String;->indexOf(Ljava/lang/String;)I
    move-result v2
    invoke-static {v0, v2}, Lprograms/Out;->number(Ljava/lang/String;I)V
    const/4 v2, 0x2
    const/4 v3, 0x5
    invoke-virtual {v1, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v2, "  spaces "
    invoke-virtual {v2}, Ljava/lang/String;->trim()Ljava/lang/String;
    move-result-object v2
    const/16 v3, 0x73
    const/16 v4, 0x53
    invoke-virtual {v2, v3, v4}, Ljava/lang/String;->replace(CC)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v3, "Spaces"
    invoke-virtual {v2, v3}, Ljava/lang/String;->compareTo(Ljava/lang/String;)I
    move-result v3
    invoke-static {v0, v3}, Lprograms/Out;->number(Ljava/lang/String;I)V
    new-instance v2, Ljava/lang/StringBuilder;
    invoke-direct {v2}, Ljava/lang/StringBuilder;-><init>()V
    const v3, 0x3f99999a
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(F)Ljava/lang/StringBuilder;
    const/16 v3, 0x20
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    const-wide v4, 0x7e37e43c8800759cL
    invoke-virtual {v2, v4, v5}, Ljava/lang/StringBuilder;->append(D)Ljava/lang/StringBuilder;
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(C)Ljava/lang/StringBuilder;
    const/4 v3, 0x1
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Z)Ljava/lang/StringBuilder;
    const/4 v3, 0x0
    invoke-virtual {v2, v3}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    invoke-static {v0, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-virtual {v2}, Ljava/lang/StringBuilder;->reverse()Ljava/lang/StringBuilder;
    invoke-static {v0, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v2, "-1234567"
    invoke-static {v2}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v2
    invoke-static {v2}, Ljava/lang/Integer;->toHexString(I)Ljava/lang/String;
    move-result-object v2
    invoke-static {v0, v2}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    const-string v2, "tag"
    const-string v3, "a line of the log"
    invoke-static {v2, v3}, Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I
    move-result v4
    sget-object v2, Ljava/lang/System;->err:Ljava/io/PrintStream;
    const-string v3, "a line of the errors"
    invoke-virtual {v2, v3}, Ljava/io/PrintStream;->println(Ljava/lang/String;)V
    return-void
.end method
