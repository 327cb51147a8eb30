# Lists and maps, as small as they can be.

.class public interface abstract Ljava/lang/Iterable;
.method public abstract iterator()Ljava/util/Iterator;
.end method


.class public interface abstract Ljava/util/Iterator;
.method public abstract hasNext()Z
.end method
.method public abstract next()Ljava/lang/Object;
.end method


.class public interface abstract Ljava/util/Collection;
.implements Ljava/lang/Iterable;
.method public abstract size()I
.end method
.method public abstract add(Ljava/lang/Object;)Z
.end method
.method public isEmpty()Z
    .locals 1
    invoke-interface {p0}, Ljava/util/Collection;->size()I
    move-result v0
    if-nez v0, :some
    const/4 v0, 0x1
    return v0
    :some
    const/4 v0, 0x0
    return v0
.end method


.class public interface abstract Ljava/util/List;
.implements Ljava/util/Collection;
.method public abstract get(I)Ljava/lang/Object;
.end method


.class public interface abstract Ljava/util/Set;
.implements Ljava/util/Collection;


.class public interface abstract Ljava/util/Map;
.method public abstract size()I
.end method
.method public abstract keySet()Ljava/util/Set;
.end method
.method public abstract containsKey(Ljava/lang/Object;)Z
.end method
.method public abstract remove(Ljava/lang/Object;)Ljava/lang/Object;
.end method
.method public abstract clear()V
.end method
.method public abstract get(Ljava/lang/Object;)Ljava/lang/Object;
.end method
.method public abstract put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
.end method


