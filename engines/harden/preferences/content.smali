# An entry as text: a letter of its type, its name, and its value. Texts before the last one have their length in front; `-` is null.
.class final Lappwarden/preferences/Content;
.super Ljava/lang/Object;
.field private final text:Ljava/lang/String;
.field private at:I

.method private constructor <init>(Ljava/lang/String;)V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Lappwarden/preferences/Content;->text:Ljava/lang/String;
    # Behind the letter.
    const/4 v0, 0x1
    iput v0, p0, Lappwarden/preferences/Content;->at:I
    return-void
.end method

.method private static add(Ljava/lang/StringBuilder;Ljava/lang/String;)V
    .locals 1
    if-nez p1, :text
    const-string v0, "-"
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-void
    :text
    invoke-virtual {p1}, Ljava/lang/String;->length()I
    move-result v0
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(I)Ljava/lang/StringBuilder;
    const-string v0, ":"
    invoke-virtual {p0, v0}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-virtual {p0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    return-void
.end method

.method private next()Ljava/lang/String;
    .locals 5
    iget-object v0, p0, Lappwarden/preferences/Content;->text:Ljava/lang/String;
    iget v1, p0, Lappwarden/preferences/Content;->at:I
    const-string v2, "-"
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->startsWith(Ljava/lang/String;I)Z
    move-result v2
    if-eqz v2, :text
    add-int/lit8 v1, v1, 0x1
    iput v1, p0, Lappwarden/preferences/Content;->at:I
    const/4 v0, 0x0
    return-object v0
    :text
    const/16 v2, 0x3a
    invoke-virtual {v0, v2, v1}, Ljava/lang/String;->indexOf(II)I
    move-result v2
    invoke-virtual {v0, v1, v2}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v3
    invoke-static {v3}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v3
    add-int/lit8 v2, v2, 0x1
    add-int/2addr v3, v2
    iput v3, p0, Lappwarden/preferences/Content;->at:I
    invoke-virtual {v0, v2, v3}, Ljava/lang/String;->substring(II)Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Null for a value that preferences cannot have.
.method static of(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;
    .locals 4
    new-instance v0, Ljava/lang/StringBuilder;
    invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
    instance-of v1, p1, Ljava/lang/String;
    const-string v2, "s"
    if-nez v1, :plain
    instance-of v1, p1, Ljava/lang/Integer;
    const-string v2, "i"
    if-nez v1, :plain
    instance-of v1, p1, Ljava/lang/Long;
    const-string v2, "l"
    if-nez v1, :plain
    instance-of v1, p1, Ljava/lang/Boolean;
    const-string v2, "b"
    if-nez v1, :plain
    instance-of v1, p1, Ljava/lang/Float;
    if-nez v1, :float
    instance-of v1, p1, Ljava/util/Set;
    if-nez v1, :set
    :unknown
    const/4 v0, 0x0
    return-object v0
    :float
    check-cast p1, Ljava/lang/Float;
    invoke-virtual {p1}, Ljava/lang/Float;->floatValue()F
    move-result v1
    invoke-static {v1}, Ljava/lang/Float;->floatToIntBits(F)I
    move-result v1
    invoke-static {v1}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object p1
    const-string v2, "f"
    :plain
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {v0, p0}, Lappwarden/preferences/Content;->add(Ljava/lang/StringBuilder;Ljava/lang/String;)V
    invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
    goto :written
    :set
    const-string v2, "c"
    invoke-virtual {v0, v2}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
    invoke-static {v0, p0}, Lappwarden/preferences/Content;->add(Ljava/lang/StringBuilder;Ljava/lang/String;)V
    check-cast p1, Ljava/util/Set;
    invoke-interface {p1}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v1
    :next
    invoke-interface {v1}, Ljava/util/Iterator;->hasNext()Z
    move-result v2
    if-eqz v2, :written
    invoke-interface {v1}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v2
    if-eqz v2, :item
    instance-of v3, v2, Ljava/lang/String;
    if-eqz v3, :unknown
    :item
    check-cast v2, Ljava/lang/String;
    invoke-static {v0, v2}, Lappwarden/preferences/Content;->add(Ljava/lang/StringBuilder;Ljava/lang/String;)V
    goto :next
    :written
    invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
    move-result-object v0
    return-object v0
.end method

# Name and value; null for a type that this version does not know.
.method static read(Ljava/lang/String;)[Ljava/lang/Object;
    .locals 6
    new-instance v0, Lappwarden/preferences/Content;
    invoke-direct {v0, p0}, Lappwarden/preferences/Content;-><init>(Ljava/lang/String;)V
    invoke-direct {v0}, Lappwarden/preferences/Content;->next()Ljava/lang/String;
    move-result-object v1
    const/4 v2, 0x0
    invoke-virtual {p0, v2}, Ljava/lang/String;->charAt(I)C
    move-result v2
    iget v3, v0, Lappwarden/preferences/Content;->at:I
    invoke-virtual {p0, v3}, Ljava/lang/String;->substring(I)Ljava/lang/String;
    move-result-object v4
    const/16 v5, 0x73
    if-eq v2, v5, :value
    const/16 v5, 0x69
    if-eq v2, v5, :int
    const/16 v5, 0x6c
    if-eq v2, v5, :long
    const/16 v5, 0x62
    if-eq v2, v5, :boolean
    const/16 v5, 0x66
    if-eq v2, v5, :float
    const/16 v5, 0x63
    if-eq v2, v5, :set
    const/4 v0, 0x0
    return-object v0
    :int
    invoke-static {v4}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v2
    invoke-static {v2}, Ljava/lang/Integer;->valueOf(I)Ljava/lang/Integer;
    move-result-object v4
    goto :value
    :long
    invoke-static {v4}, Ljava/lang/Long;->parseLong(Ljava/lang/String;)J
    move-result-wide v2
    invoke-static {v2, v3}, Ljava/lang/Long;->valueOf(J)Ljava/lang/Long;
    move-result-object v4
    goto :value
    :boolean
    invoke-static {v4}, Ljava/lang/Boolean;->parseBoolean(Ljava/lang/String;)Z
    move-result v2
    invoke-static {v2}, Ljava/lang/Boolean;->valueOf(Z)Ljava/lang/Boolean;
    move-result-object v4
    goto :value
    :float
    invoke-static {v4}, Ljava/lang/Integer;->parseInt(Ljava/lang/String;)I
    move-result v2
    invoke-static {v2}, Ljava/lang/Float;->intBitsToFloat(I)F
    move-result v2
    invoke-static {v2}, Ljava/lang/Float;->valueOf(F)Ljava/lang/Float;
    move-result-object v4
    goto :value
    :set
    new-instance v4, Ljava/util/HashSet;
    invoke-direct {v4}, Ljava/util/HashSet;-><init>()V
    :next
    iget v2, v0, Lappwarden/preferences/Content;->at:I
    invoke-virtual {p0}, Ljava/lang/String;->length()I
    move-result v3
    if-ge v2, v3, :value
    invoke-direct {v0}, Lappwarden/preferences/Content;->next()Ljava/lang/String;
    move-result-object v2
    invoke-virtual {v4, v2}, Ljava/util/HashSet;->add(Ljava/lang/Object;)Z
    goto :next
    :value
    const/4 v0, 0x2
    new-array v0, v0, [Ljava/lang/Object;
    const/4 v2, 0x0
    aput-object v1, v0, v2
    const/4 v2, 0x1
    aput-object v4, v0, v2
    return-object v0
.end method
