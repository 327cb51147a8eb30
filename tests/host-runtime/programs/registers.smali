# Moves and constants of every form, with more registers than one byte counts.
.class public Lprograms/Registers;
.super Ljava/lang/Object;

.method static wide()J
    .registers 400
    const/4 v0, -0x8
    const/16 v1, 0x7fff
    const v2, 0x12345678
    const/high16 v3, -0x10000
    move v4, v0
    move/from16 v5, v1
    move/16 v300, v2
    move/16 v301, v300
    move/from16 v6, v301
    move/16 v302, v3
    move/16 v303, v302
    move/from16 v7, v303
    add-int/2addr v4, v5
    xor-int/2addr v4, v6
    xor-int/2addr v4, v7
    const-wide/16 v8, -0x2
    const-wide/32 v10, 0x7fffffff
    const-wide v12, 0x123456789abcdefL
    const-wide/high16 v14, 0x4000000000000000L
    move-wide/16 v304, v8
    move-wide/16 v306, v304
    move-wide/from16 v16, v306
    move-wide/from16 v18, v10
    move-wide v8, v12
    move-wide/from16 v20, v14
    add-long v8, v8, v16
    xor-long v8, v8, v18
    xor-long v8, v8, v20
    int-to-long v10, v4
    add-long/2addr v8, v10
    return-wide v8
.end method

.method static objects()Ljava/lang/Object;
    .registers 300
    const-string v0, "moved"
    move-object v1, v0
    move-object/16 v280, v1
    move-object/16 v281, v280
    move-object/from16 v2, v281
    nop
    return-object v2
.end method

.method static identity(Ljava/lang/Object;)Ljava/lang/Object;
    .locals 0
    return-object p0
.end method

# Overlapping pairs: a move must read both halves before it writes.
.method static overlap()J
    .locals 4
    const-wide v0, 0x1122334455667788L
    move-wide v1, v0
    const/4 v0, 0x0
    move-wide v2, v1
    return-wide v2
.end method

.method public static main([Ljava/lang/String;)V
    .locals 3
    const-string v0, "value"
    invoke-static {}, Lprograms/Registers;->wide()J
    move-result-wide v1
    invoke-static {v0, v1, v2}, Lprograms/Out;->number(Ljava/lang/String;J)V
    invoke-static {}, Lprograms/Registers;->objects()Ljava/lang/Object;
    move-result-object v1
    invoke-static {v0, v1}, Lprograms/Out;->text(Ljava/lang/String;Ljava/lang/Object;)V
    invoke-static {}, Lprograms/Registers;->overlap()J
    move-result-wide v1
    invoke-static {v0, v1, v2}, Lprograms/Out;->number(Ljava/lang/String;J)V
    return-void
.end method