.class public Ljava/util/ArrayList;
.implements Ljava/util/List;
.field private items:[Ljava/lang/Object;
.field private used:I

.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    const/16 v0, 0x8
    new-array v0, v0, [Ljava/lang/Object;
    iput-object v0, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    return-void
.end method

.method public size()I
    .locals 1
    iget v0, p0, Ljava/util/ArrayList;->used:I
    return v0
.end method

.method public add(Ljava/lang/Object;)Z
    .locals 4
    iget-object v0, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    iget v1, p0, Ljava/util/ArrayList;->used:I
    array-length v2, v0
    if-lt v1, v2, :room
    shl-int/lit8 v2, v2, 0x1
    new-array v2, v2, [Ljava/lang/Object;
    const/4 v3, 0x0
    invoke-static {v0, v3, v2, v3, v1}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    iput-object v2, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    move-object v0, v2
    :room
    aput-object p1, v0, v1
    add-int/lit8 v1, v1, 0x1
    iput v1, p0, Ljava/util/ArrayList;->used:I
    const/4 v0, 0x1
    return v0
.end method

.method public get(I)Ljava/lang/Object;
    .locals 2
    iget v0, p0, Ljava/util/ArrayList;->used:I
    if-lt p1, v0, :inside
    new-instance v0, Ljava/lang/IndexOutOfBoundsException;
    invoke-static {p1}, Ljava/lang/Integer;->toString(I)Ljava/lang/String;
    move-result-object v1
    invoke-direct {v0, v1}, Ljava/lang/IndexOutOfBoundsException;-><init>(Ljava/lang/String;)V
    throw v0
    :inside
    iget-object v0, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    aget-object v0, v0, p1
    return-object v0
.end method

.method public set(ILjava/lang/Object;)Ljava/lang/Object;
    .locals 2
    invoke-virtual {p0, p1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v0
    iget-object v1, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    aput-object p2, v1, p1
    return-object v0
.end method

.method public indexOf(Ljava/lang/Object;)I
    .locals 3
    const/4 v0, 0x0
    :next
    iget v1, p0, Ljava/util/ArrayList;->used:I
    if-ge v0, v1, :none
    iget-object v1, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    aget-object v1, v1, v0
    invoke-virtual {p1, v1}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :found
    add-int/lit8 v0, v0, 0x1
    goto :next
    :none
    const/4 v0, -0x1
    :found
    return v0
.end method

.method public iterator()Ljava/util/Iterator;
    .locals 1
    new-instance v0, Ljava/util/ArrayList$Items;
    invoke-direct {v0, p0}, Ljava/util/ArrayList$Items;-><init>(Ljava/util/ArrayList;)V
    return-object v0
.end method

.method public remove(I)Ljava/lang/Object;
    .locals 5
    invoke-virtual {p0, p1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v0
    iget-object v1, p0, Ljava/util/ArrayList;->items:[Ljava/lang/Object;
    iget v2, p0, Ljava/util/ArrayList;->used:I
    add-int/lit8 v2, v2, -0x1
    iput v2, p0, Ljava/util/ArrayList;->used:I
    add-int/lit8 v3, p1, 0x1
    sub-int v4, v2, p1
    invoke-static {v1, v3, v1, p1, v4}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    const/4 v3, 0x0
    aput-object v3, v1, v2
    return-object v0
.end method


.class final Ljava/util/ArrayList$Items;
.implements Ljava/util/Iterator;
.field private final list:Ljava/util/ArrayList;
.field private at:I

.method constructor <init>(Ljava/util/ArrayList;)V
    .locals 0
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    iput-object p1, p0, Ljava/util/ArrayList$Items;->list:Ljava/util/ArrayList;
    return-void
.end method

.method public hasNext()Z
    .locals 2
    iget-object v0, p0, Ljava/util/ArrayList$Items;->list:Ljava/util/ArrayList;
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v0
    iget v1, p0, Ljava/util/ArrayList$Items;->at:I
    sub-int v0, v1, v0
    ushr-int/lit8 v0, v0, 0x1f
    return v0
.end method

.method public next()Ljava/lang/Object;
    .locals 2
    iget-object v0, p0, Ljava/util/ArrayList$Items;->list:Ljava/util/ArrayList;
    iget v1, p0, Ljava/util/ArrayList$Items;->at:I
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v0
    add-int/lit8 v1, v1, 0x1
    iput v1, p0, Ljava/util/ArrayList$Items;->at:I
    return-object v0
.end method


# Keys are searched one by one, in the order in which they came.
.class public Ljava/util/HashMap;
.implements Ljava/util/Map;
.field private final keys:Ljava/util/ArrayList;
.field private final values:Ljava/util/ArrayList;

.method public constructor <init>()V
    .locals 1
    invoke-direct {p0}, Ljava/lang/Object;-><init>()V
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    iput-object v0, p0, Ljava/util/HashMap;->values:Ljava/util/ArrayList;
    return-void
.end method

.method public constructor <init>(Ljava/util/Map;)V
    .locals 3
    invoke-direct {p0}, Ljava/util/HashMap;-><init>()V
    invoke-interface {p1}, Ljava/util/Map;->keySet()Ljava/util/Set;
    move-result-object v0
    invoke-interface {v0}, Ljava/util/Set;->iterator()Ljava/util/Iterator;
    move-result-object v0
    :next
    invoke-interface {v0}, Ljava/util/Iterator;->hasNext()Z
    move-result v1
    if-eqz v1, :end
    invoke-interface {v0}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v1
    invoke-interface {p1, v1}, Ljava/util/Map;->get(Ljava/lang/Object;)Ljava/lang/Object;
    move-result-object v2
    invoke-virtual {p0, v1, v2}, Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    goto :next
    :end
    return-void
.end method

# A copy.
.method public keySet()Ljava/util/Set;
    .locals 2
    new-instance v0, Ljava/util/HashSet;
    iget-object v1, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    invoke-direct {v0, v1}, Ljava/util/HashSet;-><init>(Ljava/util/Collection;)V
    return-object v0
.end method

.method public containsKey(Ljava/lang/Object;)Z
    .locals 1
    invoke-direct {p0, p1}, Ljava/util/HashMap;->find(Ljava/lang/Object;)[Ljava/lang/Object;
    move-result-object v0
    if-eqz v0, :none
    const/4 v0, 0x1
    return v0
    :none
    const/4 v0, 0x0
    return v0
.end method

.method public remove(Ljava/lang/Object;)Ljava/lang/Object;
    .locals 4
    invoke-direct {p0, p1}, Ljava/util/HashMap;->find(Ljava/lang/Object;)[Ljava/lang/Object;
    move-result-object v0
    if-nez v0, :there
    return-object v0
    :there
    iget-object v1, p0, Ljava/util/HashMap;->values:Ljava/util/ArrayList;
    const/4 v2, 0x0
    :next
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v3
    if-eq v3, v0, :found
    add-int/lit8 v2, v2, 0x1
    goto :next
    :found
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->remove(I)Ljava/lang/Object;
    iget-object v1, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    invoke-virtual {v1, v2}, Ljava/util/ArrayList;->remove(I)Ljava/lang/Object;
    const/4 v1, 0x0
    aget-object v0, v0, v1
    return-object v0
.end method

.method public clear()V
    .locals 2
    :next
    iget-object v0, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v1
    if-eqz v1, :end
    add-int/lit8 v1, v1, -0x1
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->remove(I)Ljava/lang/Object;
    iget-object v0, p0, Ljava/util/HashMap;->values:Ljava/util/ArrayList;
    invoke-virtual {v0, v1}, Ljava/util/ArrayList;->remove(I)Ljava/lang/Object;
    goto :next
    :end
    return-void
.end method

.method public size()I
    .locals 1
    iget-object v0, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v0
    return v0
.end method

# A holder of the value that can be changed, or null.
.method private find(Ljava/lang/Object;)[Ljava/lang/Object;
    .locals 4
    iget-object v0, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    invoke-virtual {v0}, Ljava/util/ArrayList;->size()I
    move-result v1
    const/4 v2, 0x0
    :next
    if-ge v2, v1, :none
    invoke-virtual {v0, v2}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v3
    if-eq v3, p1, :found
    if-eqz v3, :more
    invoke-virtual {v3, p1}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v3
    if-nez v3, :found
    :more
    add-int/lit8 v2, v2, 0x1
    goto :next
    :found
    iget-object v0, p0, Ljava/util/HashMap;->values:Ljava/util/ArrayList;
    invoke-virtual {v0, v2}, Ljava/util/ArrayList;->get(I)Ljava/lang/Object;
    move-result-object v0
    check-cast v0, [Ljava/lang/Object;
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method

.method public get(Ljava/lang/Object;)Ljava/lang/Object;
    .locals 2
    invoke-direct {p0, p1}, Ljava/util/HashMap;->find(Ljava/lang/Object;)[Ljava/lang/Object;
    move-result-object v0
    if-eqz v0, :none
    const/4 v1, 0x0
    aget-object v0, v0, v1
    return-object v0
    :none
    const/4 v0, 0x0
    return-object v0
.end method

.method public put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;
    .locals 3
    invoke-direct {p0, p1}, Ljava/util/HashMap;->find(Ljava/lang/Object;)[Ljava/lang/Object;
    move-result-object v0
    const/4 v1, 0x0
    if-eqz v0, :fresh
    aget-object v2, v0, v1
    aput-object p2, v0, v1
    return-object v2
    :fresh
    const/4 v0, 0x1
    new-array v0, v0, [Ljava/lang/Object;
    aput-object p2, v0, v1
    iget-object v1, p0, Ljava/util/HashMap;->keys:Ljava/util/ArrayList;
    invoke-virtual {v1, p1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    iget-object v1, p0, Ljava/util/HashMap;->values:Ljava/util/ArrayList;
    invoke-virtual {v1, v0}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    const/4 v0, 0x0
    return-object v0
.end method


# The keys of a map in the order in which they came.
.class public Ljava/util/HashSet;
.super Ljava/util/ArrayList;
.implements Ljava/util/Set;
.method public constructor <init>()V
    .locals 0
    invoke-direct {p0}, Ljava/util/ArrayList;-><init>()V
    return-void
.end method
.method public constructor <init>(Ljava/util/Collection;)V
    .locals 2
    invoke-direct {p0}, Ljava/util/ArrayList;-><init>()V
    invoke-interface {p1}, Ljava/util/Collection;->iterator()Ljava/util/Iterator;
    move-result-object v0
    :next
    invoke-interface {v0}, Ljava/util/Iterator;->hasNext()Z
    move-result v1
    if-eqz v1, :end
    invoke-interface {v0}, Ljava/util/Iterator;->next()Ljava/lang/Object;
    move-result-object v1
    invoke-virtual {p0, v1}, Ljava/util/HashSet;->add(Ljava/lang/Object;)Z
    goto :next
    :end
    return-void
.end method
.method public contains(Ljava/lang/Object;)Z
    .locals 3
    const/4 v0, 0x0
    :next
    invoke-virtual {p0}, Ljava/util/HashSet;->size()I
    move-result v1
    if-ge v0, v1, :none
    invoke-virtual {p0, v0}, Ljava/util/HashSet;->get(I)Ljava/lang/Object;
    move-result-object v1
    if-eq v1, p1, :found
    if-eqz v1, :more
    invoke-virtual {v1, p1}, Ljava/lang/Object;->equals(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :found
    :more
    add-int/lit8 v0, v0, 0x1
    goto :next
    :found
    const/4 v2, 0x1
    return v2
    :none
    const/4 v2, 0x0
    return v2
.end method
.method public add(Ljava/lang/Object;)Z
    .locals 1
    invoke-virtual {p0, p1}, Ljava/util/HashSet;->contains(Ljava/lang/Object;)Z
    move-result v0
    if-nez v0, :there
    invoke-super {p0, p1}, Ljava/util/ArrayList;->add(Ljava/lang/Object;)Z
    move-result v0
    return v0
    :there
    const/4 v0, 0x0
    return v0
.end method
.method public equals(Ljava/lang/Object;)Z
    .locals 3
    instance-of v0, p1, Ljava/util/HashSet;
    if-eqz v0, :other
    check-cast p1, Ljava/util/HashSet;
    invoke-virtual {p0}, Ljava/util/HashSet;->size()I
    move-result v0
    invoke-virtual {p1}, Ljava/util/HashSet;->size()I
    move-result v1
    if-ne v0, v1, :other
    :next
    add-int/lit8 v0, v0, -0x1
    if-ltz v0, :same
    invoke-virtual {p0, v0}, Ljava/util/HashSet;->get(I)Ljava/lang/Object;
    move-result-object v1
    invoke-virtual {p1, v1}, Ljava/util/HashSet;->contains(Ljava/lang/Object;)Z
    move-result v1
    if-nez v1, :next
    :other
    const/4 v0, 0x0
    return v0
    :same
    const/4 v0, 0x1
    return v0
.end method


.class public Ljava/util/Collections;
# It stays empty.
.field public static final EMPTY_LIST:Ljava/util/List;

.method static constructor <clinit>()V
    .locals 1
    new-instance v0, Ljava/util/ArrayList;
    invoke-direct {v0}, Ljava/util/ArrayList;-><init>()V
    sput-object v0, Ljava/util/Collections;->EMPTY_LIST:Ljava/util/List;
    return-void
.end method


.class public final Llibcore/util/EmptyArray;
.field public static final STACK_TRACE_ELEMENT:[Ljava/lang/StackTraceElement;

.method static constructor <clinit>()V
    .locals 1
    const/4 v0, 0x0
    new-array v0, v0, [Ljava/lang/StackTraceElement;
    sput-object v0, Llibcore/util/EmptyArray;->STACK_TRACE_ELEMENT:[Ljava/lang/StackTraceElement;
    return-void
.end method


.class public Ljava/util/Arrays;
.method public static copyOfRange([BII)[B
    .locals 2
    sub-int v0, p2, p1
    new-array v0, v0, [B
    const/4 v1, 0x0
    array-length p2, v0
    invoke-static {p0, p1, v0, v1, p2}, Ljava/lang/System;->arraycopy(Ljava/lang/Object;ILjava/lang/Object;II)V
    return-object v0
.end method
.method public static fill([BB)V
    .locals 2
    array-length v0, p0
    const/4 v1, 0x0
    :next
    if-ge v1, v0, :end
    aput-byte p1, p0, v1
    add-int/lit8 v1, v1, 0x1
    goto :next
    :end
    return-void
.end method
.method public static equals([B[B)Z
    .locals 4
    array-length v0, p0
    array-length v1, p1
    if-ne v0, v1, :other
    const/4 v1, 0x0
    :next
    if-ge v1, v0, :same
    aget-byte v2, p0, v1
    aget-byte v3, p1, v1
    if-ne v2, v3, :other
    add-int/lit8 v1, v1, 0x1
    goto :next
    :same
    const/4 v0, 0x1
    return v0
    :other
    const/4 v0, 0x0
    return v0
.end method
